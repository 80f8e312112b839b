"""Writes as values: what a commit does to one document, and which writes each kind of record makes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import singledispatch
from typing import Any

from google.cloud.firestore_v1.async_batch import AsyncWriteBatch
from google.cloud.firestore_v1.async_client import AsyncClient

from shared.adapters.firestore.layout import Document
from shared.models.chat import Chat
from shared.records import Record


class Mode(StrEnum):
    """What a write does, and what it expects to find."""

    CREATE = "create"  #: there must be no document yet
    SET = "set"  #: replaces the document, if there is one
    MERGE = "merge"  #: changes the given fields, or makes the document
    UPDATE = "update"  #: changes the given fields of a document that must be there


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


def add_write(batch: AsyncWriteBatch, client: AsyncClient, write: Write) -> None:
    """Put a write into a batch."""
    ref = client.document(write.path)
    match write.mode:
        case Mode.CREATE:
            batch.create(ref, write.document)
        case Mode.UPDATE:
            option = None if write.version is None else client.write_option(last_update_time=write.version)
            batch.update(ref, write.document, option=option)
        case Mode.SET | Mode.MERGE:
            batch.set(ref, write.document, merge=write.mode is Mode.MERGE)


@dataclass(frozen=True, kw_only=True)
class Commit:
    """The commit that a record is part of: the chat as it is from then on, and the moment."""

    chat: Chat
    at: datetime


@singledispatch
def writes_of(record: Record, commit: Commit) -> Iterator[Write]:
    """The writes that a record makes. Each module of `records/` registers its own here."""
    raise TypeError(f"no module of shared/adapters/firestore/records maps {type(record).__name__}")
