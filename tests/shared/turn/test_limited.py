"""When one person has reached their limit, others still get answers, in the same batch or while the model thinks."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from shared.llm.metering import MeteredEmbedder, MeteredModels
from shared.llm.ports.embedding import EmbeddingTask
from shared.recall.prompt_recall import PromptRecall
from shared.turn.spending import PAST_LIMIT
from shared.values.money import SpendingLimits
from shared.values.place import Asker
from shared.values.recalled import RecalledTurns, RecallHits, RecallQuery
from shared.values.reminder import OccurrenceState
from shared.values.usage import ModelUse, Purpose
from tests.shared.kept_reminders import kept_now, promised
from tests.shared.own_words import ENGLISH
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.test_spending import MakeRoom, terms
from tests.shared.turn.watched import Steps, WatchedModel

LIMIT = ENGLISH.say("limit.day", zone="UTC")


class WhileThinking(Steps):
    """Something happens once, while the model thinks."""

    def __init__(self, happens: Callable[[], Awaitable[None]]) -> None:
        super().__init__(happens=happens)

    async def take(self, name: str) -> None:
        await super().take(name)
        if name == "after thinking" and self.happens is not None:
            happens, self.happens = self.happens, None
            await happens()


async def spent(open_harness: MakeRoom) -> tuple[ChatHarness, int]:
    """Make a group in which one of two people has used their one message of the day, and was told so."""
    harness = await open_harness(spending=terms(stranger=SpendingLimits(day_messages=1)), people=1)
    mallory = harness.others[0]
    await harness.will_plan({"kind": "send", "text": "hello"})
    for _ in range(2):
        await harness.writes(to(harness, "hi"), **{"from": mallory})
        await harness.rests()
    assert await harness.said() == ["hello", LIMIT]
    return harness, mallory


def to(harness: ChatHarness, words: str) -> str:
    return f"@house{harness.backend.bot_id}_bot {words}"


@pytest.mark.parametrize("is_last", [True, False])
async def test_in_the_same_batch_the_others_are_answered(open_harness: MakeRoom, is_last: bool) -> None:
    harness, mallory = await spent(open_harness)
    await harness.will_plan({"kind": "send", "text": "Four."})
    question = (to(harness, "what is two and two?"), harness.person)
    nothing = (to(harness, "."), mallory)
    for text, who in (question, nothing) if is_last else (nothing, question):
        await harness.writes(text, **{"from": who})
    await harness.rests()
    assert (await harness.said())[2:] == ["Four."]
    refused = next(e["decision"] for e in await harness.transcript() if e.get("text") == to(harness, "."))
    assert (refused["respond"], refused["reason"]) == (False, PAST_LIMIT), "nobody pays for the other"
    assert sum("two and two" in one for one in await harness.asked()) == 1


async def test_what_was_to_be_done_for_who_is_past_their_limit_is_kept_as_not_done(open_harness: MakeRoom) -> None:
    harness, mallory = await spent(open_harness)
    due: dict[str, Any] = {"person": mallory, "next_at": harness.clock.now}  # later may be another day
    one = await promised(harness, text="", instruction="Say how warm it is.", **due)
    await harness.will_plan({"kind": "send", "text": "Four."})
    await harness.writes(to(harness, "what is two and two?"))
    await harness.rests()
    assert set((await harness.said())[2:]) == {ENGLISH.say("reminder.at_limit", text="Say how warm it is."), "Four."}
    last = (await kept_now(harness, one)).last
    assert last is not None
    assert (last.state, last.why) == (OccurrenceState.FAILED, PAST_LIMIT)


async def test_a_reply_that_is_paid_for_stands_whoever_writes_while_the_model_thinks(open_harness: MakeRoom) -> None:
    harness, mallory = await spent(open_harness)
    await harness.will_plan({"kind": "send", "text": "Four."})
    more = list[int]()

    async def disturb() -> None:
        more.extend(await harness.writes(to(harness, "."), **{"from": mallory}))

    asked = len(await harness.asked())
    models, steps = harness.tick_services.agents["lull"].replier.models, WhileThinking(disturb)
    assert isinstance(models, MeteredModels)
    for model in models.by_name.values():
        assert isinstance(model, WatchedModel)
        model.steps = steps
    await harness.writes(to(harness, "what is two and two?"))
    await harness.rests()
    assert (await harness.said())[2:] == ["Four."]
    assert more
    assert len(await harness.asked()) == asked + 1, "nothing is paid for twice"


async def test_who_is_told_of_the_limit_while_others_are_answered_is_told_once(open_harness: MakeRoom) -> None:
    harness = await open_harness(spending=terms(stranger=SpendingLimits(day_messages=1)), people=1)
    mallory = harness.others[0]
    await harness.will_plan({"kind": "send", "text": "hello"})
    await harness.writes(to(harness, "hi"), **{"from": mallory})
    await harness.rests()
    await harness.will_plan({"kind": "send", "text": "Four."})
    await harness.writes(to(harness, "what is two and two?"))
    await harness.writes(to(harness, "and more?"), **{"from": mallory})
    await harness.rests()
    assert await harness.said() == ["hello", LIMIT, "Four."]


async def test_the_owner_is_answered_when_others_have_used_up_theirs_of_what_all_share(open_harness: MakeRoom) -> None:
    given = replace(terms(agent=SpendingLimits(day_usd=1_000)), owners=1.0)
    harness = await open_harness(spending=given, people=1)
    services = harness.tick_services.agents["lull"]
    assert services.owners is not None
    assert services.budget_backend is not None
    await services.owners.claim("lull", harness.person, harness.clock())
    services.budget_backend.access_lists.drop("lull")
    await harness.will_plan({"kind": "send", "text": "Four."})
    await harness.writes(to(harness, "what is two and two?"))
    await harness.writes(to(harness, "and more?"), **{"from": harness.others[0]})
    await harness.rests()
    assert sorted(await harness.said()) == sorted(["Four.", LIMIT])


async def test_one_persons_soft_limit_leaves_the_others_of_a_group_their_model(open_harness: MakeRoom) -> None:
    harness = await open_harness(spending=terms(stranger=SpendingLimits(day_messages=10)), people=1)
    models = []
    for who in (*[harness.person] * 10, harness.others[0]):
        await harness.will_plan({"kind": "send", "text": "hello"})
        await harness.writes(to(harness, "hi"), **{"from": who})
        await harness.rests()
        models.append((await harness.plan()).calls[-1].model)
    assert models == [*["gemini-3.8-flash"] * 9, "gemini-3.5-flash-lite", "gemini-3.8-flash"]
    assert await harness.said() == [*["hello"] * 9, ENGLISH.say("limit.soft"), "hello", "hello"]


class OneVector:
    """A model that gives each text the same vector."""

    model = "gemini-embedding-2"

    async def embed(self, texts: Sequence[str], embedding_task: EmbeddingTask) -> Sequence[tuple[float, ...]]:
        return [(1.0,) for _ in texts]


@dataclass
class Vectors:
    """A recall that makes a vector of each question, and finds nothing."""

    embedder: MeteredEmbedder

    async def search(self, asker: Asker, wanted: RecallQuery) -> RecallHits:
        await self.embedder.embed([wanted.query], EmbeddingTask.QUERY)
        return RecallHits()

    async def turns(self, asker: Asker, conversation: str, first: int | None, last: int | None) -> RecalledTurns | None:
        raise AssertionError("nobody fetches turns for a prompt")


async def test_in_a_group_who_is_answered_pays_for_the_vector_of_the_question(open_harness: MakeRoom) -> None:
    harness = await open_harness(spending=terms(), people=1)
    services = harness.tick_services.agents["lull"]
    use = ModelUse(purpose=Purpose.EMBED, chat=None)
    prompt_recall = PromptRecall(recall=Vectors(MeteredEmbedder(OneVector(), OneVector.model, use)))  # type: ignore[arg-type]
    services = replace(services, replier=replace(services.replier, prompt_recall=prompt_recall))
    harness.tick_services = replace(harness.tick_services, agents={"lull": services})
    question = (harness.person, "what did we say last week about the boat?")
    for who, words in (*[(harness.others[0], "hi")] * 2, question):
        await harness.will_plan({"kind": "send", "text": "hello"})
        await harness.writes(to(harness, words), **{"from": who})
        await harness.rests()
    budget = (await harness.document()).budget
    found = {one.person: sorted(one.by) for one in budget.open}
    assert found == {harness.person: ["embed", "plan"], harness.others[0]: ["plan"]}
