"""An end to the silence."""

from shared.commands.unmute import respond
from shared.models.measure import FOR_GOOD
from tests.shared.commands.requests import asked
from tests.shared.own_words import NOT_MUTED, UNMUTED
from tests.shared.values import NOW, SECOND


def test_the_silence_ends() -> None:
    assert respond(asked(muted_until=NOW + SECOND)).changes == {"muted_until": None}
    assert respond(asked(muted_until=FOR_GOOD)).text == UNMUTED
    assert respond(asked(muted_until=NOW)).text == NOT_MUTED
