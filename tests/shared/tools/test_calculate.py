"""`calculate`: exact answers to people's questions, and an immediate answer to anything else."""

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.errors import ToolFailed
from shared.tools.calculate import CONSTANTS, FUNCTIONS, TOOL
from tests.shared.examples import JSON_VALUES, PROPERTY
from tests.shared.tools.expressions import EXPRESSIONS
from tests.shared.tools.toolboxes import CONTEXT

#: more digits than the longest number has, with its sign, point and zeros
LONGEST_ANSWER = 1_100


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("0.17 * 2340", "397.8"),
        ("0.1 + 0.2", "0.3"),
        ("19.99 * 3", "59.97"),
        ("1250 * 1.035 ** 10", "1763.24845077640272814024658203125"),
        ("round(1250 * 1.035 ** 10, 2)", "1763.25"),
        ("2^64", "18446744073709551616"),
        ("1/3", "≈ 0.333333333333"),
        ("2/4", "0.5"),
        ("sqrt(2)", "≈ 1.41421356237"),
        ("sqrt(16)", "4"),
        ("sin(pi)", "≈ 0"),
        ("-0.0", "0"),
        ("100 - 7 // 2", "97"),
        ("(84 + 91 + 77) / 3", "84"),
        ("mean(84, 91, 77)", "84"),
        ("10 ** 20 + 0.5", "100000000000000000000.5"),
        ("10 ** 39 + 0.5", "≈ 1000000000000000000000000000000000000000"),
        ("1 / 10 ** 30", "1E-30"),
        ("e ** 200", "≈ 7.22597376813E+86"),
        ("comb(49, 6)", "13983816"),
        ("60 × 60 ÷ 24 − 1", "149"),
    ],
)
async def test_what_people_ask(asked: str, answer: str) -> None:
    assert await TOOL.run({"expression": asked}, CONTEXT) == answer


def test_it_is_declared_with_all_that_it_knows() -> None:
    told = TOOL.declaration
    jsonschema.Draft202012Validator.check_schema(told.parameters)
    jsonschema.validate({"expression": "1"}, told.parameters)
    assert all(name in told.description for name in (*FUNCTIONS, *CONSTANTS))
    assert len(told.description) < 1_000


@PROPERTY
@given(EXPRESSIONS)
async def test_anything_is_a_short_answer_or_a_sentence(expression: str) -> None:
    try:
        answer = await TOOL.run({"expression": expression}, CONTEXT)
    except ToolFailed as failure:
        answer = str(failure)
    assert 0 < len(str(answer)) < LONGEST_ANSWER


@PROPERTY
@given(st.dictionaries(st.text(max_size=9) | st.just("expression"), JSON_VALUES, max_size=3))
async def test_arguments_may_be_anything(arguments: dict[str, object]) -> None:
    if isinstance(arguments.get("expression"), str):
        return
    with pytest.raises(ToolFailed, match="Give the expression as a text"):
        await TOOL.run(arguments, CONTEXT)
