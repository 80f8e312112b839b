"""Writes as values: what a commit does to one document, and which writes each kind of record makes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import singledispatch
from typing import Any

from google.cloud.firestore_v1.async_batch import AsyncWriteBatch
from google.cloud.firestore_v1.types import Write as WriteMessage

from shared.adapters.firestore.encoding import expect, name_fields, whole_write
from shared.adapters.firestore.layout import Document
from shared.models.chat import Chat
from shared.records import Record


class Mode(StrEnum):
    """What a write does, and what it expects to find."""

    CREATE = "create"  #: there must be no document yet
    SET = "set"  #: replaces the document, if there is one
    MERGE = "merge"  #: changes the given fields, or makes the document
    UPDATE = "update"  #: changes the given fields of a document that must be there
    DELETE = "delete"  #: deletes the document, if there is one


@dataclass(frozen=True, kw_only=True)
class Write:
    """One write. `version`: the update time that the document must still have; only an update may have one."""

    path: str
    document: Document
    mode: Mode
    version: Any = None


def replace_seen(path: str, document: Document, version: object | None) -> Write:
    """Write a document only while it is as it was seen; `version` is none when there was no document."""
    mode = Mode.CREATE if version is None else Mode.UPDATE
    return Write(path=path, document=document, mode=mode, version=version)


class Batch(AsyncWriteBatch):
    """Writes that are committed at once."""

    def add(self, write: Write) -> None:
        """Add a write. An update's fields are names, no paths. Raises TypeError for a value that no document holds."""
        ref = self._client.document(write.path)
        if write.mode is Mode.MERGE:
            self.set(ref, write.document, merge=True)
            return
        if write.mode is Mode.DELETE:
            self.delete(ref)
            return
        message = whole_write(ref._document_path, write.document)
        if write.mode is Mode.CREATE:
            expect(message, exists=False)
        if write.mode is Mode.UPDATE:
            name_fields(message, write.document)
            expect(message, version=write.version, exists=True if write.version is None else None)
        self._add_write_pbs([WriteMessage.wrap(message)])


@dataclass(frozen=True, kw_only=True)
class Commit:
    """The commit that a record is part of: the chat as it is from then on, and the moment."""

    chat: Chat
    at: datetime


@singledispatch
def writes_of(record: Record, commit: Commit) -> Iterator[Write]:
    """The writes that a record makes. Each module of `records/` registers its own here."""
    raise TypeError(f"no module of shared/adapters/firestore/records maps {type(record).__name__}")
