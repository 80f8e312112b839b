"""Showing how far something is holds nothing up, and nobody is told when it fails."""

from shared.privacy.tasks.show_progress import ShowProgress
from shared.tasks.registry import kinds, unlockable


def test_it_is_lulls_own_and_holds_nothing_up() -> None:
    assert kinds()["show_progress"] is ShowProgress
    assert "show_progress" not in unlockable()
    traits = ShowProgress.traits
    assert (traits.is_incident, traits.is_loss_told, traits.is_tried_again, traits.keeps_order) == (False,) * 4
    assert traits.fails_alone


def test_it_is_told_by_its_message() -> None:
    assert ShowProgress(id="1", message_id=7, text="half of it").summary() == "in message 7"
