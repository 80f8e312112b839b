"""Calls of tools in a text for people are found in every spelling; talk about calculating and code do not count."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.planning.guard.calls import may_become_call, unfinished_block, without_calls
from tests.shared.examples import PROPERTY
from tests.shared.planning.prompt.scenes import TEXTS

TOOLS = frozenset({"calculate"})
JSON_CALL = '{"name":"calculate","arguments":{"expression":"2+2"}}'
SPELLINGS = (
    JSON_CALL,
    '{"name": "default_api.calculate", "args": {}}',
    '[{"function": {"name": "calculate", "arguments": "{}"}}]',
    '{"tool_calls": [{"id": "1", "type": "function", "function": {"name": "calculate", "arguments": "{}"}}]}',
    '{"functionCall": {"name": "calculate", "args": {"expression": "2+2"}}}',
    '{"tool": "calculate", "expression": "2+2"}',
    '{"calculate": {"expression": "2+2"}}',
    '{"name": "calculate", "arguments": {"expression": "2+',
    "tool_code\nprint(calculate(expression='2+2'))",
    "tool_code\nx = calculate('2+2')\nprint(x)",
    "print(calculate(expression='2+2'))",
    "default_api.calculate(expression='(1+2)*((3))')",
    "calculate(expression=(1+2)*(3+(4)))",
    '[calculate(expression="a \\" b")]',
    "calculate(expression='2+",
    f"<tool_call>\n{JSON_CALL}\n</tool_call>",
    f"<tool_call>{JSON_CALL}",
    "```tool_code\nprint(calculate(expression='2+2'))\n```",
    f"```json\n{JSON_CALL}\n```",
    f"```\n{JSON_CALL}\n```",
)


@pytest.mark.parametrize("call", SPELLINGS)
def test_a_call_is_found_and_nothing_of_it_is_left(call: str) -> None:
    assert without_calls(call, TOOLS) == ""
    assert without_calls(call, frozenset()) is None, "nobody told the model of such a tool"
    assert without_calls(call, frozenset({"weather"})) is None


@pytest.mark.parametrize("call", SPELLINGS[:-2])
def test_what_was_said_before_it_is_left(call: str) -> None:
    assert without_calls(f"Let me see.\n\n{call}", TOOLS) == "Let me see."


@pytest.mark.parametrize(
    "text",
    [
        *("I can calculate that.", "calculate(x) is a function", "calculate (roughly) = 5", "calculate(a == b)"),
        *('{"name": "Ann", "arguments": []}', '{"name": "calculate"}', "tool_code is a word", "recalculate(n=1)"),
        *("`calculate(expression='2+2')`", f"So:\n\n```json\n{JSON_CALL}\n```", "# calculate\n", "x.calculate(n=1)"),
        *("```py\nprint(calculate(expression='2'))  \n\n\n```", "    calculate(n=1)"),
        *('["calculate", 1]', '{"calculate": 1}'),
    ],
)  # fmt: skip
def test_talk_about_it_is_no_call(text: str) -> None:
    assert without_calls(text, TOOLS) is None


PIECES = TEXTS | st.sampled_from(
    ["calculate ", "print(2)", '{"name": "Ann"}', "tool_code", "(", ")", "\n", "= 4", "{", "`"]
)
SHAPE = re.compile(r"calculate(?=\W*\()|[\[{]\W*(?=.*calculate)|tool_code(?=\s*\n)", re.DOTALL)


@PROPERTY
@given(st.lists(PIECES, max_size=8).map("".join))
def test_a_text_without_their_shapes_has_none(text: str) -> None:
    text = SHAPE.sub("", text)
    assert without_calls(text, TOOLS) is None


@pytest.mark.parametrize(
    "begun",
    [
        *(
            "calc",
            "calculate",
            "calculate(",
            "print(calc",
            "print(",
            "default_api.",
            "default_api.calculate(x",
            "tool_c",
        ),
        *("tool_code\nx = 5\n", "<tool_call>\n{}", '{"na', '{"name": "Ann", ', '[{"a": {}', "prin"),
    ],
)
def test_what_may_become_one_is_known_from_its_begin(begun: str) -> None:
    assert may_become_call(f"Well, so.\n{begun}", TOOLS) == len("Well, so.\n")


def test_without_tools_nothing_may_become_one() -> None:
    assert may_become_call("print(", frozenset()) == 6
    assert may_become_call("Hello there", TOOLS) == 11


@pytest.mark.parametrize(
    ("text", "start"),
    [("a\n```too", 2), ("a\n```tool_code\nx", 2), ('```json\n{"a"', 0), ("```py\nx = {", 11), ('a\n```\n{"b"', 10)],
)
def test_a_block_that_may_be_one_is_held_while_it_is_written(text: str, start: int) -> None:
    assert unfinished_block(text) == start


@pytest.mark.parametrize("unit", ["<tool_call>", "tool_code\n", "calculate(", "print(calculate(", "[calculate(x="])
def test_what_a_model_repeats_for_ever_is_read_to_its_end(unit: str) -> None:
    text = f"calculate\n{unit * (60_000 // len(unit))}x"
    assert len(without_calls(text, TOOLS) or "") <= len(text)


def test_a_block_that_names_no_tool_stays() -> None:
    text = "I can calculate.\n\n<tool_call>nothing</tool_call>\n\ntool_code\nnothing"
    assert without_calls(text, TOOLS) is None
