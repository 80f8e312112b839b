"""Keyboards: what a button carries, who may press it, and for how long."""

from datetime import timedelta

import pytest

from shared.models.keyboard import KEPT, MOST_CHOICES, Keyboard
from tests.shared.values import ANN, BOB, NOW

BOARD = Keyboard(id="x" * 16, choices=("Tea", "Coffee"), people=(ANN.id,), message_id=7, at=NOW)


def test_a_button_carries_what_names_its_choice_in_64_bytes() -> None:
    full = BOARD.model_copy(update={"choices": tuple(str(n) for n in range(MOST_CHOICES))})
    assert [full.chosen(button.data, 7) for button in full.buttons] == list(full.choices)
    assert max(len(button.data.encode()) for button in full.buttons) <= 64


@pytest.mark.parametrize(
    "data",
    ["", "choice:", f"choice:{'y' * 16}:0", f"choice:{'x' * 16}:2", f"choice:{'x' * 16}:-1", f"choice:{'x' * 16}:٠"],
)
def test_other_data_chooses_nothing(data: str) -> None:
    assert BOARD.chosen(data, 7) == ""


def test_below_another_message_it_is_none_unless_its_own_is_not_known() -> None:
    data = BOARD.buttons[0].data
    assert BOARD.chosen(data, 8) == ""
    assert BOARD.model_copy(update={"message_id": 0}).chosen(data, 8) == "Tea"


def test_it_is_for_those_whom_it_names_or_for_everyone() -> None:
    assert (BOARD.is_for(ANN.id), BOARD.is_for(BOB.id)) == (True, False)
    assert BOARD.model_copy(update={"people": ()}).is_for(BOB.id)


def test_an_effect_is_for_nobody_else_ever() -> None:
    asked = BOARD.model_copy(update={"effect": {"kind": "keep-zone", "zone": "Asia/Tokyo"}})
    assert (asked.is_for(ANN.id), asked.is_for(BOB.id)) == (True, False)
    assert not asked.model_copy(update={"people": ()}).is_for(ANN.id)


def test_it_is_old_after_a_day() -> None:
    assert not BOARD.is_old(NOW + KEPT - timedelta(seconds=1))
    assert BOARD.is_old(NOW + KEPT)
