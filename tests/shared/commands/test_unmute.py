"""An end to the silence."""

from shared.commands.mute import FOR_GOOD
from shared.commands.unmute import NOT_MUTED, UNMUTED, respond
from tests.shared.commands.requests import asked
from tests.shared.values import NOW, SECOND


def test_the_silence_ends() -> None:
    assert respond(asked(muted_until=NOW + SECOND)).changes == {"muted_until": None}
    assert respond(asked(muted_until=FOR_GOOD)).text == UNMUTED
    assert respond(asked(muted_until=NOW)).text == NOT_MUTED
