"""What a session writes of its chat's purse."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from shared.chat.store import layout, paths
from shared.chat.store.chats import Change, ChatSnapshot
from shared.chat.store.writes import Commit, Mode, Record, Write
from shared.chat.terms import SessionTerms
from shared.values.chat import Chat
from shared.values.evolve import evolve
from shared.values.purse import Allowance, Usage, claimed, released, unreserved, usage_of

#: so long it can be asked what was spent
KEPT_USAGE: Final = timedelta(days=400)


@dataclass(frozen=True)
class SpentAllowance(Record):
    """What an allowance was used for that is over."""

    usage: Usage

    def writes(self, _: Commit) -> Iterator[Write]:
        """Keep it for good; the chat knows it no more."""
        yield Write(path=paths.usage_path(self.usage.id), document=encode_usage(self.usage), mode=Mode.SET)


def encode_usage(usage: Usage) -> layout.Document:
    """What was used, with its TTL."""
    return usage.model_dump() | {layout.EXPIRES: usage.at + KEPT_USAGE}


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
