"""A month of a busy group is noted and summarised, and the cost has a limit."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.chat.store import paths
from shared.chat.store.inbox import FirestoreInbox
from shared.llm.gemini.model import GeminiModel
from shared.recall.jobs.summarize import summarize
from shared.recall.store.summaries import FirestoreSummaries, SummarySpan
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.job_run import JobRun
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.job_harness import JobHarness
from tests.shared.recall.jobs.test_note import talk
from tests.shared.recall.jobs.test_summarize import ASKED, summarizer
from tests.stories.play import Model

#: how many runs look for due notes, and how many messages come between two runs
LOOKS, MESSAGES = 30, 20
BETWEEN = timedelta(days=1)


@pytest.fixture
async def job_harness(
    inbox: FirestoreInbox, script: Model, gemini: GeminiModel, paused_queue: PausedQueue, key: ChatKey
) -> JobHarness:
    await inbox.client.document(paths.chat_path(key)).set(Chat(key=key).model_dump())
    return JobHarness(inbox.client, script, paused_queue, gemini, key)


async def test_a_month_of_a_busy_group_is_noted_and_summarised(job_harness: JobHarness) -> None:
    notes = json.dumps({"abbreviation": "They talk.", "observations": []})
    summary = json.dumps({"summary": "A record."})
    await job_harness.script.will(
        {"text": notes, "match": "Write the notes now.", "times": None},
        {"text": summary, "match": ASKED, "times": None},
    )
    conversation, began, calls = "", job_harness.now, 0
    by, made = summarizer(job_harness), 0
    for look in range(LOOKS):
        first = 1 + look * MESSAGES
        job_harness.now = began + (look + 1) * BETWEEN
        texts = [f"message {n} {'word ' * 40}" for n in range(first, first + MESSAGES)]
        entries = talk(*texts, first=first, at=job_harness.now - timedelta(minutes=first + MESSAGES))
        conversation = await job_harness.has(*entries, conversation=conversation)
        calls += (await job_harness.works_on(conversation, summarizer=by))["calls"]
        found = await summarize(by, replace(JobRun(scheduled_for="now"), chat=job_harness.key.id))
        made += found["made"]
    kept = await job_harness.notes(conversation)
    assert (kept.noted_seq, kept.due_at, kept.abbreviation) == (LOOKS * MESSAGES, None, "They talk.")
    assert calls == LOOKS
    # summaries of 7 days: every 3 days from the 4th day on; of 30 days: on the 15th and the 29th
    assert made == 9 + 2
    asked = [one["request"]["contents"][0]["parts"][0]["text"] for one in await job_harness.script.asked(ASKED)]
    assert all(len(text) <= by.room for text in asked)
    assert f"message {29 * MESSAGES} word" in asked[-1]  # the last request was on the 29th
    last = (await FirestoreSummaries(job_harness.client).last_summaries(job_harness.key.id))[SummarySpan.WEEK]
    assert last.ranges[-1].last_seq == 28 * MESSAGES
