"""Holding a chat: what one tick writes while its lease runs, in as few commits as the promise allows."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from shared.models.chat import Chat, Lease
from shared.models.incident import Incident
from shared.models.message import AnyEntry
from shared.models.plan import Plan
from shared.ports import Change, ChatStore, Seen

T = TypeVar("T")

#: an entry is up to 64 KiB (Telegram's limit for an update), the window's document at most 1 MiB
WINDOW_BYTES = 600_000


@dataclass(frozen=True, kw_only=True)
class Terms:
    """How a chat is held: by whom, for how long without a sign of life, and how much of it the window keeps."""

    owner: str
    lease: timedelta
    window_entries: int
    clock: Callable[[], datetime]


class Holding:
    """A claimed chat. What is noted here is written by the next commit, all of it or nothing.

    Every commit extends the lease, and raises LeaseLost when the lease is another's: then nothing was written.
    """

    def __init__(self, chats: ChatStore, seen: Seen, terms: Terms) -> None:
        """`seen` is what the claim returned."""
        self._chats, self._seen, self._terms = chats, seen, terms
        self._chat = seen.chat
        self._entries: list[AnyEntry] = []
        self._read: list[int] = []
        self._incidents: list[Incident] = []
        self._window: tuple[AnyEntry, ...] | None = None

    @property
    def chat(self) -> Chat:
        """The chat with what was noted since."""
        return self._chat

    @property
    def noted_read(self) -> frozenset[int]:
        """The updates that the next commit marks as read; until then the inbox still counts them as unread."""
        return frozenset(self._read)

    async def window(self) -> tuple[AnyEntry, ...]:
        """The newest entries of the conversation, with what was noted since."""
        if self._window is None:
            self._window = await self._chats.window(self._seen.chat, self._terms.window_entries)
        return self._window

    def note_chat(self, **fields: Any) -> None:
        """Note new values of the chat's fields."""
        self._chat = self._chat.model_copy(update=fields)

    async def note_entries(self, entries: Iterable[AnyEntry]) -> None:
        """Append to the transcript; each gets the next number."""
        window = await self.window()
        for entry in entries:
            self.note_chat(seq=self._chat.seq + 1)
            numbered = entry.model_copy(update={"seq": self._chat.seq})
            self._entries.append(numbered)
            window = (*window, numbered)
        self._window = newest(window, self._terms.window_entries)

    def note_read(self, update_ids: Iterable[int]) -> None:
        """Mark updates as read."""
        self._read += update_ids

    def note_incident(self, incident: Incident) -> None:
        """Keep an incident."""
        self._incidents.append(incident)

    async def commit(self, plan: Plan | None = None, *, release: bool = False) -> None:
        """Write what was noted; `release` gives the chat back, with its window and conversation brought up to date."""
        until = self._terms.clock() + self._terms.lease
        lease = None if release else Lease(owner=self._terms.owner, until=until)
        has_news = self._window is not None and self._chat.seq > 0
        change = Change(
            chat=self._chat.model_copy(update={"lease": lease}),
            read=tuple(self._read),
            entries=tuple(self._entries),
            window=self._window if release and has_news else None,
            plan=plan,
            conversation=release and has_news,
            incidents=tuple(self._incidents),
        )
        self._seen = await self._chats.commit(self._seen, change)
        self._entries, self._read, self._incidents = [], [], []

    async def while_kept(self, work: Awaitable[T]) -> T:
        """The result of some long work; the lease is extended until it is there."""
        task = asyncio.ensure_future(work)
        try:
            while not (await asyncio.wait({task}, timeout=self._terms.lease.total_seconds() / 2))[0]:
                await self.commit()
            return task.result()
        finally:
            task.cancel()


def newest(entries: Sequence[AnyEntry], most: int) -> tuple[AnyEntry, ...]:
    """The last entries that fit into one document."""
    kept: list[AnyEntry] = []
    size = 0
    for entry in reversed(entries[-most:]):
        size += len(entry.model_dump_json().encode(errors="replace"))
        if size > WINDOW_BYTES and kept:
            break
        kept.append(entry)
    return tuple(reversed(kept))
