"""The headroom of a request: whatever the model writes, the exchange fits."""

from dataclasses import replace
from typing import Any

from shared.llm.gemini.model import GeminiModel
from shared.planning.options import PlanningOptions
from shared.planning.planner import NO_CALLS, NO_HEADROOM, make_plan
from shared.values.evolve import evolve
from shared.values.prompt import LEAST_SHORTENED, Headroom, Prompt, PromptTurn, TurnRole
from shared.values.retry import RetryBudget, RetryBudgets
from tests.shared.examples import NOW
from tests.shared.tools.toolboxes import DECLARED, answers_to
from tests.stories.play import Model

KINDS = ("send",)
PROMPT = Prompt(system="s", turns=(PromptTurn(role=TurnRole.USER, parts=("a question about rooms",)),))
GOOD = {"text": '{"tasks": [{"kind": "send", "text": "Hello."}]}'}
GIANT = {"text": f"BEGIN {'no plan ' * 30_000} END"}
LONG = "+".join(["1234567890"] * 15)


def calls(*expressions: str) -> dict[str, Any]:
    return {"function_calls": [{"name": "calculate", "args": {"expression": text}} for text in expressions]}


def options(most: int, tries: int = 3) -> PlanningOptions:
    """Return options with a headroom: texts are cut at their end, and a prompt says how much it leaves free."""

    def leaving(characters: int) -> Prompt:
        assert characters <= most
        return evolve(PROMPT, system=f"leaves {characters}")

    headroom = Headroom(most=most, leaving=leaving, shorten=lambda text, longest: text[:longest])
    budgets = RetryBudgets(reply=RetryBudget(tries=tries), tools=RetryBudget(tries=9))
    return PlanningOptions(clock=lambda: NOW, tools=DECLARED, answers_to=answers_to, budgets=budgets, headroom=headroom)


async def requests(script: Model, count: int) -> list[Any]:
    return [exchange["request"] for exchange in (await script.asked("a question about rooms"))[-count:]]


async def test_a_giant_reply_goes_back_shortened_and_leaves_room_for_the_next(
    gemini: GeminiModel, script: Model
) -> None:
    await script.will(GIANT, GIANT, GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, options(4_000))
    assert len(drafted.tasks) == 1
    first, second, third = await requests(script, 3)
    assert first["systemInstruction"]["parts"][0]["text"] == "s"
    one, two = (turn["parts"][0]["text"] for turn in third["contents"] if turn["role"] == "model")
    assert one.startswith("BEGIN no plan")
    assert len(one) > len(two) > 500
    said = sum(len(turn["parts"][0]["text"]) + 1 for turn in second["contents"][1:])
    assert second["systemInstruction"]["parts"][0]["text"] == f"leaves {said}"


async def test_a_short_reply_goes_back_as_it_was(gemini: GeminiModel, script: Model) -> None:
    await script.will({"text": "no plan"}, GOOD)
    await make_plan(gemini, PROMPT, KINDS, options(4_000))
    assert (await requests(script, 1))[0]["contents"][1]["parts"] == [{"text": "no plan"}]


async def test_without_room_for_a_correction_it_is_an_honest_failure(gemini: GeminiModel, script: Model) -> None:
    await script.will(*[GIANT] * 9)
    drafted = await make_plan(gemini, PROMPT, KINDS, options(2_000, tries=99))
    assert drafted.failure.startswith(f"the model gave no usable plan: {NO_HEADROOM}: There is no JSON")
    assert 3 <= len(drafted.calls) < 10


async def test_answers_of_tools_are_shortened_alike(gemini: GeminiModel, script: Model) -> None:
    asked = calls(*(f"oops({number})" for number in range(1, 10)))
    await script.will(asked, GOOD)
    await make_plan(gemini, PROMPT, KINDS, options(4_000))
    (whole,) = {part["functionResponse"]["response"]["error"] for part in await answers(script)}
    assert len(whole) > LEAST_SHORTENED
    await script.will(asked, GOOD)
    await make_plan(gemini, PROMPT, KINDS, options(2_900))
    (short,) = {part["functionResponse"]["response"]["error"] for part in await answers(script)}
    assert whole.startswith(short)
    assert LEAST_SHORTENED <= len(short) < len(whole)


async def answers(script: Model) -> list[Any]:
    parts: list[Any] = (await requests(script, 1))[0]["contents"][-1]["parts"]
    return parts


async def test_calls_that_have_no_room_are_not_answered_and_no_more_may_be_made(
    gemini: GeminiModel, script: Model
) -> None:
    await script.will(calls("1 + 1"), calls(*[LONG] * 16), GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, options(3_000))
    assert [call.problem for call in drafted.calls] == ["", NO_CALLS, ""]
    (last,) = await requests(script, 1)
    assert last["toolConfig"] == {"functionCallingConfig": {"mode": "NONE"}}
    assert [turn["role"] for turn in last["contents"]] == ["user", "model", "user", "model", "user"]
    assert LONG not in str(last["contents"])


async def test_without_a_room_nothing_is_shortened(gemini: GeminiModel, script: Model) -> None:
    await script.will(GIANT, calls(*[LONG] * 16), GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, replace(options(1), headroom=None))
    assert len(drafted.tasks) == 1
    (last,) = await requests(script, 1)
    assert last["contents"][1]["parts"] == [{"text": GIANT["text"]}]
    assert len(last["contents"][-1]["parts"]) == 16
