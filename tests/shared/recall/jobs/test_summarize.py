"""Tests of summaries: they are made at intervals, and a killed run is continued."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from shared.base.errors import ModelTrouble, ModelUnavailable, StoreUnavailable
from shared.chat.store import paths
from shared.chat.store.inbox import FirestoreInbox
from shared.llm.gemini.model import GeminiModel
from shared.llm.metering import BudgetService, MeteredModels, UnlimitedBudgetService
from shared.recall.jobs.summarize import LONGEST_WAIT, Summarizer, SummaryTerms, summarize, summary_job_for
from shared.recall.store.summaries import ChatSummary, FirestoreSummaries, SummarySpan
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.job_run import JobRun
from tests.shared.examples import ANN, BOB
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.job_harness import MODEL, JobHarness
from tests.shared.recall.talks import lines
from tests.shared.spending.values import Paid, PastTheirs
from tests.stories.play import Model

ASKED = "Write the record of these days now."
JOB_RUN = JobRun(scheduled_for="now")
TERMS = {
    SummarySpan.WEEK: SummaryTerms(tokens=1_024, every=timedelta(days=3)),
    SummarySpan.MONTH: SummaryTerms(tokens=4_096, every=timedelta(days=14)),
}


@pytest.fixture
async def job_harness(
    inbox: FirestoreInbox, script: Model, gemini: GeminiModel, paused_queue: PausedQueue, key: ChatKey
) -> JobHarness:
    await inbox.client.document(paths.chat_path(key)).set(Chat(key=key).model_dump())
    return JobHarness(inbox.client, script, paused_queue, gemini, key)


class Dies(FirestoreSummaries):
    """A store. The run that uses it dies between its two writes."""

    async def show(self, chat: str, span: SummarySpan, summary: ChatSummary) -> None:
        raise StoreUnavailable("killed")


def summarizer(
    job_harness: JobHarness,
    store: type[FirestoreSummaries] = FirestoreSummaries,
    budget_service: BudgetService | None = None,
) -> Summarizer:
    return Summarizer(
        store=store(job_harness.client),
        notes=job_harness.noter.store,
        models=MeteredModels({MODEL: job_harness.model}, budget_service or UnlimitedBudgetService()),
        queue=job_harness.queue.background_jobs(),
        model=MODEL,
        terms=TERMS,
        clock=lambda: job_harness.now,
        room=20_000,
        names={"lull": "lull"},
    )


async def run(job_harness: JobHarness, **how: Any) -> dict[str, int]:
    return dict(await summarize(summarizer(job_harness, **how), replace(JOB_RUN, chat=job_harness.key.id)))


async def will_summarise(job_harness: JobHarness, text: str) -> None:
    await job_harness.script.will({"text": json.dumps({"summary": text}), "match": ASKED})


async def test_makes_a_summary_every_three_days(job_harness: JobHarness) -> None:
    began = job_harness.now
    await job_harness.has(*lines("I moved to Lviv", "nice"))
    by = summarizer(job_harness)
    assert await summary_job_for(by, job_harness.key.id, began, JOB_RUN) is None
    job_harness.now = began + timedelta(days=3)
    job = await summary_job_for(by, job_harness.key.id, began, JOB_RUN)
    assert job is not None
    assert json.loads(job.body) == {"job": "summarize", "chat": job_harness.key.id}
    await will_summarise(job_harness, "Ann moved to Lviv.")
    assert await run(job_harness) == {"made": 1, "shown": 1}
    shown = await by.store.shown_summaries(job_harness.key.id)
    assert {span: one.text for span, one in shown.items()} == {SummarySpan.WEEK: "Ann moved to Lviv."}
    assert (await by.store.last_summaries(job_harness.key.id))[SummarySpan.WEEK].ranges[0].last_seq == 2
    assert await summary_job_for(by, job_harness.key.id, began, JOB_RUN) is None
    job_harness.now += timedelta(days=3)
    assert await summary_job_for(by, job_harness.key.id, began, JOB_RUN) is not None


async def test_a_run_killed_between_its_writes_loses_nothing(job_harness: JobHarness) -> None:
    await job_harness.has(*lines("I moved to Lviv"))
    store = FirestoreSummaries(job_harness.client)
    old = ChatSummary(text="The old one.", made_at=job_harness.now - timedelta(days=4))
    await store.keep(job_harness.key.id, SummarySpan.WEEK, old)
    await store.show(job_harness.key.id, SummarySpan.WEEK, old)
    await will_summarise(job_harness, "The new one.")
    with pytest.raises(StoreUnavailable):
        await run(job_harness, store=Dies)
    assert (await store.shown_summaries(job_harness.key.id))[SummarySpan.WEEK].text == "The old one."
    assert (await store.last_summaries(job_harness.key.id))[SummarySpan.WEEK].text == "The new one."
    assert await run(job_harness) == {"made": 0, "shown": 1}, "the model is not asked again"
    assert (await store.shown_summaries(job_harness.key.id))[SummarySpan.WEEK].text == "The new one."
    assert await run(job_harness) == {"made": 0, "shown": 0}


async def test_makes_a_summary_again_when_the_owner_asks(job_harness: JobHarness) -> None:
    await job_harness.has(*lines("I moved to Lviv"))
    store = FirestoreSummaries(job_harness.client)
    wrong = ChatSummary(text="Ann moved to Rome.", made_at=job_harness.now - timedelta(hours=1))
    await store.keep(job_harness.key.id, SummarySpan.WEEK, wrong)
    await store.ask_again(job_harness.key.id, SummarySpan.WEEK, job_harness.now)
    by = summarizer(job_harness)
    assert await summary_job_for(by, job_harness.key.id, job_harness.now, JOB_RUN) is not None
    await will_summarise(job_harness, "Ann moved to Lviv.")
    assert await run(job_harness) == {"made": 1, "shown": 1}
    assert "Rome" not in str(await job_harness.script.asked(ASKED)), "a wrong record is not taken over"
    job_harness.now += timedelta(hours=1)
    assert await run(job_harness) == {"made": 0, "shown": 0}, "it is made once"
    await store.ask_again(job_harness.key.id, SummarySpan.MONTH, job_harness.now)
    assert (await store.last_summaries(job_harness.key.id))[SummarySpan.MONTH].is_asked


async def test_keeps_the_old_summary_if_the_model_gives_none(job_harness: JobHarness) -> None:
    await job_harness.has(*lines("I moved to Lviv"))
    store = FirestoreSummaries(job_harness.client)
    old = ChatSummary(text="The old one.", made_at=job_harness.now - timedelta(days=4))
    await store.keep(job_harness.key.id, SummarySpan.WEEK, old)
    await job_harness.script.will({"text": "no", "match": ASKED})
    assert await run(job_harness) == {"made": 0, "shown": 0}
    assert (await store.last_summaries(job_harness.key.id))[SummarySpan.WEEK] == old


async def test_keeps_the_last_summary_if_nothing_was_said(job_harness: JobHarness) -> None:
    store = FirestoreSummaries(job_harness.client)
    old = ChatSummary(text="Old.", made_at=job_harness.now - timedelta(days=9))
    await store.keep(job_harness.key.id, SummarySpan.WEEK, old)
    await store.show(job_harness.key.id, SummarySpan.WEEK, old)
    assert dict(await run(job_harness)) == {"made": 1, "shown": 0}
    assert (await store.last_summaries(job_harness.key.id))[SummarySpan.WEEK] == evolve(old, looked_at=job_harness.now)
    # prompts still show the old summary
    assert (await store.shown_summaries(job_harness.key.id))[SummarySpan.WEEK].made_at == old.made_at
    assert dict(await run(job_harness)) == {"made": 0, "shown": 0}
    assert dict(await summarize(summarizer(job_harness), replace(JOB_RUN, chat="gone"))) == {}


async def test_retries_after_a_limit_ends(job_harness: JobHarness) -> None:
    job_harness.now = datetime.now(UTC).replace(minute=0, second=0, microsecond=0) + timedelta(days=1)
    await job_harness.has(*lines("I moved to Lviv", at=job_harness.now))
    store = FirestoreSummaries(job_harness.client)
    old = ChatSummary(text="The old one.", made_at=job_harness.now - timedelta(days=30))
    for span in SummarySpan:
        await store.keep(job_harness.key.id, span, old)
    goes_on = job_harness.now + timedelta(minutes=10)
    limit = Paid(refusal=ModelUnavailable("a limit", ModelTrouble.LIMIT, goes_on))
    for _ in range(2):  # notes were taken of another conversation of the chat
        assert await run(job_harness, budget_service=limit) == {"made": 0, "shown": 0}
    (task,) = await job_harness.queue.tasks()
    assert json.loads(task.http_request.body) == {"job": "summarize", "chat": job_harness.key.id}
    job_harness.now += timedelta(hours=1)
    assert task.schedule_time == job_harness.now, "the next full hour"
    for _ in SummarySpan:
        await will_summarise(job_harness, "Ann moved to Lviv.")
    assert await run(job_harness) == {"made": 2, "shown": 2}
    assert len(await job_harness.queue.tasks()) == 1


async def test_in_a_group_waits_a_day_for_people_past_their_limit(job_harness: JobHarness) -> None:
    job_harness.now = datetime.now(UTC).replace(minute=0, second=0, microsecond=0) + timedelta(days=1)
    job_harness.key = replace(job_harness.key, chat_id=-job_harness.key.chat_id)
    await job_harness.client.document(paths.chat_path(job_harness.key)).set(Chat(key=job_harness.key).model_dump())
    await job_harness.has(*lines("I moved to Lviv", "I paint boats", at=job_harness.now))
    store = FirestoreSummaries(job_harness.client)
    old = ChatSummary(text="The old one.", made_at=job_harness.now - TERMS[SummarySpan.WEEK].every)
    await store.keep(job_harness.key.id, SummarySpan.WEEK, old)
    budget_service = PastTheirs(person=ANN.id, until=job_harness.now + timedelta(minutes=10))
    assert await run(job_harness, budget_service=budget_service) == {"made": 0, "shown": 0}
    assert len(await job_harness.queue.tasks()) == 1
    job_harness.now += LONGEST_WAIT
    await will_summarise(job_harness, "Bob paints boats.")
    assert await run(job_harness, budget_service=budget_service) == {"made": 1, "shown": 1}
    text = str((await job_harness.script.asked(ASKED))[-1]["request"]["contents"])
    assert "I paint boats" in text
    assert "Lviv" not in text
    assert [set(use.writers) for use in budget_service.uses] == [{ANN.id, BOB.id}, {ANN.id, BOB.id}, {BOB.id}]
