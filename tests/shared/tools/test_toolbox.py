"""The toolbox: one answer for each call, whatever the model asked and whatever came of it."""

import asyncio
from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from shared.errors import ToolFailed
from shared.models.prompt import ToolCall
from shared.tools.tool import Tool
from shared.tools.toolbox import MOST_CALLS, TOOLS, answers_to, tools_named
from tests.shared.values import JSON_VALUES, PROPERTY


def tool(name: str, run: Any) -> Tool:
    return Tool(name=name, description="x", parameters={"type": "object"}, run=run)


def call(name: str, **arguments: object) -> ToolCall:
    return ToolCall(name=name, arguments=arguments)


async def _fails(_: Mapping[str, object]) -> str:
    raise ToolFailed("There is no such town.")


async def _sleeps(_: Mapping[str, object]) -> str:
    await asyncio.sleep(600)
    return "too late"


async def test_what_goes_wrong_is_an_answer_too() -> None:
    calls = [call("fails"), call("sleeps"), call("flies"), call("calculate", expression="1 + 1")]
    tools = (tool("fails", _fails), tool("sleeps", _sleeps), *TOOLS.values())
    answers = await answers_to(calls, tools, timeout_s=0.05)
    assert [answer.call for answer in answers] == calls
    assert [answer.is_error for answer in answers] == [True, True, True, False]
    assert answers[0].text == "There is no such town."
    assert answers[1].text.startswith("There was no answer within 0.05 seconds")
    assert answers[2].text == "There is no such function; there are: fails, sleeps, calculate."
    assert answers[3].text == "2"


async def test_calls_are_answered_side_by_side() -> None:
    met = asyncio.Barrier(3)

    async def meets(_: Mapping[str, object]) -> str:
        await met.wait()
        return "met"

    answers = await answers_to([call("meets")] * 3, [tool("meets", meets)])
    assert [answer.text for answer in answers] == ["met"] * 3


async def test_of_too_many_calls_the_first_are_done() -> None:
    calls = [call("calculate", expression=str(n)) for n in range(MOST_CALLS + 2)]
    answers = await answers_to(calls, TOOLS.values())
    assert [answer.call for answer in answers] == calls
    assert [answer.is_error for answer in answers] == [False] * MOST_CALLS + [True] * 2
    assert answers[-1].text.startswith("Not done: at most 16 calls")


def test_tools_come_in_one_order_however_they_are_named() -> None:
    assert tools_named(reversed([*TOOLS, "unheard-of"])) == tuple(TOOLS.values())
    assert tools_named([]) == ()


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
    answers = asyncio.run(answers_to(calls, TOOLS.values()))
    assert [answer.call for answer in answers] == calls
    assert all(answer.text for answer in answers)
