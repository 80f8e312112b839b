"""docs/security.md lists exactly the rights of a deployment."""

from infra.bundle import ROOT
from shared.chat.store.layout import KEPT_INCIDENTS, KEPT_UPDATES
from shared.chat.store.plans import KEPT_PLANS
from tests.infra.policy import GRANTS, PERMISSIONS

PAGE = (ROOT / "docs" / "security.md").read_text()


def rows(head: str) -> list[list[str]]:
    """Return the cells of the table with this first line, without its head."""
    table = PAGE.partition(f"\n{head}\n")[2].partition("\n\n")[0]
    found = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[1:]]
    assert found, head
    return found


def test_every_right_is_named_and_no_other() -> None:
    named = [f"{who}: {right}" for who, right, _ in rows("| account | right | what for |")]
    assert sorted(named) == sorted(GRANTS)


def test_every_right_is_given_for_something() -> None:
    assert all(reason for _, _, reason in rows("| account | right | what for |"))


def test_the_roles_are_what_they_are() -> None:
    named = {role: set(permissions.split(", ")) for role, permissions in rows("| role | permissions |")}
    assert named == PERMISSIONS


def test_how_long_things_are_kept_is_how_long_they_are_kept() -> None:
    kept = {what: how_long for what, _, how_long in rows("| what | where | how long |")}
    assert kept["updates as Telegram sent them"].startswith(f"{KEPT_UPDATES.days} days")
    assert kept["plans of the past, incidents"] == f"{KEPT_PLANS.days} days"
    assert KEPT_PLANS == KEPT_INCIDENTS
