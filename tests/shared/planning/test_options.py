"""Defaults of planning."""

from shared.llm.gemini.model import GeminiModel
from shared.planning.options import PlanningOptions, answer_no_calls
from shared.planning.planner import NO_CALLS, make_plan
from shared.values.prompt import Prompt, PromptTurn, ToolCall, TurnRole
from tests.shared.examples import NOW
from tests.stories.play import Model

PROMPT = Prompt(system="s", turns=(PromptTurn(role=TurnRole.USER, parts=("a question without options",)),))


async def test_plans_are_json_and_nothing_may_be_called(gemini: GeminiModel, script: Model) -> None:
    await script.will({"function_calls": [{"name": "read", "args": {}}]}, {"text": '{"tasks": []}'})
    result = await make_plan(gemini, PROMPT, ("send",), PlanningOptions(clock=lambda: NOW))
    assert [call.problem for call in result.calls] == [NO_CALLS, ""]
    assert await answer_no_calls([ToolCall(name="read", arguments={})], False) == ()
