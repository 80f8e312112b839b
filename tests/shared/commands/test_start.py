"""/start introduces the agent."""

import pytest

from shared.commands.start import respond
from shared.telegram.markdown.render import render
from shared.values.chat_key import ChatKind
from shared.values.message import Author
from tests.shared.commands.requests import asked
from tests.shared.examples import NOW, SECOND
from tests.shared.own_words import AMONG_OTHERS


@pytest.mark.parametrize("payload", ["", "ref_123"])
def test_it_greets_whoever_comes_by_name(payload: str) -> None:
    found = respond(asked(payload, person=Author(id=1, name="*Ann*")))
    assert render(found.text)[0].text.startswith("Hello *Ann*, I'm lull. Write to me")
    assert "/help" in found.text
    assert payload == "" or payload not in found.text


def test_in_a_group_it_says_when_it_answers() -> None:
    assert AMONG_OTHERS in respond(asked(kind=ChatKind.SUPERGROUP)).text


def test_where_it_is_silent_it_says_so() -> None:
    silent = respond(asked(muted_until=NOW + SECOND)).text
    assert "I'm muted here" in silent
    assert "then I answer" not in silent
    assert "I'm not answering anyone" in respond(asked(is_admitted=False)).text
