"""Which answer a command gets."""

from dataclasses import replace

import pytest

from shared.commands.answers import NO_BUTTON, OTHER_CONVERSATION, PRESSED, WRITTEN, answer_to, refusal
from shared.commands.choosing import model
from shared.commands.conversing import NOTHING_TO_STOP
from shared.commands.declared import NAMES
from shared.commands.parse import Command, Permission, PressedButton
from shared.commands.place import Answer
from tests.shared.commands.places import CONVERSATION, place

MARK = model("", place()).buttons[1].data.rpartition(":")[2]
BUTTON = PressedButton(query_id="q", message_id=5, conversation=CONVERSATION)


def test_every_command_that_is_declared_is_answered() -> None:
    assert set(WRITTEN) == NAMES
    assert set(PRESSED) <= NAMES
    assert all(answer_to(Command(name), place()).text for name in NAMES)
    assert answer_to(Command("stop"), place()).text == NOTHING_TO_STOP


def test_one_that_is_not_declared_is_said_to_be_unknown() -> None:
    assert "no command /nothing" in answer_to(Command("nothing"), place()).text


@pytest.mark.parametrize("permission", [Permission.DENIED, Permission.UNKNOWN])
def test_who_may_not_use_it_changes_nothing(permission: Permission) -> None:
    written = Command("model", "big-lite", permission)
    assert answer_to(written, place()) == Answer(text=refusal(written))
    pressed = Command("model", MARK, permission, button=BUTTON)
    assert answer_to(pressed, place()) == Answer(notice=refusal(pressed))
    assert "/model" in refusal(pressed)
    assert len(refusal(pressed)) <= 200


def test_a_button_does_what_it_says() -> None:
    assert answer_to(Command("model", MARK, button=BUTTON), place()).changes == {"model": "big-lite"}


def test_a_button_of_another_conversation_says_so() -> None:
    old = replace(BUTTON, conversation="conv-OLD")
    assert answer_to(Command("model", MARK, button=old), place()) == Answer(notice=OTHER_CONVERSATION)


@pytest.mark.parametrize("name", ["", "nothing", "new"])
def test_a_button_that_nothing_belongs_to_any_more_says_so(name: str) -> None:
    assert answer_to(Command(name, button=BUTTON), place()) == Answer(notice=NO_BUTTON)
