"""Keyboards: the data of buttons, the people who may press them, and their time limit."""

from datetime import timedelta

import pytest

from shared.values.evolve import evolve
from shared.values.keyboard import (
    KEPT,
    MOST_CHOICES,
    MOST_EFFECTS,
    MOST_KEYBOARD_BYTES,
    MOST_KEYBOARDS,
    Keyboard,
    newest_that_fit,
)
from tests.shared.examples import ANN, BOB, NOW

BOARD = Keyboard(id="x" * 16, choices=("Tea", "Coffee"), people=(ANN.id,), message_id=7, at=NOW)


def test_a_button_carries_what_names_its_choice_in_64_bytes() -> None:
    full = evolve(BOARD, choices=tuple(str(n) for n in range(MOST_CHOICES)))
    assert [full.place_of(button.data, 7) for button in full.buttons] == list(range(MOST_CHOICES))
    assert max(len(button.data.encode()) for button in full.buttons) <= 64


@pytest.mark.parametrize(
    "data",
    ["", "choice:", f"choice:{'y' * 16}:0", f"choice:{'x' * 16}:2", f"choice:{'x' * 16}:-1", f"choice:{'x' * 16}:٠"],
)
def test_other_data_chooses_nothing(data: str) -> None:
    assert BOARD.place_of(data, 7) is None


def test_below_another_message_it_is_none_unless_its_own_is_not_known() -> None:
    data = BOARD.buttons[0].data
    assert BOARD.place_of(data, 8) is None
    assert evolve(BOARD, message_id=0).place_of(data, 8) == 0


def test_it_is_for_those_whom_it_names_or_for_everyone() -> None:
    assert (BOARD.is_for(ANN.id), BOARD.is_for(BOB.id)) == (True, False)
    assert evolve(BOARD, people=()).is_for(BOB.id)


def test_an_effect_is_for_nobody_else_ever() -> None:
    asked = evolve(BOARD, effects=({"kind": "keep-zone", "zone": "Asia/Tokyo"},) * 2)
    assert (asked.is_for(ANN.id), asked.is_for(BOB.id)) == (True, False)
    assert not evolve(asked, people=()).is_for(ANN.id)


def test_of_effects_each_button_is_good_for_one_press_and_the_others_stay() -> None:
    asked = evolve(BOARD, effects=({"kind": "shutdown"}, {"kind": "clear-conversation"}))
    first, second = asked.buttons
    left = asked.without((0,))
    assert (left.buttons, left.place_of(first.data, 7), left.place_of(second.data, 7)) == ((second,), None, 1)
    assert (left.is_used_up, left.without((1,)).is_used_up, BOARD.is_used_up) == (False, True, True)


def test_it_is_old_after_a_day() -> None:
    assert not BOARD.is_old(NOW + KEPT - timedelta(seconds=1))
    assert BOARD.is_old(NOW + KEPT)


def test_a_button_behind_the_effects_lifts_marks_and_goes_with_the_last_of_them() -> None:
    asked = evolve(BOARD, choices=("a", "b"), effects=({"kind": "shutdown"},), pressed=())
    assert (asked.lifts(0), asked.lifts(1), BOARD.lifts(1)) == (False, True, False)
    assert (asked.without((1,)).is_used_up, asked.without((0,)).is_used_up) == (False, True)


def test_a_chat_keeps_the_newest_that_fit_into_its_document() -> None:
    small = [Keyboard(id=f"{n:016}", choices=("yes",), at=NOW) for n in range(MOST_KEYBOARDS + 5)]
    assert newest_that_fit(small) == tuple(small[5:])
    large = [evolve(one, effects=({"text": "中" * 1_500},) * MOST_EFFECTS) for one in small]
    kept = newest_that_fit(large)
    assert 1 < len(kept) < MOST_KEYBOARDS
    assert kept == tuple(large[-len(kept) :])
    assert sum(len(one.model_dump_json().encode()) for one in kept) <= MOST_KEYBOARD_BYTES
    alone = evolve(large[0], choices=("x" * MOST_KEYBOARD_BYTES,))
    assert newest_that_fit([*small, alone]) == (alone,)
    assert newest_that_fit([]) == ()
