"""The budgets of tries in docs/architecture.md are those of the code."""

from infra.bundle import ROOT
from shared.turn.quarantine import QUARANTINE_AFTER
from shared.values.retry import RetryBudgets

PAGE = (ROOT / "docs" / "architecture.md").read_text()


def tries_of(what: str) -> str:
    """Return the second cell of the row with this beginning."""
    (row,) = (line for line in PAGE.splitlines() if line.startswith(f"| {what}"))
    return row.strip("|").split("|")[1].strip()


def test_each_budget_is_told_with_its_tries() -> None:
    usual = RetryBudgets()
    assert tries_of("a call of the model |").startswith(f"{usual.model.tries} ticks")
    assert tries_of("a reply that cannot be used") == str(usual.reply.tries)
    assert tries_of("a round of tools") == str(usual.tools.tries)
    assert tries_of("a task: no connection").startswith(str(usual.task.tries))
    assert tries_of("a tick that dies") == str(QUARANTINE_AFTER)
