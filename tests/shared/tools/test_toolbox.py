"""The toolbox gives one answer to each call, even to wrong and failing calls."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.discovery import modules_of
from shared.base.errors import PortMissing, StoreUnavailable, ToolFailed
from shared.chat.store.bots import FirestoreOwners
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.inbox import FirestoreInbox
from shared.llm.ports.world import PortRegistry
from shared.tools.tool import Tool, ToolContext
from shared.tools.toolbox import MOST_CALLS, TOOLS, Toolbox, tool_names
from shared.values.chat_key import ChatKey
from shared.values.prompt import ToolAnswer, ToolCall
from tests.shared.examples import JSON_VALUES, PROPERTY, message_update, update_of
from tests.shared.tools.toolboxes import CONTEXT, TOOLBOX


def tool(name: str, run: Any, *needs: type, **traits: Any) -> Tool:
    return Tool(name=name, description="x", parameters={"type": "object"}, run=run, needs=needs, **traits)


def box(*tools: Tool, ports: PortRegistry | None = None, **more: Any) -> Toolbox:
    return Toolbox(tools={each.name: each for each in tools}, ports=ports or PortRegistry(), **more)


def call(name: str, **arguments: object) -> ToolCall:
    return ToolCall(name=name, arguments=arguments)


async def answers_of(toolbox: Toolbox, *calls: ToolCall, context: ToolContext = CONTEXT) -> tuple[ToolAnswer, ...]:
    """Call all its tools and return their answers."""
    return await toolbox.answers_to(calls, tuple(toolbox.tools), context)


async def _fails(_: Mapping[str, object], __: ToolContext) -> str:
    raise ToolFailed("There is no such town.")


async def _sleeps(_: Mapping[str, object], __: ToolContext) -> str:
    await asyncio.sleep(600)
    return "too late"


async def _stays_away(_: Mapping[str, object], __: ToolContext) -> str:
    raise StoreUnavailable("Firestore did not answer")


async def _looks(arguments: Mapping[str, object], context: ToolContext) -> str:
    """A tool with a port: it tells the number of unread updates, the person and the time."""
    count = await context.ports[FirestoreChats].unread_count(context.chat)
    name = context.asker.name if context.asker else "somebody"
    return f"{count} unread, {name} asks at {context.now:%H:%M} {context.zone}"


async def _reaches(_: Mapping[str, object], context: ToolContext) -> str:
    return str(await context.ports[FirestoreOwners].owner(context.chat.agent))


def test_each_is_a_module_of_its_name() -> None:
    with_tools = {module.__name__.rpartition(".")[2] for module in modules_of("tools") if hasattr(module, "TOOL")}
    assert with_tools == set(tool_names())


async def test_what_goes_wrong_is_an_answer_too() -> None:
    calls = [call("fails"), call("sleeps"), call("flies"), call("calculate", expression="1 + 1"), call("away")]
    sleeps = tool("sleeps", _sleeps, timeout_s=0.05)
    tools = (tool("fails", _fails), sleeps, TOOLS["calculate"], tool("away", _stays_away))
    answers = await answers_of(box(*tools), *calls)
    assert [answer.call for answer in answers] == calls
    assert [answer.is_error for answer in answers] == [True, True, True, False, True]
    assert answers[0].text == "There is no such town."
    assert answers[1].text.startswith("There was no answer within 0.05 seconds")
    assert answers[2].text == "There is no such function; there are: fails, sleeps, calculate, away."
    assert answers[3].text == "2"
    assert answers[4].text == "It does not work just now. Go on without it."


async def test_calls_are_answered_side_by_side() -> None:
    met = asyncio.Barrier(3)

    async def meets(_: Mapping[str, object], __: ToolContext) -> str:
        await met.wait()
        return "met"

    answers = await answers_of(box(tool("meets", meets)), *[call("meets")] * 3)
    assert [answer.text for answer in answers] == ["met"] * 3


async def test_of_too_many_calls_the_first_are_done() -> None:
    calls = [call("calculate", expression=str(n)) for n in range(MOST_CALLS + 2)]
    answers = await answers_of(TOOLBOX, *calls)
    assert [answer.call for answer in answers] == calls
    assert [answer.is_error for answer in answers] == [False] * MOST_CALLS + [True] * 2
    assert answers[-1].text.startswith("Not done: at most 16 calls")


async def test_a_tool_uses_the_port_that_it_declared_and_the_context(
    chats: FirestoreChats, inbox: FirestoreInbox, key: ChatKey
) -> None:
    toolbox = box(
        tool("looks", _looks, FirestoreChats), ports=PortRegistry({FirestoreChats: chats, FirestoreOwners: None})
    )
    here = replace(CONTEXT, chat=key)
    assert [a.text for a in await answers_of(toolbox, call("looks"), context=here)] == [
        "0 unread, Ann asks at 12:00 UTC"
    ]
    raw = message_update(1, chat={"id": key.chat_id, "type": "private"})
    await inbox.add(update_of(raw))
    (answer,) = await answers_of(toolbox, call("looks"), context=replace(here, asker=None))
    assert (answer.text, answer.is_error) == ("1 unread, somebody asks at 12:00 UTC", False)


async def test_a_tool_does_not_reach_a_port_that_it_did_not_declare(caplog: pytest.LogCaptureFixture) -> None:
    ports = PortRegistry({FirestoreChats: "a secret store", FirestoreOwners: "secret owners"})
    (answer,) = await answers_of(box(tool("reaches", _reaches, FirestoreChats), ports=ports), call("reaches"))
    assert (answer.is_error, answer.text) == (True, "It does not work just now. Go on without it.")
    assert "no port FirestoreOwners; name it in `needs`; given: FirestoreChats" in caplog.text
    assert "secret" not in caplog.text


def test_a_toolbox_without_a_port_that_a_tool_needs_is_not_made() -> None:
    with pytest.raises(
        PortMissing, match="the tool looks needs FirestoreChats, which it is not given; given: FirestoreOwners"
    ):
        box(tool("looks", _looks, FirestoreChats), ports=PortRegistry({FirestoreOwners: None}))


async def test_after_text_from_outside_only_what_stays_in_the_chat_is_declared_and_answers() -> None:
    toolbox = box(tool("stays", _looks, stays_in_chat=True), tool("leaves", _fails))
    names = tuple(toolbox.tools)
    assert [(one.name, one.stays_in_chat) for one in toolbox.declarations_of(names)] == [
        ("stays", True),
        ("leaves", False),
    ]
    (answer,) = await answers_of(toolbox, call("leaves"), context=replace(CONTEXT, saw_outside=True))
    assert answer.text == "There is no such function; there are: stays."


async def _finds(_: Mapping[str, object], __: ToolContext) -> tuple[str, ...]:
    return ("one page", "another page")


async def test_an_answer_says_what_of_it_is_from_outside_and_has_its_texts_apart() -> None:
    toolbox = box(replace(tool("finds", _finds), reads_outside=True), tool("fails", _fails))
    found, failed = await answers_of(toolbox, call("finds"), call("fails"))
    assert (found.outside, found.parts) == ("what the tool finds found", ("one page", "another page"))
    assert found.text == "one page\n\nanother page"
    assert found.shorten(lambda text: text[:3]).text == "one\n\nano"
    assert (failed.outside, failed.parts) == ("", ()), "what went wrong is lull's own words"


def test_tools_come_in_one_order_however_they_are_named() -> None:
    every = tuple(tool.declaration for tool in TOOLBOX.tools.values())
    assert TOOLBOX.declarations_of([*reversed(tuple(TOOLBOX.tools)), "unheard-of"]) == every
    assert TOOLBOX.declarations_of([]) == ()


@PROPERTY
@given(
    st.lists(
        st.builds(
            ToolCall,
            name=st.text(max_size=9) | st.sampled_from([*TOOLS]),
            arguments=st.dictionaries(st.text(max_size=9) | st.just("expression"), JSON_VALUES),
        ),
        max_size=4,
    )
)
def test_any_calls_are_answered(calls: list[ToolCall]) -> None:
    answers = asyncio.run(answers_of(TOOLBOX, *calls))
    assert [answer.call for answer in answers] == calls
    assert all(answer.text for answer in answers)
