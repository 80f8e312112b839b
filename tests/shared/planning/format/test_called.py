"""Functions as markdown blocks: their descriptions for the model, and reading its calls."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.planning.format.called import answers_turn, calls_instructions, read_calls
from shared.tools.toolbox import TOOLS, tool_names
from shared.values.prompt import ToolAnswer, ToolCall, ToolDeclaration

ALL = tuple(tool.declaration for tool in TOOLS.values())
TEA, RICE = "https://tea.example/green?a=b", "https://rice.example/"


def calls(reply: str, tools: tuple[ToolDeclaration, ...] = ALL) -> list[tuple[str, dict[str, Any]]]:
    return [(call.name, call.arguments) for call in read_calls(reply, tool_names(), tools)]


@pytest.mark.parametrize(
    "reply",
    [
        f"# «retrieve»\n\n{TEA}\n{RICE}",
        f"# «retrieve» {TEA}\n{RICE}",
        f"## <<retrieve>>\n- <{TEA}>\n- {RICE}\n\n",
        f"<think>I need both.</think>\n```markdown\n# «retrieve»\n\n1. {TEA}\n2. {RICE}\n```",
    ],
)
def test_addresses_stand_on_lines(reply: str) -> None:
    assert calls(reply) == [("retrieve", {"urls": [TEA, RICE]})]


@pytest.mark.parametrize(
    ("reply", "call"),
    [
        ("# «calculate»\n\n3 * (4 + 5)", ("calculate", {"expression": "3 * (4 + 5)"})),
        ("# «calculate» 3*4", ("calculate", {"expression": "3*4"})),
        ("# «search»\n\nhow: to brew = tea", ("search", {"query": "how: to brew = tea"})),
        ("# «convert»\n\nvalue: 5\nfrom: mile\nto: km", ("convert", {"value": 5, "from": "mile", "to": "km"})),
        ("# «convert» value=2.5 from=mile to=km", ("convert", {"value": 2.5, "from": "mile", "to": "km"})),
        ("# «convert»\n- value: 1,000\n- from: m", ("convert", {"value": 1000, "from": "m"})),
        ("# «convert»\nvalue: nan\nto: km", ("convert", {"value": "nan", "to": "km"})),
        ("# «weather»\n\nplace: Springfield, Illinois", ("weather", {"place": "Springfield, Illinois"})),
        ("# «weather»", ("weather", {})),
    ],
)
def test_other_functions_have_lines_by_name_or_one_text(reply: str, call: tuple[str, dict[str, Any]]) -> None:
    assert calls(reply) == [call]


def test_calls_stand_among_tasks_and_in_their_order() -> None:
    reply = f"# «send»\n\nWait.\n\n# «retrieve»\n\n{TEA}\n\n# «think»\n\nHm.\n\n# «calculate»\n\n1+1"
    assert [name for name, _ in calls(reply)] == ["retrieve", "calculate"]


@pytest.mark.parametrize("reply", ["", "hello", "# «send»\n\n# retrieve\nhttps://a.example", "# «Retrieve»"])
def test_a_reply_without_one_calls_nothing(reply: str) -> None:
    assert calls(reply) == []


def test_one_that_may_be_called_no_more_is_a_call_all_the_same() -> None:
    assert calls(f"# «retrieve»\n{TEA}", tools=()) == [("retrieve", {})]


@given(st.text(), st.sampled_from(tool_names()))
def test_whatever_stands_below_it_is_a_call(text: str, name: str) -> None:
    assert all(called in tool_names() for called, _ in calls(f"# «{name}»\n{text}"))


def test_each_function_is_told_with_what_it_takes() -> None:
    text = calls_instructions(ALL)
    assert "`# «retrieve»` with its `urls` below it, each on a line of its own (Complete addresses" in text
    assert "`# «convert»` with lines below it: `value: …`, `from: …" in text
    assert "`country: …` (The country's two-letter code, if known: US; may be left out)" in text
    assert all(tool.description in text for tool in ALL)
    assert calls_instructions(()) == ""


def test_answers_are_a_turn_of_texts_that_name_who_answers() -> None:
    first, second = (ToolCall(name=name, arguments={}) for name in ("retrieve", "weather"))
    turn = answers_turn([ToolAnswer(call=first, text="Tea."), ToolAnswer(call=second, text="No town.", is_error=True)])
    assert turn.parts == ("[answer of `retrieve`]\nTea.", "[failure of `weather`]\nNo town.", "[RESPOND]")
