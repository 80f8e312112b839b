"""A session's writes of its chat's budget."""

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
    """Return the chat as it is claimed outside of ticks. The reservations of a killed tick are charged."""
    budget = claim_budget(seen.chat.budget, now, is_private=False)  # nothing is answered, so nothing is reserved
    return replace(seen, chat=evolve(seen.chat, budget=budget))


def usage_records(chat: Chat, budget_leases: Iterable[BudgetLease], at: datetime) -> tuple[Record, ...]:
    """Return records of budget leases that ended."""
    return tuple(SpentBudgetLease(usage_record(one, chat.key.agent, chat.key.id, at)) for one in budget_leases)


def close_chat_budget(chat: Chat, at: datetime) -> tuple[Chat, tuple[Record, ...]]:
    """Return the chat with unspent reservations released, and records of the leases that ended."""
    budget, over = release_budget(chat.budget, at)
    return evolve(chat, budget=budget), usage_records(chat, over, at)


def lease_extension(stored: Chat, now: Chat, terms: SessionTerms, told: Iterable[BudgetLease]) -> ChatCommit:
    """Return a commit with the chat as stored, a new lease and the current budget without the leases in `told`."""
    chat = evolve(stored, claim=evolve(stored.claim, lease=terms.lease_now()), budget=now.budget)
    return ChatCommit(chat=chat, records=usage_records(now, told, terms.clock()))


def with_spent(chat: Chat, now: Chat) -> Chat:
    """Return the chat as it was claimed, with what was spent since."""
    return evolve(chat, budget=without_reservations(now.budget))
