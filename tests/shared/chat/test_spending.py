"""A session's writes that concern its chat's budget, and the records of ended budget leases."""

from datetime import timedelta

from shared.chat.spending import close_chat_budget, lease_extension, usage_records, with_spent
from shared.chat.store.usage import SpentBudgetLease
from shared.chat.terms import SessionTerms
from shared.values.budget import BudgetLease, ChatBudget
from shared.values.chat import Chat
from shared.values.evolve import evolve
from shared.values.money import ZERO
from tests.shared.examples import KEY, NOW, SECOND
from tests.shared.spending.values import DAY, SOON, cents

FREE = BudgetLease(id="free", day=DAY, until=NOW)
LENT = BudgetLease(id="lent", day=DAY, until=SOON, lent=cents(9), reserved=cents(1))
TERMS = SessionTerms(owner="t", lease=SECOND, window_entries=9, clock=lambda: NOW, rest=timedelta(minutes=10))


def test_an_extension_writes_only_the_budget_of_the_changes() -> None:
    stored, now = Chat(key=KEY, title="old"), Chat(key=KEY, title="new", budget=ChatBudget(open=(LENT,)))
    change = lease_extension(stored, now, TERMS, (FREE,))
    assert (change.chat.title, change.chat.budget) == ("old", now.budget)
    assert change.chat.claim.lease == TERMS.lease_now()
    assert change.records == usage_records(now, (FREE,), NOW)


def test_records_leases_that_ended_and_are_in_no_account() -> None:
    chat, (record,) = close_chat_budget(Chat(key=KEY, budget=ChatBudget(open=(FREE, LENT))), NOW)
    assert isinstance(record, SpentBudgetLease)
    assert (record.usage.id, record.usage.chat) == ("free", KEY.id)
    assert [one.id for one in chat.budget.open] == ["lent"]


def test_a_chat_that_is_let_go_keeps_what_was_spent() -> None:
    now = Chat(key=KEY, title="noted", budget=ChatBudget(open=(evolve(LENT, used=cents(2)),)))
    found = with_spent(Chat(key=KEY, budget=ChatBudget(open=(LENT,))), now)
    assert (found.title, found.budget.open[0].used, found.budget.open[0].reserved) == ("", cents(2), ZERO)
