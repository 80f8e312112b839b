"""What a session writes of its chat's purse."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from shared.chat.store.chats import ChatCommit, ChatSnapshot
from shared.chat.store.usage import SpentBudgetLease
from shared.chat.store.writes import Record
from shared.chat.terms import SessionTerms
from shared.values.budget import BudgetLease, claim_budget, release_budget, usage_record, without_reservations
from shared.values.chat import Chat
from shared.values.evolve import evolve


def charge_reserved(seen: ChatSnapshot, now: datetime) -> ChatSnapshot:
    """The chat as it is claimed for work that no tick does: what a dead tick had reserved is charged."""
    budget = claim_budget(seen.chat.budget, now, is_private=False)  # nothing is answered, and so nothing reserved
    return replace(seen, chat=evolve(seen.chat, budget=budget))


def usage_records(chat: Chat, budget_leases: Iterable[BudgetLease], at: datetime) -> tuple[Record, ...]:
    """Records of allowances that are over, and stand in the purse no more."""
    return tuple(SpentBudgetLease(usage_record(one, chat.key.agent, chat.key.id, at)) for one in budget_leases)


def close_chat_budget(chat: Chat, at: datetime) -> tuple[Chat, tuple[Record, ...]]:
    """The chat as it is given back: what was reserved and not spent is free again; and records of what is over."""
    budget, over = release_budget(chat.budget, at)
    return evolve(chat, budget=budget), usage_records(chat, over, at)


def lease_extension(stored: Chat, now: Chat, terms: SessionTerms, told: Iterable[BudgetLease]) -> ChatCommit:
    """The chat as it is stored, with another lease and its purse as it is now, in which `told` stands no more."""
    chat = evolve(stored, claim=evolve(stored.claim, lease=terms.lease_now()), budget=now.budget)
    return ChatCommit(chat=chat, records=usage_records(now, told, terms.clock()))


def with_spent(chat: Chat, now: Chat) -> Chat:
    """The chat as it was claimed, with what was spent since."""
    return evolve(chat, budget=without_reservations(now.budget))
