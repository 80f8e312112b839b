"""Unclear messages and the judge, over the real servers."""

import json
import logging
from typing import Any

import pytest

from shared.deciding.circumstances import DecisionSettings, OwnIdentity
from shared.tasks.graph import with_task
from shared.tasks.outcome import mark_attempted, with_deliveries
from shared.tasks.plan import Plan, PlannedTask
from shared.turn.batch import InboxBatch, read_batch
from shared.turn.intake import MOST_REPLANS, RoundInput, judgements_in, with_judgements
from shared.turn.situation import ChatSituation
from shared.values.decision import Decision, DecisionTier
from shared.values.evolve import evolve
from shared.values.update import Json
from tests.shared.examples import BOB, GROUP, ME, NOW, SECOND, message_update, plan_of, said, send, update_of, user
from tests.shared.paused_queue import PausedQueue
from tests.shared.turn.harness import ChatHarness, HarnessBackend, make_harness
from tests.shared.turn.scenes import assert_at_rest
from tests.stories.play import Model


@pytest.fixture
async def judged(shared_backend: HarnessBackend, paused_queue: PausedQueue, script: Model) -> ChatHarness:
    """Make a group whose agent has a judge."""
    return await make_harness(shared_backend, paused_queue, script, people=2, judges=True)


async def unclear(harness: ChatHarness, answer: str | None) -> list[int]:
    """After the agent's message, write something unclear; the judge answers or fails."""
    await harness.will_plan({"kind": "send", "text": "At noon."})
    await harness.will_plan({"kind": "send", "text": "Yes."})
    update_ids = await harness.writes(f"@{harness.backend.username} when?")
    await harness.rests()
    reply: Json = {"text": json.dumps({"answer": answer})} if answer else {"status": 503, "times": None}
    await harness.model.will({**reply, "match": "Is the last message"})
    update_ids += await harness.writes("is that so?", **{"from": harness.others[0]})
    await harness.rests()
    return update_ids


@pytest.mark.parametrize(
    ("answer", "said"), [("yes", ["At noon.", "Yes."]), ("no", ["At noon."]), (None, ["At noon."])]
)
async def test_the_judge_decides_and_no_is_the_answer_when_it_fails(
    judged: ChatHarness, caplog: pytest.LogCaptureFixture, answer: str | None, said: list[str]
) -> None:
    caplog.set_level(logging.INFO, "lull")
    update_ids = await unclear(judged, answer)
    assert await judged.said() == said
    decisions = [e["decision"] for e in await judged.transcript() if e["type"] == "message" and e["decision"]]
    assert decisions[-1]["tier"] == "judge"
    assert len(decisions[-1]["calls"]) == (1 if answer else 0)
    assert len((await judged.plan()).calls) == 1
    told = [vars(record)["fields"] for record in caplog.records if record.getMessage() == "decided"]
    (line,) = [fields for fields in told if fields["tier"] == "judge"]
    assert {name: line[name] for name in ("respond", "ms")} == {name: decisions[-1][name] for name in ("respond", "ms")}
    await assert_at_rest(judged, update_ids)


#: the steps of a tick until its plan is made and no check for new updates has come
UNTIL_PLANNED = ["before claim", "before commit", "after commit", "after reading", "after thinking", "after thinking"]


@pytest.mark.parametrize(("writer", "asked"), [(1, 2), (0, 3)], ids=["somebody else", "who was answered"])
async def test_what_was_judged_stays_so_whatever_is_written_while_the_model_thinks(
    judged: ChatHarness, writer: int, asked: int
) -> None:
    await judged.will_plan({"kind": "send", "text": "At noon."})
    await judged.will_plan({"kind": "send", "text": "Yes."}, times=None)
    update_ids = await judged.writes(f"@{judged.backend.username} when?")
    await judged.rests()
    await judged.model.will({"text": json.dumps({"answer": "yes"}), "match": "Is the last message"})

    async def write() -> None:
        update_ids.extend(await judged.writes("I bought shoes", **{"from": judged.others[writer]}))

    update_ids += await judged.writes("is that so?", **{"from": judged.others[0]})
    question = judged.message_id
    begun = len(judged.steps.taken)
    judged.steps.at, judged.steps.happens = begun + len(UNTIL_PLANNED) - 1, write
    await judged.rests()
    assert judged.steps.taken[begun:][: len(UNTIL_PLANNED)] == UNTIL_PLANNED
    assert await judged.said() == ["At noon.", "Yes."]
    assert (await judged.plan()).answers == (question,)
    stored = {e["message_id"]: e["decision"] for e in await judged.transcript() if e["type"] == "message"}
    assert (stored[question]["respond"], stored[question]["reason"]) == (True, "judged to be for the agent")
    assert len(await judged.asked()) == asked
    await assert_at_rest(judged, update_ids)


async def test_an_agent_without_a_judge_asks_none(group: ChatHarness) -> None:
    assert group.tick_services.agents["lull"].judge_settings is None


#: the agent has just answered Ann
TALK = (said("lull?"), said("Yes.", ME, 2, at=NOW + SECOND))
YES = Decision(respond=True, reason="judged to be for the agent", tier=DecisionTier.JUDGE)


def in_group(update_id: int, text: str, **fields: Any) -> Json:
    return message_update(update_id, text, chat=GROUP, **fields)


def talking(*raws: Json, **fields: Any) -> tuple[InboxBatch, ChatSituation]:
    """Return a batch written after `TALK`, two seconds apart, to an agent that asks a judge."""
    situation = ChatSituation(
        me=OwnIdentity(ME.id, "lull_bot", ("lull",)),
        decision_settings=DecisionSettings(asks_judge=True),
        window=TALK,
        **fields,
    )
    for place, raw in enumerate(raws, 2):
        raw["message"]["date"] = int((NOW + place * 2 * SECOND).timestamp())
    return read_batch([update_of(raw) for raw in raws], situation), situation


def test_a_judgement_stands_where_the_rules_cannot_tell_and_nowhere_else() -> None:
    found, situation = talking(in_group(3, "so it is", author=BOB), in_group(4, "lull, hi", author=BOB))
    assert [*judgements_in(found)] == [3]
    assert [m.message_id for m in found.targets] == [4]
    no = evolve(YES, respond=False)
    assert [m.message_id for m in with_judgements(found, {3: YES, 4: no}, situation).targets] == [3, 4]


TO_BOB: dict[str, Any] = {"reply_to_message": {"message_id": 3, "from": user(BOB), "text": "so it is"}}


def test_what_no_judge_saw_is_not_a_judges_decision() -> None:
    found, situation = talking(in_group(3, "so it is", author=BOB), in_group(4, "lull is wrong", **TO_BOB))
    assert [*judgements_in(found)] == [3, 4]
    seen = with_judgements(found, {3: evolve(YES, respond=False)}, situation)
    assert [*judgements_in(seen)] == [3]
    assert [*judgements_in(with_judgements(found, {}, situation))] == []


def test_what_was_judged_to_be_answered_is_stopped_like_all_else() -> None:
    found, situation = talking(
        in_group(3, "so it is", author=BOB),
        in_group(4, "/stop@lull_bot", entities=[{"type": "bot_command", "offset": 0, "length": 14}]),
    )
    assert found.is_stopped
    silenced = with_judgements(found, {3: YES}, situation)
    assert (silenced.targets, silenced.was_silenced, found.was_silenced) == ((), True, False)


def test_an_answer_to_what_was_judged_answers_what_the_plan_it_replaces_was_to() -> None:
    standing = evolve(plan_of(send()), answers=(1,))
    found, situation = talking(in_group(3, "so it is", author=BOB), standing=standing)
    assert found.targets == ()
    assert [m.message_id for m in with_judgements(found, {3: YES}, situation).targets] == [1, 3]


OWN = PlannedTask(task=send("own-1"), is_own=True)
BEGUN = with_task(plan_of(send()), mark_attempted(with_deliveries(PlannedTask(task=send()), 2), 0, NOW))
NOTHING = ChatSituation(me=OwnIdentity(ME.id, "lull_bot"))


def intake_with(plan: Plan | None) -> RoundInput:
    return RoundInput(standing=plan, unread=(), situation=NOTHING, batch=read_batch([], NOTHING))


def test_what_lull_says_itself_is_not_shown_as_planned() -> None:
    plan, batch = plan_of(send("1"), send("2")), read_batch([], NOTHING)
    assert intake_with(evolve(plan, tasks=(OWN, *plan.tasks))).pending_for(batch) == plan.tasks
    assert intake_with(None).pending_for(batch) == ()


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        (None, 0),
        (plan_of(send()), 1),
        (evolve(plan_of(send()), replans=MOST_REPLANS), MOST_REPLANS),
        (BEGUN, 0),
    ],
)
def test_a_plan_that_was_begun_counts_anew(plan: Plan | None, expected: int) -> None:
    assert intake_with(plan).replans == expected


async def test_telegram_is_asked_only_about_those_whose_command_needs_it(group: ChatHarness) -> None:
    await group.writes("/help")
    await group.rests()
    calls = (await group.backend.telegram.get("/world/calls", params={"after": 0})).json()["calls"]
    asked = [c for c in calls if c["method"] == "getChatMember" and int(c["params"]["chat_id"]) == group.key.chat_id]
    assert asked == []
