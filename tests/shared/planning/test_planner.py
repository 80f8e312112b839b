"""The planner: asks until the reply is a plan, and says honestly when there is none."""

from collections.abc import Sequence
from typing import Any

import pytest

from shared.adapters.gemini import GeminiModel
from shared.errors import ModelUnavailable
from shared.models.agent import Codec
from shared.models.plan import Send
from shared.models.prompt import Prompt, PromptTurn, Role
from shared.planning.planner import CUT_SHORT, MOST_CORRECTIONS, Terms, draft_plan
from shared.planning.schema import plan_schema
from tests.stories.play import Model

KINDS = ("send", "wait")
PROMPT = Prompt(system="s", turns=(PromptTurn(role=Role.USER, parts=("a question for the planner",)),))
GOOD = {"text": '{"tasks": [{"kind": "send", "text": "Hello."}]}'}
BAD = {"text": "no plan"}


async def asked(script: Model) -> Any:
    """The last request that a test of this module made."""
    return (await script.asked("a question for the planner"))[-1]["request"]


async def test_a_good_reply_is_a_plan_at_once(gemini: GeminiModel, script: Model) -> None:
    await script.will(GOOD)
    drafted = await draft_plan(gemini, PROMPT, KINDS)
    assert [task.kind for task in drafted.tasks] == ["send"]
    assert (drafted.failure, len(drafted.calls), drafted.calls[0].problem) == ("", 1, "")
    request = await asked(script)
    assert len(request["contents"]) == 1
    assert request["generationConfig"]["responseJsonSchema"] == plan_schema(KINDS)


async def test_a_plan_of_markdown_is_asked_for_without_a_schema(gemini: GeminiModel, script: Model) -> None:
    await script.will({"text": "# «dance»"}, {"text": "# «send»\n\nHello."})
    drafted = await draft_plan(gemini, PROMPT, KINDS, Terms(codec=Codec.MARKDOWN))
    assert drafted.tasks == (Send(id="1", text="Hello."),)
    assert "send, wait" in drafted.calls[0].problem
    assert (await asked(script))["generationConfig"] == {}


async def test_what_is_written_is_told_as_it_comes_and_anew_after_a_correction(
    gemini: GeminiModel, script: Model
) -> None:
    told: list[str] = []
    await script.will({**BAD, "chunks": 2}, {**GOOD, "chunks": 3})
    drafted = await draft_plan(gemini, PROMPT, KINDS, Terms(on_text=told.append))
    assert len(drafted.tasks) == 1
    assert told[:2] == ["no p", "no plan"]
    assert len(told) == 5
    assert told[-1] == GOOD["text"]
    assert all(GOOD["text"].startswith(text) for text in told[2:])


async def test_silence_is_a_plan_too(gemini: GeminiModel, script: Model) -> None:
    await script.will({"text": '{"tasks": []}'})
    drafted = await draft_plan(gemini, PROMPT, KINDS)
    assert (drafted.tasks, drafted.failure) == ((), "")


@pytest.mark.parametrize(
    "bad", [BAD, {"text": ""}, {"text": '{"tasks": [{"kind": "dance"}]}'}, {**GOOD, "finish_reason": "MAX_TOKENS"}]
)
async def test_a_bad_reply_goes_back_with_what_was_wrong(
    gemini: GeminiModel, script: Model, bad: dict[str, str]
) -> None:
    await script.will(bad, GOOD)
    drafted = await draft_plan(gemini, PROMPT, KINDS)
    assert len(drafted.tasks) == 1
    first, second = drafted.calls
    assert first.problem
    assert second.problem == ""
    own, correction = (await asked(script))["contents"][1:]
    assert own == {"role": "model", "parts": [{"text": bad["text"] or "(nothing)"}]}
    assert correction == {"role": "user", "parts": [{"text": f"{first.problem}\n[RESPOND]"}]}


async def test_a_reply_that_was_cut_off_is_refused_even_if_it_could_be_read(gemini: GeminiModel, script: Model) -> None:
    await script.will({**GOOD, "finish_reason": "MAX_TOKENS"}, GOOD)
    drafted = await draft_plan(gemini, PROMPT, KINDS)
    assert drafted.calls[0].problem == CUT_SHORT


async def test_after_two_corrections_it_is_an_honest_failure(gemini: GeminiModel, script: Model) -> None:
    await script.will({**BAD, "times": 9})
    drafted = await draft_plan(gemini, PROMPT, KINDS)
    assert drafted.tasks == ()
    assert drafted.failure.startswith("the model gave no usable plan: ")
    assert len(drafted.calls) == 1 + MOST_CORRECTIONS


@pytest.mark.parametrize("before", [(), (BAD,)])
async def test_a_refusal_ends_it(gemini: GeminiModel, script: Model, before: Sequence[dict[str, str]]) -> None:
    await script.will(*before, {"status": 400})
    drafted = await draft_plan(gemini, PROMPT, KINDS)
    assert drafted.tasks == ()
    assert drafted.failure.startswith("Gemini answered 400")
    assert len(drafted.calls) == len(before)


async def test_a_model_that_is_away_is_the_callers_to_answer(gemini: GeminiModel, script: Model) -> None:
    await script.will(BAD, {"status": 503, "times": 2})
    with pytest.raises(ModelUnavailable):
        await draft_plan(gemini, PROMPT, KINDS)
