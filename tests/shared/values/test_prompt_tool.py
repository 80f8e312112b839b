"""Calls of tools and their answers are stored unchanged."""

from hypothesis import given
from hypothesis import strategies as st

from shared.values.prompt import PromptTurn, ToolAnswer, ToolCall, ToolDeclaration, TurnRole
from tests.shared.examples import PROPERTY

VALUES: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@PROPERTY
@given(st.text(), st.text(), st.dictionaries(st.text(), VALUES, max_size=4), st.booleans())
def test_a_turn_of_answers_comes_back_from_json_as_it_was(
    call_id: str, name: str, arguments: dict[str, object], is_error: bool
) -> None:
    call = ToolCall(id=call_id, name=name, arguments=arguments)
    turn = PromptTurn(role=TurnRole.USER, answers=(ToolAnswer(call=call, text="x", is_error=is_error),))
    assert PromptTurn.model_validate(turn.model_dump()) == turn
    assert call.arguments == arguments


def test_a_declaration_says_what_a_tool_takes() -> None:
    told = ToolDeclaration(name="f", description="Does f.", parameters={"type": "object"})
    assert told.model_dump() == {"name": "f", "description": "Does f.", "parameters": {"type": "object"}}
