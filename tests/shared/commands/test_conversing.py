"""The conversation: another one, its title, and an end to what is being said."""

import pytest

from shared.commands.conversing import (
    BEGUN,
    LONGEST_TITLE,
    NOT_READ,
    NOTHING_TO_STOP,
    STOPPED,
    UNTITLED,
    new,
    stop,
    title,
)
from shared.commands.place import Answer
from tests.shared.commands.places import place


def test_it_says_whether_there_was_something_to_stop() -> None:
    assert stop("now", place(is_busy=True)) == Answer(text=STOPPED)
    assert stop("", place()) == Answer(text=NOTHING_TO_STOP)


def test_what_stands_behind_new_is_said_to_be_unread() -> None:
    assert new("", place()).text == BEGUN
    assert new("what now?", place()).text == f"{BEGUN} {NOT_READ}"


def test_a_title_is_shown() -> None:
    assert title("", place()) == Answer(text=UNTITLED)
    assert title("", place(named="Tea & *more*")).text == r"This conversation is called Tea \& \*more\*."


def test_a_title_is_set_on_one_line() -> None:
    assert title(" Tea \n time ", place()).changes == {"named": "Tea time"}


@pytest.mark.parametrize("unseen", ["\u200b", " \u202e\u2066 ", "\u200d\ufe0f", "\u3164\u2800"])
def test_a_title_that_nobody_would_see_is_none(unseen: str) -> None:
    assert title(unseen, place()) == Answer(text=UNTITLED)


def test_a_title_turns_no_line_around_and_keeps_its_emoji() -> None:
    assert title("Te\u202ea\x07 \u2067👩\u200d🚀", place()).changes == {"named": "Tea 👩\u200d🚀"}


def test_a_title_that_is_too_long_changes_nothing() -> None:
    assert title("x" * LONGEST_TITLE, place()).changes
    found = title("x" * (LONGEST_TITLE + 1), place(named="Tea"))
    assert (found.changes, "81 characters" in found.text) == ({}, True)
