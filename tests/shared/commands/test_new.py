"""Another conversation."""

from shared.commands.new import BEGUN, NOT_READ, respond
from tests.shared.commands.requests import asked


def test_what_stands_behind_it_is_said_to_be_unread() -> None:
    assert respond(asked()).text == BEGUN
    assert respond(asked("what now?")).text == f"{BEGUN} {NOT_READ}"
