"""/title."""

import pytest

from shared.commands.command import CommandResponse
from shared.commands.title import LONGEST_TITLE, respond
from tests.shared.commands.requests import asked
from tests.shared.own_words import NO_TITLE


def test_a_title_is_shown() -> None:
    assert respond(asked()) == CommandResponse(text=NO_TITLE)
    assert respond(asked(conversation_title="Tea & *more*")).text == r"This conversation is called Tea \& \*more\*."


def test_a_title_is_set_on_one_line() -> None:
    assert respond(asked(" Tea \n time ")).changes == {"conversation_title": "Tea time"}


@pytest.mark.parametrize("unseen", ["\u200b", " \u202e\u2066 ", "\u200d\ufe0f", "\u3164\u2800"])
def test_a_title_that_nobody_would_see_is_none(unseen: str) -> None:
    assert respond(asked(unseen)) == CommandResponse(text=NO_TITLE)


def test_a_title_turns_no_line_around_and_keeps_its_emoji() -> None:
    assert respond(asked("Te\u202ea\x07 \u2067👩\u200d🚀")).changes == {"conversation_title": "Tea 👩\u200d🚀"}


def test_a_title_that_is_too_long_changes_nothing() -> None:
    assert respond(asked("x" * LONGEST_TITLE)).changes
    found = respond(asked("x" * (LONGEST_TITLE + 1), conversation_title="Tea"))
    assert (found.changes, "81 characters" in found.text) == ({}, True)
