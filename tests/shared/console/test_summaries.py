"""The console's view of summaries, and rebuilding, over the emulator."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks.firestore_meter import run_meter
from local.cloud import LocalCloud
from shared.chat.store import paths
from shared.console.knowledge import KnowledgeSettings
from shared.console.route import BadRequest, NotFound
from shared.console.services import ConsoleServices
from shared.console.summaries import MOST_SIZED
from shared.console.views import summaries as view
from shared.recall.store.rebuilding import FirestoreRebuilding
from shared.recall.store.summaries import ChatSummary, EntryRange, FirestoreSummaries, SummarySpan
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey, ChatKind
from shared.wiring.settings.model_functions import LITE
from tests.shared.console.harness import OWNER, ConsoleHarness
from tests.shared.examples import NOW

GROUP = ChatKey(agent="lull", chat_id=-100_500)
KNOWS = KnowledgeSettings(notes_model=LITE, embedding_model="gemini-embedding-2")


def services(console: ConsoleHarness, knowledge: KnowledgeSettings = KNOWS) -> ConsoleServices:
    return replace(console.services, knowledge=knowledge)


async def has_chat(console: ConsoleHarness, key: ChatKey, title: str = "") -> None:
    kind = ChatKind.PRIVATE if key.is_private else ChatKind.SUPERGROUP
    await console.client.document(paths.chat_path(key)).set(Chat(key=key, kind=kind, title=title).model_dump())


async def jobs(console: ConsoleHarness) -> list[Mapping[str, Any]]:
    return [json.loads(task.http_request.body) for task in await console.queue.tasks()]


async def test_tells_the_span_and_when_the_next_one_is_due(console: ConsoleHarness) -> None:
    await has_chat(console, GROUP, "Friends")
    await has_chat(console, ChatKey(agent="lull", chat_id=OWNER))
    await has_chat(console, ChatKey(agent="moss", chat_id=OWNER))
    ranges = (EntryRange(conversation="conv-1", first_seq=3, last_seq=12),)
    made = ChatSummary(text="Ann moved to Lviv. " * 40, made_at=NOW - timedelta(days=1), ranges=ranges)
    store = FirestoreSummaries(console.client)
    await store.keep(GROUP.id, SummarySpan.WEEK, made)
    await store.keep(GROUP.id, SummarySpan.MONTH, ChatSummary(made_at=NOW - timedelta(days=1)))
    listed = await view.list_summaries(services(console), console.request())
    (chat,) = listed["items"]
    week, month = chat["summaries"]
    assert (chat["title"], chat["agent"], week["days"], week["messages"]) == ("Friends", "lull", 7, 10)
    assert (week["next_at"], week["is_cut"]) == ((NOW + timedelta(days=2)).isoformat(), True)
    assert week["since"] == (NOW - timedelta(days=8)).isoformat()
    assert (month["text"], month["made_at"]) == ("", None), "none was made yet"
    assert 0 < listed["costs"]["7day"] < listed["costs"]["30day"] < 0.1
    whole = await view.read_summary(services(console), console.request(path={"chat": GROUP.id, "span": "7day"}))
    assert whole["text"] == made.text


async def test_makes_a_summary_again(console: ConsoleHarness) -> None:
    await has_chat(console, GROUP)
    store = FirestoreSummaries(console.client)
    await store.keep(GROUP.id, SummarySpan.WEEK, ChatSummary(text="Wrong.", made_at=NOW))
    body = {"chat": GROUP.id, "span": "7day"}
    with pytest.raises(BadRequest, match="no_notes_model"):
        await view.make_again(console.services, console.request(body=body))
    console.wait(minutes=1)
    await view.make_again(services(console), console.request(body=body))
    assert await jobs(console) == [{"job": "summarize", "chat": GROUP.id}]
    assert (await store.last_summaries(GROUP.id))[SummarySpan.WEEK].is_asked
    for wrong in ({"chat": GROUP.id, "span": "year"}, {"chat": ChatKey(agent="moss", chat_id=1).id, "span": "7day"}):
        with pytest.raises(NotFound):
            await view.make_again(services(console), console.request(body=wrong))


async def has_conversation(console: ConsoleHarness, name: str, key: ChatKey, entries: int) -> None:
    document = {
        "chat": key.id, "agent": key.agent, "entries": entries, "turns": entries // 2, "updated_at": console.now,
    }  # fmt: skip
    await console.client.document(paths.conversation_path(name)).set(document)


async def test_a_rebuild_tells_its_cost_first_and_is_stopped(console: ConsoleHarness) -> None:
    await has_conversation(console, "conv-1", GROUP, 100)
    await has_conversation(console, "conv-2", ChatKey(agent="moss", chat_id=1), 900)
    size = await view.estimate_rebuild(services(console), console.request())
    assert (size["conversations"], size["entries"], size["sized"]) == (1, 100, 1)
    assert size["with_model"]["noting"] > size["without_model"]["noting"] == 0
    assert (await view.read_rebuild(services(console), console.request()))["running"] is None
    await view.start_rebuild(services(console), console.request(body={"with_model": True}))
    running = (await view.read_rebuild(services(console), console.request()))["running"]
    assert (running["done"], running["total"], running["with_model"], running["is_yours"]) == (0, 1, True, True)
    assert await jobs(console) == [{"job": "rebuild"}]
    with pytest.raises(BadRequest, match="rebuild_is_running"):
        await view.start_rebuild(services(console), console.request(body={}))
    with pytest.raises(BadRequest, match="rebuild_of_others"):
        await view.stop_rebuild(services(console), console.request("moss"))
    console.wait(hours=1)
    assert (await view.read_rebuild(services(console), console.request()))["running"]["is_stalled"]
    await view.resume_rebuild(services(console), console.request())
    assert await jobs(console) == [{"job": "rebuild"}] * 2, "asked for again, the job has another name"
    await view.stop_rebuild(services(console), console.request())
    assert await FirestoreRebuilding(console.client).cursor() is None
    with pytest.raises(BadRequest, match="no_rebuild_runs"):
        await view.stop_rebuild(services(console), console.request())


async def test_what_a_rebuild_would_do_is_told_in_few_reads(
    console: ConsoleHarness, cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch: Any = console.client.batch()
    for number in range(MOST_SIZED + 60):
        agent = "lull" if number < MOST_SIZED + 20 else "moss"
        key = ChatKey(agent=agent, chat_id=1 + number)
        fields = {"chat": key.id, "agent": agent, "entries": 10, "turns": 5, "updated_at": NOW}
        batch.set(console.client.document(paths.conversation_path(f"conv-{number}")), fields)
    await batch.commit()
    async with run_meter(cloud.firestore_host) as (meter, address):
        monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", address)
        metered = replace(services(console), client=AsyncClient(project=console.services.project))
        size = await view.estimate_rebuild(metered, console.request())
        read = meter.counts["reads"]
        await view.start_rebuild(metered, console.request(body={}))
        assert meter.counts["reads"] - read <= 2
    assert (size["conversations"], size["entries"], size["sized"]) == (
        MOST_SIZED + 20,
        10 * (MOST_SIZED + 20),
        MOST_SIZED,
    )
    assert read <= MOST_SIZED + 1
    assert (await view.read_rebuild(services(console), console.request()))["running"]["total"] == MOST_SIZED + 20
