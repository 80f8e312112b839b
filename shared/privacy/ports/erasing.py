"""Values of forgetting: an erasure as it was read, pages of a transcript, and whose files go."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from shared.values.erasure import Erasure
    from shared.values.message import AnyEntry


@dataclass(frozen=True, kw_only=True)
class ErasureSnapshot:
    """An erasure as it was read: with the version that a write of it must still find."""

    erasure: Erasure
    version: object


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
