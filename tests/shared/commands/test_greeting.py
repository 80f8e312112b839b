"""What lull says of itself."""

import pytest

from shared.commands.declared import NAMES
from shared.commands.greeting import AMONG_OTHERS, help_, start, unknown
from shared.formatting.render import render
from shared.models.chat import ChatKind
from shared.models.message import Author
from tests.shared.commands.places import place


@pytest.mark.parametrize("payload", ["", "ref_123"])
def test_it_greets_whoever_comes_by_name(payload: str) -> None:
    found = start(payload, place(person=Author(id=1, name="*Ann*")))
    assert render(found.text)[0].text.startswith("Hello *Ann*, I am lull. Write to me")
    assert "/help" in found.text
    assert payload == "" or payload not in found.text


def test_in_a_group_it_says_when_it_answers() -> None:
    assert AMONG_OTHERS in start("", place(ChatKind.SUPERGROUP)).text


def test_help_lists_what_works_in_this_chat() -> None:
    private = render(help_("", place()).text)[0].text
    assert all(f"/{name}" in private for name in NAMES)
    assert "/mute [30m, 2h, 1d] – Silence me" in private
    assert "administrators" not in private
    group = render(help_("", place(ChatKind.SUPERGROUP)).text)[0].text
    assert "/start" not in group
    assert "/new – Begin another conversation (administrators)" in group
    assert "/whoami – What I know you by\n" in f"{group}\n"


def test_help_speaks_the_persons_language() -> None:
    found = help_("", place(ChatKind.GROUP, language="uk-UA")).text
    assert found.startswith("Що тут працює:")
    assert "(адміністратори)" in found
    assert help_("", place(language="ja")).text == help_("", place()).text


def test_an_unknown_command_points_to_those_that_there_are() -> None:
    assert render(unknown("my_cmd").text)[0].text == "I have no command /my_cmd. /help shows those that I have."
