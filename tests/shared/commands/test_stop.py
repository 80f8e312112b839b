"""An end to what is being done."""

from shared.commands.command import CommandResponse
from shared.commands.stop import respond
from tests.shared.commands.requests import asked
from tests.shared.own_words import NOTHING_TO_STOP, STOPPED


def test_it_says_whether_there_was_something_to_stop() -> None:
    assert respond(asked("now", is_busy=True)) == CommandResponse(text=STOPPED)
    assert respond(asked()) == CommandResponse(text=NOTHING_TO_STOP)
