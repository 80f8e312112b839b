"""Removing buttons delays nothing, and a failure is not reported."""

from shared.tasks.registry import kinds, unlockable
from shared.tasks.unbutton import RemoveButtons


def test_it_is_lulls_own_and_holds_nothing_up() -> None:
    assert kinds()["unbutton"] is RemoveButtons
    assert "unbutton" not in unlockable()
    lost = RemoveButtons.traits.on_failure
    assert (lost.is_incident, lost.is_told, lost.is_alone) == (False, False, True)
    assert not RemoveButtons.traits.keeps_order


def test_it_is_told_by_its_message() -> None:
    assert RemoveButtons(id="1", message_id=7).summary() == "below message 7"
