"""/stop."""

from shared.commands.command import CommandResponse
from shared.commands.stop import respond
from tests.shared.commands.requests import asked
from tests.shared.own_words import BUTTONS_GONE, NOTHING_TO_STOP, STOPPED


def test_where_only_buttons_stood_that_is_said() -> None:
    assert respond(asked(has_buttons=True)) == CommandResponse(text=BUTTONS_GONE)
    assert respond(asked(has_buttons=True, is_busy=True)) == CommandResponse(text=STOPPED)


def test_it_says_whether_there_was_something_to_stop() -> None:
    assert respond(asked("now", is_busy=True)) == CommandResponse(text=STOPPED)
    assert respond(asked()) == CommandResponse(text=NOTHING_TO_STOP)
