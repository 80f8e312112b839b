"""The usage of a lease is stored once, even if it is written repeatedly."""

from shared.chat.store.usage import SpentBudgetLease
from shared.chat.store.writes import CommitContext, WriteMode
from shared.values.budget import UsageRecord
from shared.values.chat import Chat
from tests.shared.examples import KEY, NOW


def test_its_id_is_that_of_its_lease() -> None:
    usage = UsageRecord(id="a", day="2026-11-25", month="2026-11", at=NOW)
    (write,) = SpentBudgetLease(usage).writes(CommitContext(chat=Chat(key=KEY), at=NOW))
    assert (write.path, write.mode) == ("usage/a", WriteMode.SET)
