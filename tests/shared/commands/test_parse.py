"""The messages and presses that are commands."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.commands.command import Permission
from shared.commands.parse import CommandInvocation, PressedButton, command_of, command_pressed
from shared.commands.registry import command_names
from shared.deciding.access_policy import AccessPolicy
from shared.deciding.circumstances import DecisionContext, OwnIdentity
from shared.values.chat_key import ChatKind
from shared.values.message import Author, ButtonPress, Message, QuotedMessage
from shared.values.trust import AccessList, BlockedPerson
from tests.shared.commands.requests import KNOWN
from tests.shared.examples import ANN, BOB, ME, NOW, PROPERTY, said

SELF = OwnIdentity(ME.id, "lull_bot", ("lull",), command_names())
ROBOT = Author(id=5, name="Robo", is_bot=True)
IN_PRIVATE = DecisionContext(kind=ChatKind.PRIVATE, me=SELF)


def written(text: str, **fields: Any) -> Message:
    length = len(text.split()[0])
    return said(text, entities=({"type": "bot_command", "offset": 0, "length": length},), **fields)


def in_private(text: str) -> CommandInvocation | None:
    return command_of(written(text), IN_PRIVATE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/stop", CommandInvocation("stop")),
        ("/STOP@Lull_Bot  please now ", CommandInvocation("stop", "please now")),
        ("/title\nTea", CommandInvocation("title", "Tea")),
        ("/title \u200b\u202e", CommandInvocation("title")),
        ("/stop@other_bot", None),
        ("/stopping", CommandInvocation("stopping")),
        ("/nothing at all", CommandInvocation("nothing", "at all")),
        ("/etc/passwd is what?", None),
        ("/help/me", None),
        ("/nothing, he said", None),
        ("/help!", CommandInvocation("help")),
        ("/title: Tea!", CommandInvocation("title", "Tea!")),
        ("/title !", CommandInvocation("title", "!")),
        ("/start from_a_friend", CommandInvocation("start", "from_a_friend")),
        ("/start claim_a2b3", CommandInvocation("claim", "a2b3")),
        ("/claim  a2b3 ", CommandInvocation("claim", "a2b3")),
        ("/start claim", CommandInvocation("start", "claim")),
    ],
)
def test_a_command_is_read_with_what_stands_behind_it(text: str, expected: CommandInvocation | None) -> None:
    assert in_private(text) == expected


@pytest.mark.parametrize("offset", [None, 4])
def test_without_telegrams_entity_at_its_start_it_is_text(offset: int | None) -> None:
    entities = ({"type": "bot_command", "offset": offset, "length": 5},) if offset else ()
    message = said("/stop", entities=entities)
    assert command_of(message, IN_PRIVATE) is None


def test_a_bot_commands_nothing() -> None:
    assert command_of(written("/stop", author=ROBOT), IN_PRIVATE) is None


@pytest.mark.parametrize(
    ("text", "to", "other_bot_spoke", "expected"),
    [
        ("/stop", None, True, False),
        ("/stop", None, False, True),
        ("/stop", ME, True, True),
        ("/stop", BOB, True, False),
        ("/stop@lull_bot", None, True, True),
        ("/stop@other_bot", ME, False, False),
        ("/nothing", ME, False, False),
        ("/nothing@lull_bot", None, True, True),
        ("/nothing@lull_bot, he said", None, False, False),
        ("/nothing@other_bot", None, False, False),
    ],
)
def test_in_a_group_it_must_be_clear_whose_it_is(
    text: str, to: Author | None, other_bot_spoke: bool, expected: bool
) -> None:
    reply = QuotedMessage(message_id=1, author=to) if to else None
    earlier = [said("hi", ROBOT)] if other_bot_spoke else []
    place = DecisionContext(kind=ChatKind.SUPERGROUP, me=SELF, earlier=earlier)
    found = command_of(written(text, reply=reply, message_id=2), place)
    assert (found is not None) is expected


def test_only_some_end_what_is_planned_and_only_for_who_may_use_them() -> None:
    assert {name for name in KNOWN if CommandInvocation(name).ends_plan} == {"stop", "new", "mute"}
    assert {name for name in KNOWN if CommandInvocation(name).changes_conversation} == {"new"}
    denied = CommandInvocation("new", permission=Permission.DENIED)
    assert not denied.ends_plan
    assert not denied.changes_conversation
    assert not CommandInvocation("nothing").ends_plan
    assert CommandInvocation("mute", "2h").ends_plan
    assert not CommandInvocation("mute", "soon").ends_plan, "it silences nobody"


def press(data: str) -> ButtonPress:
    return ButtonPress(at=NOW, message_id=5, author=ANN, query_id="q1", data=data)


def test_a_press_is_the_command_that_the_button_carries() -> None:
    button = PressedButton(query_id="q1", message_id=5, conversation="conv-X")
    assert command_pressed(press("model:conv-X:0a1b")) == CommandInvocation("model", "0a1b", button=button)


@PROPERTY
@given(st.text(max_size=64) | st.sampled_from(["", "model", "model:x:y", "model:conv-X:0a1b:z", "y:42"]))
def test_a_press_of_anything_else_is_answered_too(data: str) -> None:
    found = command_pressed(press(data))
    assert found.button is not None
    assert found.button.query_id == "q1"
    assert found.name == "" or data.startswith(f"{found.name}:conv-")


def test_a_person_may_end_the_silence_of_their_own_chat() -> None:
    access = AccessPolicy(access_list=AccessList(agent="lull", owner=BOB.id), chat_id=ANN.id)
    for name in ("wake", "unmute"):
        assert CommandInvocation(name).is_heard(ANN.id, access, is_muted=True)
        assert not CommandInvocation(name).is_heard(ANN.id, access)
    assert not CommandInvocation("help").is_heard(ANN.id, access, is_muted=True)
    blocked = AccessList(agent="lull", owner=BOB.id, blocked={ANN.id: BlockedPerson(id=ANN.id, since=NOW)})
    for other in (
        AccessPolicy(access_list=blocked, chat_id=ANN.id),
        AccessPolicy(access_list=access.access_list, chat_id=-5),
    ):
        assert not CommandInvocation("wake").is_heard(ANN.id, other, is_muted=True)
