"""Stores the state across restarts, in one table of JSON documents. Changes are written before any response is sent."""

import sqlite3
from collections.abc import Hashable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from pydantic import TypeAdapter

T = TypeVar("T")

_SCHEMA = "CREATE TABLE IF NOT EXISTS documents (kind TEXT, key TEXT, body BLOB, UNIQUE (kind, key))"
# An update of a document keeps the document's row, and so its place in the order.
_PUT = "INSERT INTO documents VALUES (?, ?, ?) ON CONFLICT (kind, key) DO UPDATE SET body = excluded.body"
_LOAD = "SELECT key, body FROM documents WHERE kind = ? ORDER BY rowid"


def adapter_of(type_: type[T]) -> TypeAdapter[T]:
    """Return pydantic's adapter for a type. It is cached, since making an adapter takes milliseconds."""
    adapter: TypeAdapter[T] = _adapter_of(cast(Hashable, type_))
    return adapter


@cache
def _adapter_of(type_: Any) -> TypeAdapter[Any]:
    return TypeAdapter(type_)


class WorldStore:
    """Documents on disk, by kind and key. Without a folder nothing is stored.

    Writes are collected and committed by `flush`, which every request calls before its response. If the process is
    killed after that, nothing is lost: SQLite's write-ahead log with `synchronous=NORMAL` survives the end of the
    process, though not a power cut.
    """

    def __init__(self, folder: Path | None) -> None:
        self._unwritten: dict[tuple[str, str], bytes | None] = {}
        self._database: sqlite3.Connection | None = None
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            self._database = _open(folder / "telegram.sqlite3")

    @property
    def is_lasting(self) -> bool:
        """Return whether the documents are stored on disk; otherwise they are lost when the process ends."""
        return self._database is not None

    def put(self, kind: str, key: str, body: bytes | None) -> None:
        """Put a document into the store, or delete it if `body` is None."""
        if self._database is not None:
            self._unwritten[(kind, key)] = body

    def load(self, kind: str) -> Iterator[tuple[str, bytes]]:
        """Yield key and body of each stored document of a kind, in the order in which the documents were first put."""
        if self._database is not None:
            yield from self._database.execute(_LOAD, (kind,))

    def flush(self) -> None:
        """Commit all changes since the last flush, in one transaction."""
        if self._database is None or not self._unwritten:
            return
        kept = [(kind, key, body) for (kind, key), body in self._unwritten.items() if body is not None]
        gone = [name for name, body in self._unwritten.items() if body is None]
        with self._database:
            self._database.executemany(_PUT, kept)
            self._database.executemany("DELETE FROM documents WHERE kind = ? AND key = ?", gone)
        self._unwritten.clear()

    def close(self) -> None:
        """Write the remaining changes and close the file."""
        self.flush()
        if self._database is not None:
            self._database.close()
            self._database = None


def _open(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=NORMAL")
    database.execute(_SCHEMA)
    return database


class DocumentKind(Generic[T]):
    """All documents of one kind. They are held in memory by key, and every change is also written to the store."""

    def __init__(self, store: WorldStore, kind: str, type_: type[T]) -> None:
        self._store = store
        self._kind = kind
        self._adapter: TypeAdapter[T] = adapter_of(type_)
        self._held = {key: self._adapter.validate_json(body) for key, body in store.load(kind)}

    def get(self, key: object) -> T | None:
        """Return the document with this key, or None if there is none."""
        return self._held.get(str(key))

    def put(self, key: object, value: T) -> T:
        """Store a document under this key, in place of an earlier one, and return it."""
        self._held[str(key)] = value
        if self._store.is_lasting:
            self._store.put(self._kind, str(key), self._adapter.dump_json(value))
        return value

    def remove(self, key: object) -> T | None:
        """Delete the document with this key and return it; None if there is none."""
        self._store.put(self._kind, str(key), None)
        return self._held.pop(str(key), None)

    def values(self) -> list[T]:
        """Return all documents, oldest first."""
        return list(self._held.values())

    def __len__(self) -> int:
        return len(self._held)
