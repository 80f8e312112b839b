"""The ports of forgetting: where erasures are kept, and what of a person, a group or a conversation is erased where."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
    from datetime import datetime

    from shared.models.chat_key import ChatKey
    from shared.models.erasure import Erasure
    from shared.models.memory import Memory, MemoryOwner
    from shared.models.message import AnyEntry
    from shared.models.reminder import Reminder
    from shared.models.transcript import Telling


class Erasures(Protocol):
    """Where people's wish to be forgotten is left. Raises StoreUnavailable, StoreRefused or a QueueError."""

    async def ask(self, erasure: Erasure) -> None:
        """Keep an erasure, once, and have it begun."""

    async def is_asked(self, erasure_id: str) -> bool:
        """Whether an erasure of this id is kept."""

    async def asked_last(self, person: int) -> datetime | None:
        """When a person last asked to be forgotten; none: never, or not in this deployment's memory."""


@dataclass(frozen=True, kw_only=True)
class ErasureSnapshot:
    """An erasure as it was read: with the version that a write of it must still find."""

    erasure: Erasure
    version: object


class ErasureLog(Protocol):
    """What carrying erasures out reads and writes of them. Raises StoreUnavailable or StoreRefused."""

    async def read(self, erasure_id: str) -> ErasureSnapshot | None:
        """One erasure; none if there is no such."""

    async def save(self, seen: ErasureSnapshot, erasure: Erasure) -> ErasureSnapshot:
        """Write how far it has come. Raises Contended if another run did."""

    async def keep(self, erasure: Erasure) -> None:
        """Keep an erasure, unless one of its id is kept."""

    def all(self) -> AsyncIterator[Erasure]:
        """Every erasure that there ever was."""


#: pages hold 300 kB at most, and a commit 10 MiB (firebase.google.com/docs/firestore/quotas)
MOST_PAGES: Final = 30


@dataclass(frozen=True, kw_only=True)
class StoredPage:
    """Some entries of a transcript as they are stored; the last is none where no entry can be read."""

    path: str
    version: object
    entries: tuple[AnyEntry | None, ...]
    #: the number of its first entry
    first: int = 0


@dataclass(frozen=True, kw_only=True)
class Outline:
    """What a conversation's document says of where it belongs."""

    conversation: str
    chat: str
    title: str
    is_named_by_hand: bool
    entries: int
    #: what its group is called
    chat_title: str = ""
    #: the ids of those who are named in it
    people: frozenset[int] = frozenset()
    #: what a model wrote of it to find it by: its abbreviation and its topics
    notes: tuple[str, ...] = ()
    #: what those are called who took part, by id
    names: Mapping[int, str] = field(default_factory=dict)


class Finding(Protocol):
    """Where something of somebody is. Everything raises StoreUnavailable or StoreRefused."""

    async def chats_of(self, chat_id: int, agent: str = "") -> Sequence[ChatKey]:
        """The chats under one of Telegram's chat ids, with all topics; of all agents, or of one."""

    async def groups_of(self, person: int) -> Sequence[ChatKey]:
        """The groups in which a person was seen, by all ids that each has had, and their topics of direct messages."""

    async def owners(self) -> Sequence[ChatKey]:
        """The private chats of the owners of all agents."""

    async def conversations_in(self, chats: Sequence[str]) -> Sequence[Outline]:
        """The conversations of the chats with these ids."""

    async def conversations_with(self, person: int) -> Sequence[Outline]:
        """The conversations that tell of a person, a group, or who has the name of this number."""

    async def outline(self, conversation: str) -> Outline | None:
        """One conversation; none if there is no such."""

    def pages(self, conversation: str, after: int = 0, before: int = 0) -> AsyncIterator[StoredPage]:
        """A conversation's transcript, oldest first; what lies between the pages of these numbers, 0 being no bound."""

    def pages_back(self, conversation: str, before: int = 0) -> AsyncIterator[StoredPage]:
        """The same, newest first."""


class ForgottenUpdates(Protocol):
    """Which raw updates tell of somebody, and what is left of them."""

    def is_in_update(self, raw: object) -> bool:
        """Whether a raw update tells of them."""

    def update_without(self, raw: Mapping[str, Any]) -> str | None:
        """An update of somebody else that nobody has read yet, without them, as JSON; none: all of it is theirs."""


class Erasing(Protocol):
    """What erases. Each returns what it erased, by kind; all may be repeated. Raises a StoreError."""

    async def conversation(self, conversation: str) -> Counter[str]:
        """Delete a conversation with all that is below it."""

    async def rewrite(self, pages: Sequence[tuple[StoredPage, Sequence[AnyEntry]]]) -> None:
        """Write some pages of a transcript anew, MOST_PAGES at most: all, or none.

        Raises Contended if one changed since it was read.
        """

    async def made_of(self, conversation: str) -> int:
        """Delete what models are shown of a conversation, which is made again: segments, statements, notes, summary."""

    async def retitle(self, outline: Outline) -> None:
        """Have a conversation's document tell the titles of the outline, of its chat, too."""

    async def conversation_without(self, outline: Outline, telling: Telling) -> None:
        """Have a conversation's document tell of what is left alone, with the titles of the outline."""

    async def below_chat(self, key: ChatKey, cut: datetime) -> Counter[str]:
        """Delete what is kept below and beside a chat's document, but for updates that came after the cut."""

    async def inbox_without(self, key: ChatKey, cut: datetime, who: ForgottenUpdates) -> int:
        """Empty the updates of a group that tell of a person; those that nobody has read yet lose their words alone."""

    async def inbox_of_owner(self, key: ChatKey, person: int, settled: datetime) -> int:
        """Empty the updates of an owner's chat that were read before it settled and repeat what tells of somebody."""

    async def inbox_before(self, key: ChatKey, cut: datetime, settled: datetime) -> int:
        """Empty the updates of a chat that came before the cut, and those that were read and came before it settled."""

    async def window_of_others(self, key: ChatKey, conversation: str = "") -> int:
        """Delete a chat's window, unless it is of this conversation."""

    async def plans_without(self, key: ChatKey, rest: Callable[[dict[str, Any]], dict[str, Any] | None]) -> int:
        """Have a chat's plan, as it is stored, be what `rest` leaves of it, and delete it where that is nothing.

        Of plans that others replaced nothing is left, unless `rest` returns the same document.
        """

    async def summaries(self, chats: Sequence[str], cut: datetime) -> int:
        """Delete the summaries of chats that were made before the cut; they are made again."""

    async def memories_without(
        self, owner: MemoryOwner, is_gone: Callable[[Memory], bool], rest: Callable[[Memory], Memory] = ...
    ) -> int:
        """Delete those memories of an owner of which it is true, and have the others say that; how many are gone."""

    async def remembering(self, owners: Sequence[MemoryOwner]) -> Sequence[MemoryOwner]:
        """Those owners of whom something is remembered."""

    async def reminders_without(self, chats: Sequence[str], rest: Callable[[Reminder], Reminder]) -> int:
        """Have the reminders of the chats with these ids, over or not, say what is left of them; how many changed.

        `rest` returns the same reminder where nothing goes.
        """

    async def named_after(self, person: int, cut: datetime) -> Counter[str]:
        """Delete the documents that have a person's id for their name, and what is below them."""

    async def documents_of(self, person: int, cut: datetime) -> Counter[str]:
        """Delete or strip every document that has a person's id in a field, as `shared/erasing/covers.py` says."""

    async def documents_in(self, keys: Sequence[ChatKey], cut: datetime) -> Counter[str]:
        """Delete what other collections have of a group, in all its chats, of one agent: at least one.

        That is reminders, who was seen in it, that it asks to be let in.
        """

    async def of_conversation(self, key: ChatKey, outline: Outline, updates: Collection[int]) -> Counter[str]:
        """Delete memories, reminders, incidents (also those that name none) and updates' words of a conversation."""

    async def talk_of(self, key: ChatKey) -> int:
        """Delete what is kept beside a chat of the conversation that it leaves: its window and its plans."""

    async def lookups(self, cut: datetime) -> int:
        """Delete what services said before the cut: nobody knows to whom, and they are asked again."""

    async def incidents(self, chats: Collection[str], person: int, cut: datetime) -> int:
        """Delete the incidents of chats, and those whose bodies have a person's id, from before the cut."""

    async def incidents_without(self, key: ChatKey, is_gone: Callable[[str], bool], cut: datetime) -> int:
        """Delete those incidents of a chat of whose bodies it is true, from before the cut; how many."""

    async def bots(self, person: int, chat_ids: Collection[int], cut: datetime) -> int:
        """Delete what bots' documents told of a person and of chats before the cut."""


@dataclass(frozen=True, kw_only=True)
class Sending:
    """That somebody sent a file: who (0: nobody), in which chat and conversation, and when they did last."""

    person: int
    chat: str
    conversation: str
    at: datetime
    #: whose it was, if it was only passed on
    passed_on_from: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Senders:
    """Whose sendings of files go: a person's (0: nobody's), and all in some chats, or in one conversation there.

    What was sent after the cut, in a conversation that does not go, is new and stays.
    """

    person: int = 0
    #: the numbers of their whole names: who hides their account is known by no other
    names: frozenset[int] = frozenset()
    #: ids of the chats' documents
    chats: frozenset[str] = frozenset()
    #: empty: in all
    conversation: str = ""
    #: none: whenever it was
    cut: datetime | None = None
    #: conversations that go with all that is in them
    gone: frozenset[str] = frozenset()

    @property
    def ids(self) -> frozenset[int]:
        """Their id and the numbers of their names, as what is passed on tells whose it was."""
        return self.names | ({self.person} if self.person else frozenset())

    def sent(self, sending: Sending) -> bool:
        """Whether a sending is theirs, and goes."""
        is_there = sending.chat in self.chats and self.conversation in {"", sending.conversation}
        is_theirs = is_there or (self.person != 0 and sending.person == self.person)
        is_theirs = is_theirs or (bool(sending.passed_on_from) and self.ids.issuperset(sending.passed_on_from))
        return is_theirs and (self.cut is None or sending.at <= self.cut or sending.conversation in self.gone)


class MediaErasing(Protocol):
    """Files that only somebody sent, or that were only sent somewhere."""

    async def files_of(self, whose: Senders) -> tuple[Sequence[str], Sequence[str]]:
        """The unique ids of files that nobody else sent; and the names of their parts in the bucket.

        Raises StoreUnavailable or StoreRefused.
        """

    async def erase(self, whose: Senders, files: Sequence[str], parts: Sequence[str]) -> Counter[str]:
        """Delete references, what is kept of the files, and the parts; a file that was sent again meanwhile stays.

        Raises a StoreError or BlobsUnavailable.
        """


class Receipts(Protocol):
    """What tells that something was erased. Raises a StoreError or a QueueError."""

    async def tell(self, receipt: Reminder) -> None:
        """Have a chat told, by its own tick. It may be repeated."""


class ErasableArchive(Protocol):
    """An archive from which a file goes with every version of it. Raises ArchiveUnavailable."""

    @property
    def url(self) -> str:
        """What names it."""

    async def put(self, name: str, content: bytes) -> None:
        """Store a file."""

    async def erase(self, name: str) -> int:
        """Delete every version of a file; how many there were."""
