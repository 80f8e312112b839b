"""/unmute."""

from shared.commands.unmute import respond
from shared.values.access_action import FOREVER
from shared.values.trust import TrustTier
from tests.shared.commands.requests import asked
from tests.shared.examples import NOW, SECOND
from tests.shared.own_words import NOT_MUTED, UNMUTED


def test_the_silence_ends() -> None:
    assert respond(asked(muted_until=NOW + SECOND)).changes == {"muted_until": None}
    assert respond(asked(muted_until=FOREVER)).text == UNMUTED
    assert respond(asked(muted_until=NOW)).text == NOT_MUTED


def test_says_why_somebody_is_still_not_answered() -> None:
    muted = asked(muted_until=FOREVER, is_admitted=False)
    told = respond(muted)
    assert "only answer people my owner has approved" in told.text
    assert told.changes == {"muted_until": None}
    owner = respond(asked(is_admitted=False, trust=TrustTier.OWNER))
    assert owner.text == "I'm not answering anyone right now, in any chat. Send /wake in our private chat to end that."
    assert owner.changes == {}
