"""The planner: asks until the reply is a plan, and says honestly if there is none."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.base.errors import ModelUnavailable
from shared.llm.gemini.model import GeminiModel
from shared.planning.format.raw_task import ReplyProblem
from shared.planning.format.reply import ParsedReply
from shared.planning.format.schema import plan_schema
from shared.planning.options import RETRY_HINTS, PlanningOptions
from shared.planning.planner import BAD_CALL, CUT_SHORT, ECHOED, KNOWN, NO_CALLS, THOUGHT_OUT, make_plan
from shared.tasks.send import Send
from shared.values.agent import Codec
from shared.values.evolve import evolve
from shared.values.prompt import Prompt, PromptTurn, TurnRole
from shared.values.retry import RetryBudget, RetryBudgets
from tests.shared.examples import NOW, PROPERTY
from tests.shared.tools.toolboxes import DECLARED, answers_to
from tests.stories.play import Model

KINDS = ("send", "wait")
PROMPT = Prompt(system="s", turns=(PromptTurn(role=TurnRole.USER, parts=("a question for the planner",)),))
GOOD = {"text": '{"tasks": [{"kind": "send", "text": "Hello."}]}'}
BAD = {"text": "no plan"}
OPTIONS = PlanningOptions(clock=lambda: NOW)
CALCULATING = replace(OPTIONS, tools=DECLARED, answers_to=answers_to)


def calls(*expressions: str, **more: Any) -> dict[str, Any]:
    """Return a reply that calls the calculator."""
    asked = [{"name": "calculate", "args": {"expression": text}} for text in expressions]
    return {"function_calls": asked, **more}


def with_tries(*, reply: int, tools: int) -> PlanningOptions:
    return replace(CALCULATING, budgets=RetryBudgets(reply=RetryBudget(tries=reply), tools=RetryBudget(tries=tools)))


def answers_in(request: Any) -> list[Any]:
    """Return the answers of tools in a request, in order."""
    parts = [part for turn in request["contents"] for part in turn["parts"]]
    return [part["functionResponse"]["response"] for part in parts if "functionResponse" in part]


async def asked(script: Model) -> Any:
    """Return the last request that a test of this module made."""
    return (await script.asked("a question for the planner"))[-1]["request"]


async def test_a_correction_is_no_answer(gemini: GeminiModel, script: Model) -> None:
    """A model of 1.5 billion parameters sent people notes about its corrected reply in two of three messages."""
    told = "Nobody is to read this. Write the plan again."
    drafts = iter([ReplyProblem(told)])
    reviewed = replace(OPTIONS, review=lambda parsed, _: next(drafts, parsed))
    await script.will(GOOD, {"tasks": {"tasks": [{"kind": "send", "text": f"Hm: {told}"}]}}, GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, reviewed)
    assert [call.problem for call in drafted.calls] == [told, ECHOED, ""]
    assert drafted.tasks == (Send(id="1", text="Hello."),)


async def test_where_the_prompt_names_no_messages_no_task_does(gemini: GeminiModel, script: Model) -> None:
    react = {"kind": "react", "emoji": "👍", "message_id": 5}
    await script.will({"tasks": {"tasks": [react, {"kind": "send", "text": "Hello.", "reply_to": 5}]}})
    options = replace(OPTIONS, names_messages=False)
    drafted = await make_plan(gemini, PROMPT, (*KINDS, "react"), options)
    assert [task.kind for task in drafted.tasks] == ["send"]
    assert [task.reply_to for task in drafted.tasks if isinstance(task, Send)] == [None]
    schema = (await asked(script))["generationConfig"]["responseJsonSchema"]
    assert schema == plan_schema((*KINDS, "react"), names_messages=False)


async def test_a_good_reply_is_a_plan_at_once(gemini: GeminiModel, script: Model) -> None:
    await script.will(GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, OPTIONS)
    assert [task.kind for task in drafted.tasks] == ["send"]
    assert (drafted.failure, len(drafted.calls), drafted.calls[0].problem) == ("", 1, "")
    request = await asked(script)
    assert len(request["contents"]) == 1
    assert request["generationConfig"]["responseJsonSchema"] == plan_schema(KINDS)


async def test_a_plan_of_markdown_is_asked_for_without_a_schema(gemini: GeminiModel, script: Model) -> None:
    await script.will({"text": "# «dance»"}, {"text": "# «send»\n\nHello."})
    drafted = await make_plan(gemini, PROMPT, KINDS, replace(OPTIONS, codec=Codec.MARKDOWN))
    assert drafted.tasks == (Send(id="1", text="Hello."),)
    assert "send, wait" in drafted.calls[0].problem
    assert (await asked(script))["generationConfig"] == {}


async def test_what_is_written_is_told_as_it_comes_and_anew_after_a_correction(
    gemini: GeminiModel, script: Model
) -> None:
    told: list[str] = []
    await script.will({**BAD, "chunks": 2}, {**GOOD, "chunks": 3})
    drafted = await make_plan(gemini, PROMPT, KINDS, replace(OPTIONS, on_text=told.append))
    assert len(drafted.tasks) == 1
    assert told[:2] == ["no p", "no plan"]
    assert len(told) == 5
    assert told[-1] == GOOD["text"]
    assert all(GOOD["text"].startswith(text) for text in told[2:])


async def test_silence_is_a_plan_too(gemini: GeminiModel, script: Model) -> None:
    await script.will({"text": '{"tasks": []}'})
    drafted = await make_plan(gemini, PROMPT, KINDS, OPTIONS)
    assert (drafted.tasks, drafted.failure) == ((), "")


@pytest.mark.parametrize(
    "bad",
    [
        BAD,
        {"text": ""},
        {"text": '{"tasks": [{"kind": "dance"}]}'},
        {**GOOD, "finish_reason": "MAX_TOKENS"},
        {**GOOD, "finish_reason": "CONTINUATION"},
    ],
)
async def test_a_bad_reply_goes_back_with_what_was_wrong(
    gemini: GeminiModel, script: Model, bad: dict[str, str]
) -> None:
    await script.will(bad, GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, OPTIONS)
    assert len(drafted.tasks) == 1
    first, second = drafted.calls
    assert first.problem
    assert second.problem == ""
    own, correction = (await asked(script))["contents"][1:]
    assert own == {"role": "model", "parts": [{"text": bad["text"] or "(nothing)"}]}
    assert correction == {"role": "user", "parts": [{"text": f"{first.problem}\n[RESPOND]"}]}


async def test_a_reply_that_was_cut_off_is_refused_even_if_it_could_be_read(gemini: GeminiModel, script: Model) -> None:
    await script.will({**GOOD, "finish_reason": "MAX_TOKENS"}, GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, OPTIONS)
    assert drafted.calls[0].problem == CUT_SHORT


@pytest.mark.parametrize(
    ("thoughts", "problem", "limits"),
    [(90, THOUGHT_OUT, [100, 200, 400]), (10, CUT_SHORT, [100, 100, 100])],
)
async def test_only_a_model_whose_thoughts_took_the_room_gets_more_of_it(
    gemini: GeminiModel, script: Model, thoughts: int, problem: str, limits: list[int]
) -> None:
    cut = {
        "text": '{"tasks": [', "finish_reason": "MAX_TOKENS", "times": 2,
        "usage": {"thoughtsTokenCount": thoughts, "candidatesTokenCount": 100 - thoughts},
    }  # fmt: skip
    await script.will(cut, GOOD)
    drafted = await make_plan(gemini, evolve(PROMPT, reply_tokens=100), KINDS, OPTIONS)
    assert [call.problem for call in drafted.calls] == [problem, problem, ""]
    requests = [exchange["request"] for exchange in await script.asked("a question for the planner")][-3:]
    assert [request["generationConfig"]["maxOutputTokens"] for request in requests] == limits


async def test_after_two_corrections_it_is_an_honest_failure(gemini: GeminiModel, script: Model) -> None:
    await script.will({**BAD, "times": 9})
    drafted = await make_plan(gemini, PROMPT, KINDS, OPTIONS)
    assert drafted.tasks == ()
    assert drafted.failure.startswith("the model gave no usable plan: given up after 3 tries: There is no JSON")
    assert len(drafted.calls) == RetryBudgets().reply.tries == 3


@pytest.mark.parametrize("before", [(), (BAD,)])
async def test_a_refusal_ends_it(gemini: GeminiModel, script: Model, before: Sequence[dict[str, str]]) -> None:
    await script.will(*before, {"status": 400})
    drafted = await make_plan(gemini, PROMPT, KINDS, OPTIONS)
    assert drafted.tasks == ()
    assert drafted.failure.startswith("Gemini answered 400")
    assert len(drafted.calls) == len(before)


def stopped(finish: str) -> dict[str, Any]:
    return {"candidates": [{"finishReason": finish}]}


@pytest.mark.parametrize("finish", RETRY_HINTS)
async def test_an_answer_that_is_stopped_for_its_words_is_asked_for_once_more(
    gemini: GeminiModel, script: Model, finish: str
) -> None:
    await script.will(stopped(finish), GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, OPTIONS)
    assert ([task.words for task in drafted.tasks], drafted.failure) == (["Hello."], "")
    assert [call.problem for call in drafted.calls] == [RETRY_HINTS[finish], ""]
    assert RETRY_HINTS[finish] in str((await asked(script))["contents"][-1])


@pytest.mark.parametrize("again", RETRY_HINTS)
async def test_stopped_twice_it_is_an_honest_failure(gemini: GeminiModel, script: Model, again: str) -> None:
    await script.will(stopped("RECITATION"), stopped(again), GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, OPTIONS)
    assert (drafted.tasks, drafted.failure) == ((), f"Gemini blocked its answer ({again})")


@pytest.mark.parametrize("finish", ["SAFETY", "PROHIBITED_CONTENT", "SPII", "BLOCKLIST"])
async def test_what_was_refused_for_safety_is_not_asked_again(gemini: GeminiModel, script: Model, finish: str) -> None:
    await script.will(stopped(finish), GOOD)
    assert (await make_plan(gemini, PROMPT, KINDS, OPTIONS)).tasks == ()


@pytest.mark.parametrize(
    "refusal",
    [
        stopped("MISSING_THOUGHT_SIGNATURE"),
        {"status": 400, "error": "Function call is missing a thought_signature in functionCall parts."},
        {"status": 400, "error": "The thoughtSignature of a call is not valid."},
    ],
)
async def test_calls_whose_signatures_are_missing_are_told_in_words(
    gemini: GeminiModel, script: Model, refusal: dict[str, Any]
) -> None:
    await script.will(calls("1 + 1"), refusal, GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, CALCULATING)
    assert [task.words for task in drafted.tasks] == ["Hello."]
    request = await asked(script)
    assert "functionCall'" not in str(request["contents"])
    assert "[answer of `calculate`]" in str(request)


async def test_a_model_that_is_away_is_the_callers_to_answer(gemini: GeminiModel, script: Model) -> None:
    await script.will(BAD, {"status": 503, "times": 2})
    with pytest.raises(ModelUnavailable):
        await make_plan(gemini, PROMPT, KINDS, OPTIONS)


async def test_what_the_model_asks_of_a_tool_is_answered_before_it_plans(gemini: GeminiModel, script: Model) -> None:
    await script.will(calls("0.17 * 2340", "1 / 0", text="Let me see."), GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, CALCULATING)
    assert [task.kind for task in drafted.tasks] == ["send"]
    assert [call.problem for call in drafted.calls] == ["", ""]
    request = await asked(script)
    assert answers_in(request) == [{"output": "397.8"}, {"error": "This divides by zero."}]
    assert [turn["role"] for turn in request["contents"]] == ["user", "model", "user"]
    (declared,) = request["tools"][0]["functionDeclarations"]
    assert declared["name"] == "calculate"
    assert request["generationConfig"]["responseJsonSchema"] == plan_schema(KINDS)
    assert "toolConfig" not in request


async def test_without_tools_none_are_declared_and_a_call_goes_back(gemini: GeminiModel, script: Model) -> None:
    await script.will(calls("1 + 1"), calls("1 + 1", **GOOD))
    drafted = await make_plan(gemini, PROMPT, KINDS, OPTIONS)
    assert len(drafted.tasks) == 1
    assert [call.problem for call in drafted.calls] == [NO_CALLS, ""]
    assert "tools" not in await asked(script)


async def test_after_the_last_round_the_model_must_answer(gemini: GeminiModel, script: Model) -> None:
    await script.will(*[calls(f"{n} + 1") for n in range(8)], GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, CALCULATING)
    assert (len(drafted.tasks), len(drafted.calls)) == (1, RetryBudgets().tools.tries + 1)
    requests = [exchange["request"] for exchange in (await script.asked("a question for the planner"))[-9:]]
    assert [request.get("toolConfig") for request in requests[:8]] == [None] * 8
    assert requests[8]["toolConfig"] == {"functionCallingConfig": {"mode": "NONE"}}
    assert answers_in(requests[8]) == [{"output": str(n + 1)} for n in range(8)]


async def test_rounds_of_tools_use_up_no_replies_and_replies_no_rounds(gemini: GeminiModel, script: Model) -> None:
    await script.will(BAD, calls("1"), calls("2"), BAD, calls("3"), GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, with_tries(reply=3, tools=3))
    assert len(drafted.tasks) == 1
    assert [bool(call.problem) for call in drafted.calls] == [True, False, False, True, False, False]
    await script.will(BAD, calls("1"), BAD, calls("2"), BAD)
    drafted = await make_plan(gemini, PROMPT, KINDS, with_tries(reply=3, tools=9))
    assert drafted.failure.startswith("the model gave no usable plan: given up after 3 tries")
    assert len(drafted.calls) == 5


async def test_who_asks_the_same_again_is_told_so_and_has_to_answer(gemini: GeminiModel, script: Model) -> None:
    before = len(await script.asked("a question for the planner"))
    await script.will(calls("1 + 1"), calls("1 + 1"), GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, CALCULATING)
    assert [task.words for task in drafted.tasks] == ["Hello."]
    assert len(await script.asked("a question for the planner")) - before == 3
    request = await asked(script)
    assert KNOWN in str(answers_in(request)[1])
    assert request["toolConfig"]["functionCallingConfig"]["mode"] == "NONE"


async def test_the_same_twice_at_once_is_answered_once(gemini: GeminiModel, script: Model) -> None:
    await script.will(calls("1 + 1", "1 + 1", "1 + 2", "1 + 1"), GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, CALCULATING)
    assert len(drafted.tasks) == 1
    assert [KNOWN in str(one) for one in answers_in(await asked(script))] == [False, True, False, True]


async def test_what_failed_is_tried_once_more_and_then_known(gemini: GeminiModel, script: Model) -> None:
    await script.will(*[calls("1 / 0")] * 3, GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, CALCULATING)
    assert (len(drafted.tasks), len(drafted.calls)) == (1, 4)
    request = await asked(script)
    assert [KNOWN in str(one) for one in answers_in(request)] == [False, False, True]
    assert request["toolConfig"]["functionCallingConfig"]["mode"] == "NONE"


async def test_who_asks_something_new_beside_goes_on(gemini: GeminiModel, script: Model) -> None:
    await script.will(calls("1 + 1"), calls("1 + 1", "1 + 2"), calls("5 * 5"), GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, CALCULATING)
    assert len(drafted.tasks) == 1
    assert [KNOWN in str(one) for one in answers_in(await asked(script))] == [False, True, False, False]


async def test_a_model_that_calls_on_and_on_is_told_so_and_given_up(gemini: GeminiModel, script: Model) -> None:
    await script.will(calls("1", times=99))
    drafted = await make_plan(gemini, PROMPT, KINDS, with_tries(reply=2, tools=2))
    assert drafted.failure.endswith(NO_CALLS)
    assert [call.problem for call in drafted.calls] == ["", "", NO_CALLS, NO_CALLS]
    assert len(answers_in(await asked(script))) == 2


async def test_who_calls_a_function_where_there_is_none_is_told_so(gemini: GeminiModel, script: Model) -> None:
    await script.will({"finish_reason": "MALFORMED_FUNCTION_CALL"}, GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, OPTIONS)
    assert [call.problem for call in drafted.calls] == [NO_CALLS, ""]


@pytest.mark.parametrize("reason", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"])
async def test_a_call_that_cannot_be_read_is_a_reply_that_cannot_be_used(
    gemini: GeminiModel, script: Model, reason: str
) -> None:
    await script.will({"finish_reason": reason}, GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, CALCULATING)
    assert len(drafted.tasks) == 1
    assert [call.problem for call in drafted.calls] == [BAD_CALL, ""]


async def test_a_call_that_was_cut_off_is_not_run(gemini: GeminiModel, script: Model) -> None:
    await script.will(calls("1 + 1", finish_reason="MAX_TOKENS"), GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, CALCULATING)
    assert [call.problem for call in drafted.calls] == [CUT_SHORT, ""]
    assert answers_in(await asked(script)) == []


async def test_a_refusal_after_a_round_keeps_what_it_took(gemini: GeminiModel, script: Model) -> None:
    await script.will(calls("1"), {"status": 400})
    drafted = await make_plan(gemini, PROMPT, KINDS, CALCULATING)
    assert (len(drafted.calls), drafted.tasks) == (1, ())
    assert drafted.failure.startswith("Gemini answered 400")


async def test_a_plan_is_sent_back_by_review_once_however_many_rounds_there_are(
    gemini: GeminiModel, script: Model
) -> None:
    allowed: list[bool] = []

    def review(parsed: ParsedReply, may_send_back: bool) -> ParsedReply | ReplyProblem:
        allowed.append(may_send_back)
        return ReplyProblem("Not like this.") if may_send_back else parsed

    await script.will(calls("1"), GOOD, calls("2"), GOOD)
    drafted = await make_plan(gemini, PROMPT, KINDS, replace(CALCULATING, review=review))
    assert (len(drafted.tasks), allowed) == (1, [True, False])


#: the possible next replies of a model, with the worst ones
TURNS = st.lists(
    st.sampled_from(["calls", "bad", "cut", "misspelt", "calls_and_talks", "nameless", "good"]), max_size=9
)
REPLIES: dict[str, dict[str, Any]] = {
    "calls": calls("1"), "bad": BAD, "cut": {**GOOD, "finish_reason": "MAX_TOKENS"}, "good": GOOD,
    "misspelt": {"finish_reason": "MALFORMED_FUNCTION_CALL"}, "calls_and_talks": calls("1", text="hm"),
    "nameless": {"function_calls": [{"args": {}}]},
}  # fmt: skip


@settings(PROPERTY, max_examples=30)
@given(TURNS, st.integers(1, 3), st.integers(1, 3))
async def test_whatever_the_model_does_it_is_asked_no_more_than_the_budgets_say(
    gemini: GeminiModel, script: Model, turns: list[str], most_replies: int, most_rounds: int
) -> None:
    await script.clear()
    await script.will(*[REPLIES[turn] for turn in turns], {**calls("1"), "times": None})
    drafted = await make_plan(gemini, PROMPT, KINDS, with_tries(reply=most_replies, tools=most_rounds))
    unusable = [call for call in drafted.calls if call.problem]
    rounds = len(drafted.calls) - len(unusable) - (not drafted.failure)
    assert len(unusable) <= most_replies
    assert rounds <= most_rounds
    assert bool(drafted.failure) is (len(unusable) == most_replies)
    assert len(drafted.tasks) == (0 if drafted.failure else 1)
