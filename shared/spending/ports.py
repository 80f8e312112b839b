"""Values of lending money: what is wanted, and what is granted; and who tells owners of limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from shared.values.account import Crossed, Span

if TYPE_CHECKING:
    from shared.values.money import Amount, Limits
    from shared.values.purse import Part
    from shared.values.reminder import Reminder


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """An allowance that is wanted: at least so much, at most so much, for whom, where, and until when."""

    id: str
    #: empty: no agent's
    agent: str
    least: Amount
    most: Amount
    #: the moment by which days are told, and by scope the day that it is there
    now: datetime
    until: datetime
    days: Mapping[str, str]
    #: by scope
    limits: Mapping[str, Limits]
    #: 0: nobody's
    person: int = 0
    #: the id of the chat's document; empty: a job's
    chat: str = ""
    #: the ids that the chat had before: what they were lent counts as its own
    chats: tuple[str, ...] = ()
    generation: int = 0
    #: the allowances that the chat's document has
    recorded: frozenset[str] = frozenset()
    #: above this share of a limit the cheaper model answers
    soft: float = 0.8
    #: whether somebody is not answered without it: a limit that does not allow that is reached, for its owner
    is_answer: bool = False
    #: of what many share, the share that is not lent to whoever wants this: it is the owner's alone
    held_back: float = 0.0
    #: of a job's: what each person pays of it whose own limits hold; all of them are lent it, or nobody
    parts: Mapping[int, Part] = field(default_factory=dict)
    #: the chat's id on the channel, where a limit of its place holds
    place: int = 0


@dataclass(frozen=True, kw_only=True)
class Granted:
    """What was lent."""

    amount: Amount
    shard: int = 0
    #: whether little is left for others
    is_tight: bool = False
    #: the scopes of which more is spent than the soft share
    soft: frozenset[str] = frozenset()
    #: what owners are told now, which is kept: its ticks are still to be woken, or the sweep does it
    told: Sequence[Reminder] = ()


@dataclass(frozen=True)
class Holding:
    """What another chat was lent of a limit: it gives that back once it is woken."""

    chat: str
    allowance: str


@dataclass(frozen=True, kw_only=True)
class NotGranted:
    """That nothing was lent: a limit is reached, or what is left of it is lent to others for now."""

    scope: str
    span: Span
    #: whether others have what is left, and may give it back
    is_lent: bool = False
    #: of these the ones with most of it
    holders: Sequence[Holding] = ()
    #: whose own limit it is, of several who were to pay
    people: frozenset[int] = frozenset()
    #: as of what is granted
    told: Sequence[Reminder] = ()


class OwnerWords(Protocol):
    """What owners are told of limits. Raises StoreUnavailable or StoreRefused."""

    async def about(self, crossed: Crossed, label: str, now: datetime) -> Sequence[Reminder]:
        """The words to each owner whom it concerns; `label` is the day or the month. Two of one id are one."""
