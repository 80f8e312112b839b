"""What an allowance was used for is written once, whoever writes it again."""

from shared.chat.store.usage import SpentBudgetLease
from shared.chat.store.writes import CommitContext, WriteMode
from shared.values.budget import UsageRecord
from shared.values.chat import Chat
from tests.shared.examples import KEY, NOW


def test_it_is_named_after_its_allowance() -> None:
    usage = UsageRecord(id="a", day="2026-11-25", month="2026-11", at=NOW)
    (write,) = SpentBudgetLease(usage).writes(CommitContext(chat=Chat(key=KEY), at=NOW))
    assert (write.path, write.mode) == ("usage/a", WriteMode.SET)
