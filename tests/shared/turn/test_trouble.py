"""Messages to people and to the agent's owner when the model gives no plan."""

from dataclasses import replace
from typing import Any

import pytest

from shared.base.errors import ModelTrouble
from shared.llm.metering import MeteredModels
from shared.llm.openai.endpoint import OpenAIEndpoint
from shared.llm.openai.model import OpenAIModel
from shared.turn.trouble import FOR_OWNER
from shared.values.agent import ModelNotes
from tests.shared.llm.openai.player import playing
from tests.shared.own_words import ENGLISH, NO_PLAN
from tests.shared.turn.harness import ChatHarness

ANSWERS: list[tuple[dict[str, Any], ModelTrouble]] = [
    ({"text": "x", "finish_reason": "SAFETY"}, ModelTrouble.BLOCKED),
    ({"status": 429, "error": "You exceeded your current quota."}, ModelTrouble.QUOTA),
    ({"status": 429, "error": "Your prepayment credits are depleted."}, ModelTrouble.MONEY),
    ({"status": 503}, ModelTrouble.CAPACITY),
    ({"status": 404}, ModelTrouble.MISCONFIGURED),
]


async def fails(harness: ChatHarness, answer: dict[str, Any]) -> None:
    await harness.model.will({**answer, "times": None, "match": f"chat_id={harness.key.chat_id} "})


@pytest.mark.parametrize(("answer", "trouble"), ANSWERS)
async def test_each_has_a_sentence_of_its_own(
    harness: ChatHarness, answer: dict[str, Any], trouble: ModelTrouble
) -> None:
    await fails(harness, answer)
    await harness.writes("hi")
    await harness.rests()
    assert await harness.said() == [ENGLISH.say(f"trouble.{trouble.value}")]


@pytest.mark.parametrize(("answer", "trouble"), ANSWERS[1:])
async def test_the_owner_is_told_what_to_do(
    harness: ChatHarness, answer: dict[str, Any], trouble: ModelTrouble
) -> None:
    owners = harness.tick_services.agents["lull"].owners
    assert owners is not None
    await owners.claim("lull", harness.person, harness.clock())
    await fails(harness, answer)
    await harness.writes("hi")
    await harness.rests()
    (said,) = await harness.said()
    assert trouble in FOR_OWNER
    assert said.startswith(ENGLISH.say(f"trouble.{trouble.value}"))
    assert said.endswith(ENGLISH.say(f"owner.{trouble.value}"))


async def test_in_a_group_nobody_reads_what_is_for_the_owner(group: ChatHarness) -> None:
    owners = group.tick_services.agents["lull"].owners
    assert owners is not None
    await owners.claim("lull", group.person, group.clock())
    await fails(group, {"status": 404})
    await group.writes(f"@{group.backend.username} hi")
    await group.rests()
    assert await group.said() == [ENGLISH.say("trouble.misconfigured")]


async def test_what_is_no_matter_of_safety_is_not_told_as_one(harness: ChatHarness) -> None:
    await fails(harness, {"text": "x", "finish_reason": "RECITATION"})
    await harness.writes("hi")
    await harness.rests()
    assert await harness.said() == [NO_PLAN]


@pytest.mark.parametrize(
    ("status", "said", "trouble"),
    [
        (401, "Incorrect API key provided", ModelTrouble.MISCONFIGURED),
        (402, "Payment required", ModelTrouble.MONEY),
        (429, "Rate limit reached", ModelTrouble.QUOTA),
        (503, "Overloaded", ModelTrouble.CAPACITY),
    ],
)
async def test_the_owner_is_told_which_provider_failed(
    harness: ChatHarness, status: int, said: str, trouble: ModelTrouble
) -> None:
    services = harness.tick_services.agents["lull"]
    assert services.owners is not None
    await services.owners.claim("lull", harness.person, harness.clock())
    with playing() as (url, player):
        player.answers["1"] = [{"status": status, "json": {"error": {"message": said}}}]
        model = OpenAIModel("llama", OpenAIEndpoint("groq", f"{url}/1"), 30.0, 1)
        models = MeteredModels({"groq:llama": model})
        replier = replace(services.replier, models=models, offered_models={"groq:llama": ModelNotes()})
        harness.tick_services = replace(harness.tick_services, agents={"lull": replace(services, replier=replier)})
        await harness.writes("hi")
        await harness.rests()
        await model.aclose()
    (told,) = await harness.said()
    assert told.endswith(ENGLISH.say(f"provider.{trouble.value}", provider="Groq"))
    assert "Gemini" not in told
