"""The port to memories: one document for each owner, so that a prompt costs as many reads as it shows owners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from shared.models.memory import Memory, MemoryChange, MemoryOwner


class Memories(Protocol):
    """What is remembered. Raises StoreUnavailable or StoreRefused."""

    async def of(self, owners: Sequence[MemoryOwner]) -> Mapping[MemoryOwner, tuple[Memory, ...]]:
        """The memories of some owners, oldest first, by one request that reads a document for each owner.

        Behind them are the marks of what was forgotten.
        """

    async def change(self, changes: Iterable[MemoryChange]) -> None:
        """Write changes. Others of the same memories that are made at the same time are lost by none; it may be
        repeated. A tick's own are written by its commit (`shared/records.py`).
        """
