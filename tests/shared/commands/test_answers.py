"""Which answer a command gets."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.commands.answers import NO_BUTTON, OTHER_CONVERSATION, PRESSED, WRITTEN, answer_to, refusal
from shared.commands.choosing import model
from shared.commands.conversing import NOTHING_TO_STOP
from shared.commands.declared import NAMES
from shared.commands.muting import USAGE
from shared.commands.parse import Command, Permission, PressedButton, command_of
from shared.commands.place import Answer
from shared.commands.verbatim import visible
from shared.deciding.circumstances import Circumstances, Self
from shared.formatting.render import render
from shared.models.chat import Chat, ChatKind
from tests.shared.commands.places import CONVERSATION, place
from tests.shared.values import BOT_ID, KEY, NOW, PROPERTY, said

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


#: huge numbers, digits of other scripts, what is not seen, what turns a line around, markup
NUMBERS = st.sampled_from(["999999w ", "9" * 400, "-1", "٣٠m", "３h", "²d", "30m", "2h ", "1d,", "1e9w"])
SIGNS = st.sampled_from(
    [
        *(
            " ",
            "\n",
            "\u200b",
            "\u200d",
            "\u202e",
            "\u2066",
            "\u3164",
            "\ufe0f",
            "\x00",
            "\ud83d",
            "**",
            "`",
            "[a](b:c)",
        ),
        *("İ", "ß", "ﬀ", "big", "lite", "👩\u200d🚀"),
    ]
)
FULL = NUMBERS.map(lambda number: (number * 4096)[:4096])
ARGUMENTS = FULL | SIGNS.map(lambda sign: sign * 4096) | st.lists(NUMBERS | SIGNS | st.text(), max_size=30).map("".join)


@pytest.mark.parametrize("name", sorted(NAMES))
@settings(PROPERTY, max_examples=100)
@given(ARGUMENTS, st.sampled_from([ChatKind.PRIVATE, ChatKind.SUPERGROUP]))
def test_whatever_stands_behind_a_command_it_is_answered(name: str, argument: str, kind: ChatKind) -> None:
    entities = ({"type": "bot_command", "offset": 0, "length": len(name) + 1},)
    given = Circumstances(kind=kind, me=Self(BOT_ID, "lull_bot", ("lull",), NAMES))
    command = command_of(said(f"/{name} {argument}", entities=entities), given)
    assert command is not None
    found = answer_to(command, place(kind, models=("big", "big-lite", "lite")))
    (part,) = render(found.text)
    assert part.text.strip()
    chat = Chat.model_validate({"key": KEY, **found.changes})
    assert chat.named == visible(chat.named)
    if command.name == "mute":
        assert chat.is_muted(NOW) or USAGE in found.text
        assert command.ends_plan is chat.is_muted(NOW)
