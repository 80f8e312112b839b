"""Headroom: every request of a plan, the first and its continuations, fits the limit of a prompt."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from shared.llm.gemini.model import GeminiModel
from shared.planning.options import PlanningOptions
from shared.planning.planner import make_plan
from shared.planning.prompt.assemble import HEADROOM_STEP, LEAST_HEADROOM, assemble_prompt, headroom_for
from shared.planning.prompt.scene import Scene, tokens_of
from shared.values.agent import Codec
from shared.values.prompt import ModelReply, Prompt
from shared.values.prompt_format import PromptFormat
from shared.values.retry import RetryBudget, RetryBudgets
from tests.shared.examples import NOW, PROPERTY, agent
from tests.shared.planning.prompt.scenes import long_talk, scene, texts_of
from tests.shared.tools.toolboxes import DECLARED, answers_to
from tests.stories.play import Model

KINDS = ("send", "wait", "react")


def test_while_all_has_room_the_prompt_stays_as_it_is() -> None:
    small = scene(*long_talk(20), tools=DECLARED)
    prompt = assemble_prompt(small)
    headroom = headroom_for(small, prompt)
    assert headroom.most == small.budget // 2
    assert headroom.leaving(headroom.most) is prompt


def test_a_full_prompt_is_cut_in_steps_and_says_so() -> None:
    full = scene(*long_talk(900), tools=DECLARED, targets=[1_000], max_tokens=8_500)
    prompt = assemble_prompt(full)
    headroom = headroom_for(full, prompt)
    cut = headroom.leaving(1_200)
    assert cut.characters + 1_200 <= full.budget < prompt.characters + 1_200
    assert cut == headroom.leaving(HEADROOM_STEP)
    assert cut != headroom.leaving(HEADROOM_STEP + 1)
    assert cut.turns[-1] == prompt.turns[-1]
    assert "older messages are not shown" in texts_of(cut)
    assert headroom.leaving(headroom.most).characters + headroom.most <= full.budget


def test_an_agent_that_leaves_no_room_is_corrected_all_the_same() -> None:
    large = scene(*long_talk(20), agent=agent(instructions="x" * 9_000), max_tokens=3_000)
    assert headroom_for(large, assemble_prompt(large)).most == LEAST_HEADROOM


@dataclass
class Asked:
    """A model that records its requests."""

    behind: GeminiModel
    prompts: list[Prompt] = field(default_factory=list)

    async def generate(
        self, prompt: Prompt, schema: Mapping[str, object] | None, on_text: Callable[[str], None] | None = None
    ) -> ModelReply:
        self.prompts.append(prompt)
        return await self.behind.generate(prompt, schema, on_text)


def calls(count: int, length: int) -> dict[str, Any]:
    asked = [f"{'1+' * (length // 2)}{number}" for number in range(count)]
    return {"function_calls": [{"name": "calculate", "args": {"expression": one}} for one in asked]}


GOOD = {"text": '{"tasks": [{"kind": "send", "text": "Hello."}]}'}
REPLIES = st.one_of(
    st.just({"text": "no plan"}),
    st.builds(lambda times: {"text": "no plan " * times}, st.integers(1, 37_000)),
    st.builds(lambda times: {"text": "x" * times, "finish_reason": "MAX_TOKENS"}, st.integers(1, 300_000)),
    st.builds(calls, st.integers(1, 30), st.integers(1, 400)),
    st.just({"finish_reason": "MALFORMED_FUNCTION_CALL"}),
)
SCENES = st.builds(
    lambda count, text, fields: scene(*long_talk(count, text), targets=[100 + count], **fields),
    st.integers(1, 100).map(lambda n: 3 * n + 1),
    st.sampled_from(["what a day it was", "word " * 40, "long " * 700]),
    st.fixed_dictionaries(
        {
            "tools": st.sampled_from([(), DECLARED]),
            "format": st.sampled_from(PromptFormat),
            "max_tokens": st.integers(2_500, 9_000),
            "characters_per_token": st.floats(2.0, 5.0),
            "facts": st.lists(st.just("Ann has a cat. " * 9), max_size=20),
        }
    ),
)


# without shrinking of failures, which would take minutes of requests to the model
@settings(PROPERTY, max_examples=40, phases=[Phase.generate])
@given(SCENES, st.lists(REPLIES, max_size=8), st.integers(1, 6), st.integers(1, 6))
async def test_no_request_is_larger_than_a_prompt_may_be(
    gemini: GeminiModel, script: Model, shown: Scene, replies: list[dict[str, Any]], most_replies: int, most_rounds: int
) -> None:
    await script.clear()
    await script.will(*replies, {**GOOD, "times": None})
    prompt, model = assemble_prompt(shown), Asked(gemini)
    budgets = RetryBudgets(reply=RetryBudget(tries=most_replies), tools=RetryBudget(tries=most_rounds))
    options = PlanningOptions(
        clock=lambda: NOW,
        codec=Codec.JSON,
        tools=DECLARED if shown.tools else (),
        answers_to=answers_to,
        budgets=budgets,
        headroom=headroom_for(shown, prompt),
    )
    drafted = await make_plan(model, prompt, KINDS, options)
    assert drafted.tasks or drafted.failure
    assert prompt.size
    assert prompt.size.tokens == tokens_of(model.prompts[0].characters, shown.room.characters_per_token)
    newest = texts_of(prompt).splitlines()[-2:]
    for asked in model.prompts:
        assert tokens_of(asked.characters, shown.room.characters_per_token) <= shown.room.max_tokens
        assert asked.system == prompt.system
        assert all(line in texts_of(asked) for line in newest)


async def test_what_is_sent_back_says_that_it_was_shortened(gemini: GeminiModel, script: Model) -> None:
    full = scene(*long_talk(900), max_tokens=4_000)
    prompt, model = assemble_prompt(full), Asked(gemini)
    await script.will({"text": f"BEGIN {'no plan ' * 9_000} END"}, GOOD)
    options = PlanningOptions(clock=lambda: NOW, headroom=headroom_for(full, prompt))
    await make_plan(model, prompt, KINDS, replace(options, codec=Codec.JSON))
    (own,) = model.prompts[-1].turns[-2].parts
    assert own.startswith("BEGIN no plan")
    assert own.endswith("no plan  END")
    assert "[cut: 72,010 characters, its middle left out]" in own
