"""Writes as values: operations on documents, records that make them, and the sizes of both.

The emulator checks only the bytes of a request itself. Firestore also counts index entries, and refuses a commit whose
documents and index entries have more than 10 MiB (cloud.google.com/firestore/docs/storage-size).
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from typing import Any, Final

from google.cloud.firestore_v1 import ArrayUnion
from google.cloud.firestore_v1.async_batch import AsyncWriteBatch
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.field_path import FieldPath
from google.cloud.firestore_v1.vector import Vector

from shared.chat.store.layout import Document
from shared.chat.store.queries import QUERIES, Query, QueryScope
from shared.values.chat import Chat


class WriteMode(StrEnum):
    """The operation of a write, which also determines whether the document must already exist."""

    CREATE = "create"  #: the document must not exist
    SET = "set"  #: create or replace the document
    MERGE = "merge"  #: change the given fields; create the document if there is none
    UPDATE = "update"  #: change the given fields of an existing document
    DELETE = "delete"  #: delete the document if it exists


_LEAST: Final = -(2**63)
_MOST: Final = 2**63 - 1


@dataclass(frozen=True, kw_only=True)
class Write:
    """One write. `version` is the update time that the document must still have; it is allowed only for updates."""

    path: str
    document: Document
    mode: WriteMode
    version: Any = None


def replace_seen(path: str, document: Document, version: object | None) -> Write:
    """Return a write that succeeds only if the document is unchanged since it was read. If `version` is None, there was
    no document, and there must still be none.
    """
    mode = WriteMode.CREATE if version is None else WriteMode.UPDATE
    return Write(path=path, document=document, mode=mode, version=version)


class WriteBatch(AsyncWriteBatch):
    """Writes that are committed together."""

    def __init__(self, client: AsyncClient) -> None:
        """`client` belongs to the running loop."""
        super().__init__(client)
        self.client = client

    def add(self, write: Write) -> None:
        """Add a write. The keys of an update are field names, not paths. Raises TypeError for an unknown type."""
        ref, document = self.client.document(write.path), storable(write.document)
        match write.mode:
            case WriteMode.CREATE:
                self.create(ref, document)
            case WriteMode.SET:
                self.set(ref, document)
            case WriteMode.MERGE:
                self.set(ref, document, merge=True)
            case WriteMode.UPDATE:
                fields = {FieldPath(name).to_api_repr(): value for name, value in document.items()}
                is_versioned = write.version is not None
                option = self.client.write_option(last_update_time=write.version) if is_versioned else None
                self.update(ref, fields, option)
            case WriteMode.DELETE:
                self.delete(ref)


def storable(value: Any) -> Any:
    """Return the value with whole numbers limited to 64 bits.

    Firestore refuses larger ones, and one such number would prevent every further write of its chat.
    """
    match value:
        case int():
            return min(max(value, _LEAST), _MOST)
        case dict():
            return {name: storable(inner) for name, inner in value.items()}
        case list() | tuple():
            return [storable(inner) for inner in value]
    return value


@dataclass(frozen=True, kw_only=True)
class CommitContext:
    """The commit to which a record belongs: the chat as the commit will store it, and the time."""

    chat: Chat
    at: datetime


@dataclass(frozen=True, kw_only=True)
class LogLine:
    """A log line, made of lull's own words and of ids."""

    text: str
    fields: Mapping[str, str] = dataclasses.field(default_factory=dict)


class Record(ABC):
    """A part of a commit besides the chat's document. Each feature has its own kinds of record.

    A record is about the commit's chat, unless it names another one.
    """

    @abstractmethod
    def writes(self, commit: CommitContext) -> Iterator[Write]:
        """Yield the writes that store this record."""

    def log_line(self) -> LogLine | None:
        """Return the line to log after the commit; None for most records."""
        return None


#: bytes of a commit's 10 MiB that the records may take; the tick's other writes have their own limits
PORTION_BYTES: Final = 5_000_000
#: bytes of a value that are indexed at most
INDEXED_BYTES: Final = 1_500
_OVERHEAD: Final = 32
_NAME_OVERHEAD: Final = 16


@dataclass(frozen=True, kw_only=True)
class IndexEntries:
    """The size of a document's entries in one index: their number, their total bytes, and the bytes of the largest."""

    count: int
    total: int
    largest: int


def portions_of(records: Sequence[Record], chat: Chat) -> Iterator[tuple[Record, ...]]:
    """Yield the records, in the same order, in portions of at most a commit's size. Without records, yield nothing."""
    commit = CommitContext(chat=chat, at=datetime.now(UTC))
    portion: list[Record] = []
    size = 0
    for record in records:
        weight = sum(committed_bytes(write) for write in record.writes(commit))
        if portion and size + weight > PORTION_BYTES:
            yield tuple(portion)
            portion, size = [], 0
        portion.append(record)
        size += weight
    if portion:
        yield tuple(portion)


def committed_bytes(write: Write, unindexed: Collection[str] = ()) -> int:
    """Return how many bytes a write adds to the size of its commit, including its index entries.

    `unindexed`: the fields that have no automatic index.
    """
    return document_bytes(write) + sum(one.total for one in index_entries(write, unindexed))


def document_bytes(write: Write) -> int:
    return _name_bytes(write.path) + value_bytes(write.document)


def value_bytes(value: Any) -> int:
    match value:
        case str():  # checked first, since most values are terms
            return len(value.encode(errors="replace")) + 1
        case None | bool():
            return 1
        case bytes():
            return len(value)
        case Mapping():
            return _OVERHEAD + sum(value_bytes(str(name)) + value_bytes(inner) for name, inner in value.items())
        case Vector():
            return 8 * len(value)
        case ArrayUnion():
            return sum(map(value_bytes, value.values))
        case list() | tuple():
            return sum(map(value_bytes, value))
    return 8


def index_entries(write: Write, unindexed: Collection[str] = ()) -> Iterator[IndexEntries]:
    """Yield the sizes of the index entries that a write's document needs, for each index."""
    queries = _indexed_queries(write.path.split("/")[-2])
    # a segment has thousands of terms, which are in four indexes: measure the terms once
    contained = {one.contains for one in queries if one.contains}
    sizes_of = {field: _value_sizes(_value_at(write.document, field)) for field in contained}
    for query in queries:
        yield from _composite(query, write, sizes_of.get(query.contains, (1,)))
    name = _name_bytes(write.path) + _parent_bytes(write.path) + _OVERHEAD
    for field, value in _indexed_fields(write.document, "", unindexed):
        # a single value has two entries, ascending and descending; a list has one for each item
        sizes = sizes_of.get(field) or _value_sizes(value if isinstance(value, tuple) else (value, value))
        yield _entries(name + value_bytes(field), sizes)


@cache
def _indexed_queries(collection: str) -> Sequence[Query]:
    return tuple(query for query in QUERIES if query.collection == collection and query.needs_index)


def _composite(query: Query, write: Write, sizes: Sequence[int]) -> Iterator[IndexEntries]:
    """Yield the entries of a composite index. `sizes`: the sizes of the items of the indexed list; (1,) without one."""
    fields = (*query.equals, *(one.field for one in query.order), *filter(None, (query.contains, query.vector)))
    values = {field: _value_at(write.document, field) for field in fields}
    if any(value is _ABSENT for value in values.values()):
        return  # a document without one of the fields is not in the index
    size = _name_bytes(write.path) + _OVERHEAD
    size += sum(value_bytes(value) for field, value in values.items() if field != query.contains)
    if query.scope is QueryScope.COLLECTION:
        size += _parent_bytes(write.path)
    yield _entries(size, sizes)


def _entries(each: int, sizes: Sequence[int]) -> IndexEntries:
    """Return the entries for values of these sizes. `each` is the number of other bytes in every entry."""
    return IndexEntries(
        count=len(sizes), total=each * len(sizes) + sum(sizes), largest=each + max(sizes) if sizes else 0
    )


def _value_sizes(values: Any) -> Sequence[int]:
    """Return the size in an index, in bytes, of each item of a list; () if the value is not a list."""
    return [min(value_bytes(value), INDEXED_BYTES) for value in values] if isinstance(values, list | tuple) else ()


_ABSENT: Final = object()


def _value_at(document: Mapping[str, Any], field: str) -> Any:
    value: Any = document
    for name in field.split("."):
        value = value.get(name, _ABSENT) if isinstance(value, Mapping) else _ABSENT
    return value


def _indexed_fields(document: Mapping[str, Any], above: str, unindexed: Collection[str]) -> Iterator[tuple[str, Any]]:
    """Yield each field that has an automatic index, with its value. The value of a list is a tuple."""
    for name, value in document.items():
        path = f"{above}{name}"
        if path in unindexed:
            continue
        if isinstance(value, Mapping):
            yield from _indexed_fields(value, f"{path}.", unindexed)
        elif isinstance(value, list | tuple | ArrayUnion):
            yield path, tuple(value.values if isinstance(value, ArrayUnion) else value)
        else:
            yield path, value


def _name_bytes(path: str) -> int:
    return _NAME_OVERHEAD + sum(value_bytes(part) for part in path.split("/") if part)


def _parent_bytes(path: str) -> int:
    return _name_bytes("/".join(path.split("/")[:-2]))
