"""What of a purse a session writes, and which records tell of what is over."""

from datetime import timedelta

from shared.chat.spending import extension, told_of, with_closed_purse, with_spent
from shared.chat.store.usage import SpentAllowance
from shared.chat.terms import SessionTerms
from shared.values.chat import Chat
from shared.values.evolve import evolve
from shared.values.money import NOTHING
from shared.values.purse import Allowance, Purse
from tests.shared.examples import KEY, NOW, SECOND
from tests.shared.spending.values import DAY, SOON, cents

FREE = Allowance(id="free", day=DAY, until=NOW)
LENT = Allowance(id="lent", day=DAY, until=SOON, lent=cents(9), reserved=cents(1))
TERMS = SessionTerms(owner="t", lease=SECOND, window_entries=9, clock=lambda: NOW, rest=timedelta(minutes=10))


def test_an_extension_writes_the_purse_and_nothing_else_that_is_new() -> None:
    stored, now = Chat(key=KEY, title="old"), Chat(key=KEY, title="new", purse=Purse(open=(LENT,)))
    change = extension(stored, now, TERMS, (FREE,))
    assert (change.chat.title, change.chat.purse) == ("old", now.purse)
    assert change.chat.claim.lease == TERMS.lease_now()
    assert change.records == told_of(now, (FREE,), NOW)


def test_what_is_over_and_in_no_account_is_told_of() -> None:
    chat, (record,) = with_closed_purse(Chat(key=KEY, purse=Purse(open=(FREE, LENT))), NOW)
    assert isinstance(record, SpentAllowance)
    assert (record.usage.id, record.usage.chat) == ("free", KEY.id)
    assert [one.id for one in chat.purse.open] == ["lent"]


def test_a_chat_that_is_let_go_keeps_what_was_spent() -> None:
    now = Chat(key=KEY, title="noted", purse=Purse(open=(evolve(LENT, used=cents(2)),)))
    found = with_spent(Chat(key=KEY, purse=Purse(open=(LENT,))), now)
    assert (found.title, found.purse.open[0].used, found.purse.open[0].reserved) == ("", cents(2), NOTHING)
