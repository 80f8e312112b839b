"""Another conversation."""

from shared.commands.new import respond
from tests.shared.commands.requests import asked
from tests.shared.own_words import BEGUN


def test_leaves_its_argument_to_the_answer() -> None:
    assert (respond(asked()).text, respond(asked("what now?")).text) == (BEGUN, "")
    assert respond(asked()).begins_conversation
    assert respond(asked("what now?")).begins_conversation
