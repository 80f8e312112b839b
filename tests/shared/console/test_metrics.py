"""Metrics of decisions and conversations."""

from datetime import timedelta
from typing import Any

import pytest

from shared.chat.store import paths
from shared.chat.store.decision_counts import KEPT_DAYS
from shared.console.route import BadRequest
from shared.console.views.metrics import read_metrics
from tests.shared.console.harness import ConsoleHarness
from tests.shared.examples import NOW

TODAY = NOW.date()


async def put(console: ConsoleHarness, name: str, agent: str = "lull", days: int = 0, **fields: Any) -> None:
    document = {"agent": agent, "updated_at": NOW - timedelta(days=days), "turns": 2, "entries": 5, **fields}
    await console.client.document(paths.conversation_path(name)).set(document)


async def test_decisions_are_summed_by_day_and_reason(console: ConsoleHarness) -> None:
    today, before = TODAY.isoformat(), (TODAY - timedelta(days=3)).isoformat()
    old = (TODAY - timedelta(days=KEPT_DAYS)).isoformat()
    silent, follow_up = "no:none:not addressed", "yes:follow-up:a follow-up"
    await put(console, "conv-1", decided={today: {silent: 2, follow_up: 1}, old: {silent: 9}})
    await put(console, "conv-2", decided={today: {silent: 1}, before: {follow_up: 1}})
    await put(console, "conv-3", "moss", decided={today: {silent: 5}})
    found = await read_metrics(console.services, console.request())
    assert (len(found["days"]), found["days"][-1]) == (KEPT_DAYS, today)
    first, second = found["reasons"]
    assert (first["respond"], first["tier"], first["reason"]) == (False, "none", "not addressed")
    assert (first["counts"][-1], sum(first["counts"])) == (3, 3)
    assert (second["reason"], second["counts"][-1], second["counts"][-4]) == ("a follow-up", 1, 1)


async def test_answer_times_are_those_of_each_model_in_the_last_weeks(console: ConsoleHarness) -> None:
    today, old = TODAY.isoformat(), (TODAY - timedelta(days=KEPT_DAYS)).isoformat()
    await put(console, "conv-1", answer_times={today: {"31:fast": 9, "34:openai:slow": 1}, old: {"60:fast": 90}})
    await put(console, "conv-2", answer_times={today: {"31:fast": 9, "45:fast": 2}})
    await put(console, "conv-3", "moss", answer_times={today: {"31:secret": 1}})
    first, second = (await read_metrics(console.services, console.request()))["answer_times"]
    assert (first["model"], first["answers"], second["model"], second["answers"]) == ("fast", 20, "openai:slow", 1)
    assert first["median_ms"] == pytest.approx(1_000, rel=0.13)
    assert first["slow_ms"] == pytest.approx(1.25**45, rel=0.13)
    assert second["median_ms"] == second["slow_ms"] == pytest.approx(1.25**34, rel=0.13)


async def test_lengths_and_participants_are_those_of_the_newest(console: ConsoleHarness) -> None:
    for number in range(25):
        more: dict[str, Any] = {"participants": [1, 2]} if number == 0 else {}
        await put(console, f"conv-{number}", days=number, turns=number, title=f"t{number}", opening="o", **more)
    found = await read_metrics(console.services, console.request())
    newest = found["conversations"][0]
    assert (newest["name"], newest["turns"], newest["participants"]) == ("t0", 0, 2)
    assert found["conversations"][1]["participants"] is None, "a document of an earlier version does not tell"
    assert (found["sample"], found["is_sample"]) == (25, False)


async def test_topics_are_counted_by_conversation(console: ConsoleHarness) -> None:
    await put(console, "conv-1", topics=["garden", "tea", "tea"])
    await put(console, "conv-2", topics=["garden", 7])
    await put(console, "conv-3", "moss", topics=["secrets"])
    found = await read_metrics(console.services, console.request())
    assert found["topics"] == [{"topic": "garden", "count": 2}, {"topic": "tea", "count": 1}]


async def test_one_agent_can_be_chosen_among_the_owners(console: ConsoleHarness) -> None:
    await put(console, "conv-1")
    await put(console, "conv-2", "moss")
    request = console.request("lull", "moss", query={"agent": "moss"})
    assert [one["id"] for one in (await read_metrics(console.services, request))["conversations"]] == ["conv-2"]
    with pytest.raises(BadRequest):
        await read_metrics(console.services, console.request("lull", query={"agent": "moss"}))


async def test_an_instance_reads_them_again_after_ten_minutes(console: ConsoleHarness) -> None:
    assert (await read_metrics(console.services, console.request()))["sample"] == 0
    await put(console, "conv-1")
    assert (await read_metrics(console.services, console.request()))["sample"] == 0
    console.wait(minutes=11)
    assert (await read_metrics(console.services, console.request()))["sample"] == 1
