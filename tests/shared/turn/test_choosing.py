"""Presses that make a choice, and their texts."""

from datetime import timedelta
from typing import Any

import pytest

from shared.deciding.circumstances import OwnIdentity
from shared.turn.choosing import choices_in, is_for_others
from shared.values.evolve import evolve
from shared.values.keyboard import KEPT, Keyboard
from shared.values.message import Author, ButtonPress, QuotedMessage
from tests.shared.examples import ANN, BOB, ME, NOW, said

BOARD = Keyboard(id="x" * 16, choices=("Tea", "Coffee"), message_id=7, thread=3, at=NOW)
HERS = evolve(BOARD, people=(ANN.id,))
SELF = OwnIdentity(ME.id, "lull_bot", ("lull",))


def press(update_id: int, place: int = 0, author: Author = ANN, seconds: float = 1.0) -> ButtonPress:
    return ButtonPress(
        at=NOW + timedelta(seconds=seconds),
        updates=(update_id,),
        message_id=7,
        author=author,
        query_id=f"q{update_id}",
        data=BOARD.buttons[place].data,
    )


def test_of_several_presses_the_first_one_counts() -> None:
    made = choices_in([said("hi"), press(5, 1, BOB), press(6, 0)], [BOARD])
    assert {update: (choice.text, choice.press.author) for update, choice in made.items()} == {5: ("Coffee", BOB)}


def test_who_was_not_asked_chooses_nothing_and_takes_it_from_nobody() -> None:
    made = choices_in([press(5, 1, BOB), press(6, 0)], [HERS])
    assert [(update, choice.text) for update, choice in made.items()] == [(6, "Tea")]
    assert (is_for_others(press(5, 1, BOB), [HERS]), is_for_others(press(6), [HERS])) == (True, False)


def test_what_is_old_is_not_chosen() -> None:
    assert choices_in([press(5, seconds=KEPT.total_seconds())], [BOARD]) == {}


@pytest.mark.parametrize(
    ("effect", "is_done"),
    [
        ({"kind": "keep-zone", "zone": "Asia/Tokyo"}, True),
        ({"kind": "clear-conversation"}, True),
        ({"kind": "of another lull"}, False),
    ],
)
def test_what_is_offered_no_more_is_not_done(effect: dict[str, Any], is_done: bool) -> None:
    board = evolve(HERS, effects=(effect, effect))
    assert bool(choices_in([press(5)], [board])) == is_done


def test_it_is_a_message_without_an_id_of_telegrams_that_replies_to_the_agents() -> None:
    (choice,) = choices_in([press(5)], [BOARD]).values()
    question = said("Tea or coffee?", ME, 7)
    message = choice.as_message([question], SELF)
    assert (message.text, message.author, message.thread, message.updates) == ("chose: Tea", ANN, 3, (5,))
    assert message.message_id < 0
    assert message.quotable == 7
    assert message.reply == QuotedMessage(message_id=7, author=ME, excerpt="Tea or coffee?")


def test_its_message_may_be_older_than_the_window() -> None:
    (choice,) = choices_in([press(5)], [BOARD]).values()
    message = choice.as_message([], SELF)
    assert message.replied_to == ME
