"""Which answer a command gets."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.adapters.firestore.chats import FirestoreChats
from shared.adapters.firestore.inbox import FirestoreInbox
from shared.commands.command import Command, CommandRequest, CommandResponse, Permission, visible
from shared.commands.dispatch import NO_BUTTON, OTHER_CONVERSATION, Dispatcher, refusal, unknown
from shared.commands.model import respond as respond_model
from shared.commands.mute import USAGE
from shared.commands.parse import Invocation, PressedButton, command_of
from shared.commands.registry import command_names, commands
from shared.commands.stop import NOTHING_TO_STOP
from shared.deciding.circumstances import Circumstances, OwnIdentity
from shared.errors import PortMissing
from shared.formatting.render import render
from shared.models.chat import Chat, ChatKey, ChatKind
from shared.ports.chats import ChatStore, Owners
from shared.ports.outside import NO_PORTS, Ports
from tests.shared.commands.requests import CONVERSATION, asked
from tests.shared.values import BOT_ID, KEY, NOW, PROPERTY, message_update, said, update_of

MARK = respond_model(asked()).buttons[1].data.rpartition(":")[2]
BUTTON = PressedButton(query_id="q", message_id=5, conversation=CONVERSATION)
#: with every port that there is a need for; nothing here uses one
DISPATCHER = Dispatcher(ports=Ports({port: None for command in commands() for port in command.needs}))
response_to = DISPATCHER.response_to


def test_every_command_is_answered() -> None:
    assert all(response_to(Invocation(name), asked()).text for name in command_names())
    assert response_to(Invocation("stop"), asked()).text == NOTHING_TO_STOP


def test_one_that_does_not_exist_is_said_to_be_unknown() -> None:
    assert "no command /nothing" in response_to(Invocation("nothing"), asked()).text


@pytest.mark.parametrize("permission", [Permission.DENIED, Permission.UNKNOWN])
def test_who_may_not_use_it_changes_nothing(permission: Permission) -> None:
    written = Invocation("model", "big-lite", permission)
    assert response_to(written, asked()) == CommandResponse(text=refusal(written))
    pressed = Invocation("model", MARK, permission, button=BUTTON)
    assert response_to(pressed, asked()) == CommandResponse(notice=refusal(pressed))
    assert "/model" in refusal(pressed)
    assert len(refusal(pressed)) <= 200


def test_a_button_does_what_it_says() -> None:
    assert response_to(Invocation("model", MARK, button=BUTTON), asked()).changes == {"model": "big-lite"}


def test_a_button_of_another_conversation_says_so() -> None:
    old = replace(BUTTON, conversation="conv-OLD")
    assert response_to(Invocation("model", MARK, button=old), asked()) == CommandResponse(notice=OTHER_CONVERSATION)


@pytest.mark.parametrize("name", ["", "nothing", "new"])
def test_a_button_that_nothing_belongs_to_any_more_says_so(name: str) -> None:
    assert response_to(Invocation(name, button=BUTTON), asked()) == CommandResponse(notice=NO_BUTTON)


async def _counts(request: CommandRequest, ports: Ports) -> int:
    """An effect with a port: how much is unread in the chat."""
    return await ports[ChatStore].unread_count(request.chat.key)


async def _reaches(request: CommandRequest, ports: Ports) -> int | None:
    return await ports[Owners].owner(request.agent)


def _told(request: CommandRequest) -> CommandResponse:
    return CommandResponse(text=f"{request.argument}: {request.result}")


def counting(**fields: Any) -> Command:
    """A command with that effect."""
    usual = Command(
        name="count", order=1, descriptions={"en": "Counts"}, respond=_told, effect=_counts, needs=(ChatStore,)
    )
    return replace(usual, **fields)


async def test_an_effect_comes_first_with_its_port_and_the_response_is_told_of_it(
    chats: FirestoreChats, inbox: FirestoreInbox, key: ChatKey
) -> None:
    await inbox.add(update_of(message_update(1, chat={"id": key.chat_id, "type": "private"})))
    dispatcher = Dispatcher(ports=Ports({ChatStore: chats, Owners: None}), commands={"count": counting()})
    invocation, request = Invocation("count", "unread"), asked(key=key)
    result = await dispatcher.effect_of(invocation, request)
    assert dispatcher.response_to(invocation, replace(request, result=result)).text == "unread: 1"


@pytest.mark.parametrize(
    "invocation",
    [Invocation("count", permission=Permission.DENIED), Invocation("count", button=BUTTON), Invocation("other")],
)
async def test_nothing_happens_for_who_may_not_and_by_a_press(invocation: Invocation) -> None:
    dispatcher = Dispatcher(ports=Ports({ChatStore: None}), commands={"count": counting()})
    assert await dispatcher.effect_of(invocation, asked()) is None


async def test_an_effect_does_not_reach_a_port_that_its_command_did_not_declare() -> None:
    ports = Ports({ChatStore: None, Owners: None})
    dispatcher = Dispatcher(ports=ports, commands={"count": counting(effect=_reaches)})
    with pytest.raises(PortMissing, match="there is no Owners here: `needs` must name it; given: ChatStore"):
        await dispatcher.effect_of(Invocation("count"), asked())


def test_without_a_port_that_an_effect_needs_nothing_starts() -> None:
    with pytest.raises(PortMissing, match="/count needs ChatStore, which it is not given; given: nothing"):
        Dispatcher(ports=NO_PORTS, commands={"count": counting()})


def test_an_unknown_command_points_to_those_that_there_are() -> None:
    assert render(unknown("my_cmd").text)[0].text == "I have no command /my_cmd. /help shows those that I have."


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


@pytest.mark.parametrize("name", sorted(command_names()))
@settings(PROPERTY, max_examples=100)
@given(ARGUMENTS, st.sampled_from([ChatKind.PRIVATE, ChatKind.SUPERGROUP]))
def test_whatever_stands_behind_a_command_it_is_answered(name: str, argument: str, kind: ChatKind) -> None:
    entities = ({"type": "bot_command", "offset": 0, "length": len(name) + 1},)
    given = Circumstances(kind=kind, me=OwnIdentity(BOT_ID, "lull_bot", ("lull",), command_names()))
    invocation = command_of(said(f"/{name} {argument}", entities=entities), given)
    assert invocation is not None
    found = response_to(invocation, asked(kind=kind, models=("big", "big-lite", "lite")))
    (part,) = render(found.text)
    assert part.text.strip()
    chat = Chat.model_validate({"key": KEY, **found.changes})
    assert chat.conversation_title == visible(chat.conversation_title)
    if invocation.name == "mute":
        assert chat.is_muted(NOW) or USAGE in found.text
        assert invocation.ends_plan is chat.is_muted(NOW)
