"""A session's writes that concern the budget of its chat."""

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
    """Return the chat for a claim outside of ticks. Reservations that a killed tick left are charged."""
    budget = claim_budget(seen.chat.budget, now, is_private=False)  # no message is answered, so nothing is reserved
    return replace(seen, chat=evolve(seen.chat, budget=budget))


def usage_records(chat: Chat, budget_leases: Iterable[BudgetLease], at: datetime) -> tuple[Record, ...]:
    """Return the records that store the usage of ended budget leases."""
    return tuple(SpentBudgetLease(usage_record(one, chat.key.agent, chat.key.id, at)) for one in budget_leases)


def close_chat_budget(chat: Chat, at: datetime) -> tuple[Chat, tuple[Record, ...]]:
    """Return the chat with unused reservations released, and the records of the budget leases that ended."""
    budget, over = release_budget(chat.budget, at)
    return evolve(chat, budget=budget), usage_records(chat, over, at)


def lease_extension(stored: Chat, now: Chat, terms: SessionTerms, told: Iterable[BudgetLease]) -> ChatCommit:
    """Return a commit with the stored chat, a new lease and the current budget, and with records of the budget leases
    in `told`, which have ended.
    """
    chat = evolve(stored, claim=evolve(stored.claim, lease=terms.lease_now()), budget=now.budget)
    return ChatCommit(chat=chat, records=usage_records(now, told, terms.clock()))


def with_spent(chat: Chat, now: Chat) -> Chat:
    """Return `chat` with the budget of its later state `now`, but without the reservations in this budget."""
    return evolve(chat, budget=without_reservations(now.budget))
