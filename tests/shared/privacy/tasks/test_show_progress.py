"""If the progress cannot be shown, nothing is delayed and nothing is reported."""

from shared.privacy.tasks.show_progress import ShowProgress
from shared.tasks.registry import kinds, unlockable


def test_it_is_lulls_own_and_holds_nothing_up() -> None:
    assert kinds()["show_progress"] is ShowProgress
    assert "show_progress" not in unlockable()
    lost = ShowProgress.traits.on_failure
    assert (lost.is_incident, lost.is_told, lost.is_tried_again, lost.is_alone) == (False, False, False, True)
    assert not ShowProgress.traits.keeps_order


def test_it_is_told_by_its_message() -> None:
    assert ShowProgress(id="1", message_id=7, text="half of it").summary() == "in message 7"
