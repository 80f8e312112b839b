"""The response to a command."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.base.errors import PortMissing
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.bots import FirestoreOwners
from shared.chat.store.conversations import FirestoreConversations
from shared.chat.store.people import FirestorePeople
from shared.commands.command import CommandResponse, Permission, visible
from shared.commands.dispatch import Dispatcher, refusal, unknown_command_response
from shared.commands.model import respond as respond_model
from shared.commands.parse import CommandInvocation, PressedButton, command_of
from shared.commands.registry import command_names, commands
from shared.deciding.circumstances import DecisionContext, OwnIdentity
from shared.llm.ports.world import PortRegistry
from shared.privacy.store.deletions import FirestoreDeletions
from shared.telegram.markdown.render import render
from shared.values.chat import Chat
from shared.values.chat_key import ChatKind
from shared.values.deletion import Deletion
from shared.values.trust import AccessList, TrustTier
from tests.shared.commands.requests import CONVERSATION, asked
from tests.shared.examples import ANN, BOT_ID, KEY, NOW, PROPERTY, said
from tests.shared.own_words import ENGLISH, HOW_TO_MUTE, NO_BUTTON, NOTHING_TO_STOP, OTHER_CONVERSATION

MARK = respond_model(asked()).buttons[1].data.rpartition(":")[2]
BUTTON = PressedButton(query_id="q", message_id=5, conversation=CONVERSATION)
#: with all ports that commands may need; no test here uses one
PORTS = {port: None for command in commands() for port in command.needs}
DISPATCHER = Dispatcher(ports=PortRegistry(PORTS))
response_to = DISPATCHER.response_to


def test_every_command_is_answered() -> None:
    assert all(response_to(CommandInvocation(name), asked()).text for name in command_names())
    assert response_to(CommandInvocation("stop"), asked()).text == NOTHING_TO_STOP


def test_one_that_does_not_exist_is_said_to_be_unknown() -> None:
    assert "the command /nothing" in response_to(CommandInvocation("nothing"), asked()).text


@pytest.mark.parametrize(
    ("written", "meant"),
    [("forgett", "/forget"), ("usgae", "/usage"), ("hlep", "/help"), ("peple", ""), ("joinn", "")],
)
def test_of_a_typo_it_is_asked_what_was_meant(written: str, meant: str) -> None:
    told = response_to(CommandInvocation(written), asked(trust=TrustTier.KNOWN)).text
    assert (f"Did you mean {meant}?" if meant else "I don't know the command") in told
    assert ("Did you mean" in told) == bool(meant)


async def test_one_for_groups_alone_is_none_in_a_private_chat() -> None:
    told = response_to(CommandInvocation("groupzone", "Kyiv"), asked())
    assert "I don't know the command /groupzone" in told.text
    assert told.changes == {}
    assert (
        "I don't know the command"
        not in response_to(CommandInvocation("groupzone", "Kyiv"), asked(kind=ChatKind.SUPERGROUP)).text
    )


@pytest.mark.parametrize("permission", [Permission.DENIED, Permission.UNKNOWN])
def test_people_without_permission_change_nothing(permission: Permission) -> None:
    written = CommandInvocation("model", "big-lite", permission)
    assert response_to(written, asked()) == CommandResponse(text=refusal(written, ENGLISH))
    pressed = CommandInvocation("model", MARK, permission, button=BUTTON)
    assert response_to(pressed, asked()) == CommandResponse(notice=refusal(pressed, ENGLISH))
    assert "/model" in refusal(pressed, ENGLISH)
    assert len(refusal(pressed, ENGLISH)) <= 200


def test_a_button_does_what_it_says() -> None:
    assert response_to(CommandInvocation("model", MARK, button=BUTTON), asked()).changes == {"model": "big-lite"}


def test_a_button_of_another_conversation_says_so() -> None:
    old = replace(BUTTON, conversation="conv-OLD")
    assert response_to(CommandInvocation("model", MARK, button=old), asked()) == CommandResponse(
        notice=OTHER_CONVERSATION
    )


class Asked:
    """The requests to forget."""

    def __init__(self) -> None:
        self.conversations = list[str]()

    async def ask(self, deletion: Deletion) -> None:
        self.conversations.append(deletion.conversation)


async def test_made_up_data_of_another_conversation_has_no_effect() -> None:
    kept = Asked()
    dispatcher = Dispatcher(ports=PortRegistry({**PORTS, FirestoreDeletions: kept}))
    for conversation in ("conv-OTHERS", CONVERSATION):
        pressed = CommandInvocation("forget", "c", button=replace(BUTTON, conversation=conversation))
        await dispatcher.effect_of(pressed, asked())
    assert kept.conversations == [CONVERSATION]


@pytest.mark.parametrize("name", ["", "nothing", "new"])
def test_a_button_that_nothing_belongs_to_any_more_says_so(name: str) -> None:
    assert response_to(CommandInvocation(name, button=BUTTON), asked()) == CommandResponse(notice=NO_BUTTON)


class Owned:
    """Access lists in which the same person owns all agents."""

    async def access_list(self, agent: str, newest: object) -> AccessList:
        return AccessList(agent=agent, owner=ANN.id)


#: the context with the port that /whoami needs
WITH_OWNER = Dispatcher(ports=PortRegistry({**PORTS, FirestoreAccessLists: Owned()}))


async def test_an_effect_comes_first_with_its_port_and_the_response_is_told_of_it() -> None:
    invocation, request = CommandInvocation("whoami"), asked()
    result = await WITH_OWNER.effect_of(invocation, request)
    assert "you're my owner" in WITH_OWNER.response_to(invocation, replace(request, result=result)).text
    assert "you're my owner" not in WITH_OWNER.response_to(invocation, request).text


@pytest.mark.parametrize(
    "invocation",
    [
        CommandInvocation("whoami", permission=Permission.DENIED),
        CommandInvocation("whoami", button=BUTTON),
        CommandInvocation("other"),
    ],
)
async def test_nothing_happens_for_who_may_not_and_by_a_press(invocation: CommandInvocation) -> None:
    assert await WITH_OWNER.effect_of(invocation, asked()) is None


def test_without_a_port_that_an_effect_needs_nothing_starts() -> None:
    with pytest.raises(PortMissing, match="/resume needs FirestoreChats, which it is not given; given: FirestoreConv"):
        Dispatcher(
            ports=PortRegistry({FirestoreOwners: Owned(), FirestoreConversations: None, FirestorePeople: Owned()})
        )


def test_an_unknown_command_points_to_those_that_there_are() -> None:
    assert (
        render(unknown_command_response("my_cmd", asked()).text)[0].text
        == "I don't know the command /my_cmd. Send /help to see all commands."
    )


#: huge numbers, digits of other scripts, invisible characters, marks of direction, markup
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
    given = DecisionContext(kind=kind, me=OwnIdentity(BOT_ID, "lull_bot", ("lull",), command_names()))
    invocation = command_of(said(f"/{name} {argument}", entities=entities), given)
    assert invocation is not None
    found = response_to(invocation, asked(kind=kind, models=("big", "big-lite", "lite")))
    if not found.text:  # then the text after the command is answered
        assert invocation.name == "new"
        assert invocation.argument
        return
    (part,) = render(found.text)
    assert part.text.strip()
    chat = Chat.model_validate({"key": KEY, **found.changes})
    assert chat.talk.conversation_title == visible(chat.talk.conversation_title)
    if invocation.name == "mute":
        assert chat.is_muted(NOW) or HOW_TO_MUTE in found.text
        assert invocation.ends_plan is chat.is_muted(NOW)
