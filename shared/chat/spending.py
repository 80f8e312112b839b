"""What a session writes of its chat's purse."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from shared.chat.store.chats import Change, ChatSnapshot
from shared.chat.store.usage import SpentAllowance
from shared.chat.store.writes import Record
from shared.chat.terms import SessionTerms
from shared.values.chat import Chat
from shared.values.evolve import evolve
from shared.values.purse import Allowance, claimed, released, unreserved, usage_of


def charged(seen: ChatSnapshot, now: datetime) -> ChatSnapshot:
    """The chat as it is claimed for work that no tick does: what a dead tick had reserved is charged."""
    purse = claimed(seen.chat.purse, now, is_private=False)  # nothing is answered, and so nothing reserved
    return replace(seen, chat=evolve(seen.chat, purse=purse))


def told_of(chat: Chat, allowances: Iterable[Allowance], at: datetime) -> tuple[Record, ...]:
    """Records of allowances that are over, and stand in the purse no more."""
    return tuple(SpentAllowance(usage_of(one, chat.key.agent, chat.key.id, at)) for one in allowances)


def with_closed_purse(chat: Chat, at: datetime) -> tuple[Chat, tuple[Record, ...]]:
    """The chat as it is given back: what was reserved and not spent is free again; and records of what is over."""
    purse, over = released(chat.purse, at)
    return evolve(chat, purse=purse), told_of(chat, over, at)


def extension(stored: Chat, now: Chat, terms: SessionTerms, told: Iterable[Allowance]) -> Change:
    """The chat as it is stored, with another lease and its purse as it is now, in which `told` stands no more."""
    chat = evolve(stored, claim=evolve(stored.claim, lease=terms.lease_now()), purse=now.purse)
    return Change(chat=chat, records=told_of(now, told, terms.clock()))


def with_spent(chat: Chat, now: Chat) -> Chat:
    """The chat as it was claimed, with what was spent since."""
    return evolve(chat, purse=unreserved(now.purse))
