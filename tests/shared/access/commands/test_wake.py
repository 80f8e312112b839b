"""/wake ends a silence, or says that there is none."""

from datetime import timedelta

from shared.access.commands.wake import respond
from tests.shared.commands.requests import asked
from tests.shared.examples import NOW


def test_it_answers_again_here_or_everywhere() -> None:
    assert respond(asked()).text == "I'm not muted here."
    muted = respond(asked(muted_until=NOW + timedelta(days=1)))
    assert (muted.text, muted.changes) == ("I'm answering again.", {"muted_until": None})
    assert respond(asked()).changes == {}
    everywhere = respond(asked(result=True))
    assert (everywhere.text, everywhere.changes) == ("I'm answering again, everywhere.", {"muted_until": None})
