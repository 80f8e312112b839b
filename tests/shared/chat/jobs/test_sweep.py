"""The sweep wakes each chat once, for the right reason and in the right order. It has its own database and queue
here.
"""

import itertools
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.base.errors import QueueUnavailable, StoreUnavailable
from shared.chat.jobs.sweep import Sweeper, SweepLimits, sweep
from shared.chat.store.inbox import FirestoreInbox
from shared.chat.store.queries import PageQuery, StalledChat
from shared.chat.store.sweep import FirestoreSweep
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.job_run import JobRun
from shared.values.media import MediaKind, MediaRef
from shared.values.reference import DescribeRequest, left_over_job
from shared.values.wake import WakeReason
from tests.shared.examples import NOW, SECOND, message_update, update_of
from tests.shared.media.sendings import kept, reference
from tests.shared.paused_queue import PausedQueue
from tests.shared.turn.watched import Clock

TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
FIRST, SECOND_RUN = (
    JobRun(scheduled_for="2026-03-01T12:00:00Z", traceparent=TRACE),
    JobRun(scheduled_for="2026-03-01T12:05:00Z"),
)
_numbers = itertools.count(1)


class LocalSetup:
    """A project that no other test uses, and its sweeper."""

    def __init__(self, project: str, queue: PausedQueue, files: PausedQueue) -> None:
        self.inbox, self.left_overs = FirestoreInbox(project), FirestoreSweep(project)
        self.queue, self.files = queue, files
        self.sweeper = Sweeper(
            left_overs=self.left_overs,
            finders={"unread": self.left_overs.unread, "overdue": self.left_overs.overdue},
            queue=queue.jobs_beside(files),
            agents=frozenset({"lull", "moss"}),
            grace=timedelta(seconds=150),
            clock=Clock(NOW),
        )

    async def arrives(self, key: ChatKey, update_id: int, age_s: int = 200) -> None:
        """Store an update that arrived `age_s` seconds ago."""
        update = update_of(message_update(update_id), at=NOW - age_s * SECOND)
        envelope = replace(update.envelope, key=key)
        await self.inbox.add(replace(update, envelope=envelope))

    async def waits(self, key: ChatKey, overdue_s: int = 200) -> None:
        """Store a plan that was due `overdue_s` seconds ago."""
        chat = Chat(key=key, due_at=NOW - overdue_s * SECOND)
        await self.inbox.client.document(f"chats/{key.id}").set(chat.model_dump())

    async def sends(self, key: ChatKey, name: str = "u1", overdue_s: int = 1, *, is_open: bool = True) -> None:
        """Store a reference to a sent file that was due `overdue_s` seconds ago."""
        photo = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id=name)
        await kept(self.inbox.client, reference(photo, key, try_at=NOW - overdue_s * SECOND, is_open=is_open))

    async def woken(self) -> list[ChatKey]:
        """List the chats whose ticks are in the queue."""
        return [wake.key for wake in await self.queue.wakes()]


@pytest.fixture
async def local_setup(emulator: str, new_queue: Callable[[], Awaitable[PausedQueue]]) -> AsyncIterator[LocalSetup]:
    found = LocalSetup(f"town-{os.getpid()}-{next(_numbers)}", await new_queue(), await new_queue())
    yield found
    for client in (found.inbox.client, found.left_overs.client):
        client.close()  # type: ignore[no-untyped-call]


def chats(count: int, agent: str = "lull") -> list[ChatKey]:
    return [ChatKey(agent=agent, chat_id=n) for n in range(1, count + 1)]


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    """List lull's own logs. Python may log leftovers of an earlier test at any time."""
    return [record.message for record in caplog.records if record.name == "lull"]


async def test_an_idle_town_is_left_alone(local_setup: LocalSetup, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "lull"):
        assert await sweep(local_setup.sweeper, FIRST) == {}
    assert await local_setup.woken() == []
    assert logged(caplog) == ["the sweep woke 0 chats"]
    assert not (await local_setup.inbox.client.document("sweeps/cursors").get()).exists
    assert await local_setup.files.tasks() == []


async def test_each_chat_with_unread_updates_is_woken_once(local_setup: LocalSetup) -> None:
    one, two = chats(2)
    for update_id in (1, 2, 3):
        await local_setup.arrives(one, update_id)
    await local_setup.arrives(two, 4)
    assert await sweep(local_setup.sweeper, FIRST) == {"unread": 2}
    wakes = await local_setup.queue.wakes()
    assert {wake.key for wake in wakes} == {one, two}
    assert {(w.reason, w.at, w.of, w.traceparent) for w in wakes} == {
        (WakeReason.SWEEP, NOW, FIRST.scheduled_for, TRACE)
    }


async def test_leaves_documents_younger_than_the_grace_to_their_own_tick(local_setup: LocalSetup) -> None:
    one, two = chats(2)
    await local_setup.arrives(one, 1, age_s=150)
    await local_setup.waits(two, overdue_s=150)
    assert await sweep(local_setup.sweeper, FIRST) == {}
    await local_setup.arrives(one, 2, age_s=151)
    assert await sweep(local_setup.sweeper, FIRST) == {"unread": 1}


async def test_a_plan_that_should_have_gone_on_is_woken(local_setup: LocalSetup) -> None:
    one, two = chats(2)
    await local_setup.waits(one)
    await local_setup.waits(two, overdue_s=-3600)
    assert await sweep(local_setup.sweeper, FIRST) == {"overdue": 1}
    assert await local_setup.woken() == [one]


async def test_a_chat_with_two_left_overs_counts_once(local_setup: LocalSetup) -> None:
    (one,) = chats(1)
    await local_setup.arrives(one, 1)
    await local_setup.waits(one)
    assert await sweep(local_setup.sweeper, FIRST) == {"unread": 1}
    assert await local_setup.woken() == [one]


async def test_a_run_that_is_delivered_twice_wakes_once_and_the_next_one_again(local_setup: LocalSetup) -> None:
    (one,) = chats(1)
    await local_setup.arrives(one, 1)
    for _ in range(2):
        assert await sweep(local_setup.sweeper, FIRST) == {"unread": 1}
    (wake,) = await local_setup.queue.wakes()
    await local_setup.queue.end(wake)  # the task has run, and its name cannot be used again
    await sweep(local_setup.sweeper, FIRST)
    assert await local_setup.woken() == []
    await sweep(local_setup.sweeper, SECOND_RUN)
    assert await local_setup.woken() == [one]


async def test_wakes_the_longest_waiting_chats_first_and_the_rest_next_time(
    local_setup: LocalSetup, caplog: pytest.LogCaptureFixture
) -> None:
    everybody = chats(5)
    for n, key in enumerate(everybody):
        await local_setup.arrives(key, 1, age_s=900 - n)
        await local_setup.waits(key, overdue_s=500 - n)
    few = replace(local_setup.sweeper, limits=SweepLimits(chats=3, page=2))
    with caplog.at_level(logging.INFO, "lull"):
        assert await sweep(few, FIRST) == {"unread": 3}
        assert set(await local_setup.woken()) == set(everybody[:3])
        assert await sweep(few, SECOND_RUN) == {"unread": 2}
    assert set(await local_setup.woken()) == set(everybody)
    assert await local_setup.left_overs.cursors() == {}
    assert "the sweep has reached its limit; the next one continues from here" in caplog.text


async def test_a_bound_of_documents_ends_a_run_too(local_setup: LocalSetup) -> None:
    one, two = chats(2)
    for update_id in range(1, 7):
        await local_setup.arrives(one, update_id, age_s=900 - update_id)
    await local_setup.arrives(two, 7)
    few = replace(local_setup.sweeper, limits=SweepLimits(documents=4, page=2))
    assert await sweep(few, FIRST) == {"unread": 1}
    assert await sweep(few, SECOND_RUN) == {"unread": 2}
    assert set(await local_setup.woken()) == {one, two}


async def test_an_agent_that_has_no_bot_any_more_keeps_nobody_waiting(local_setup: LocalSetup) -> None:
    (mine,) = chats(1)
    for n, key in enumerate(chats(6, "gone")):
        await local_setup.arrives(key, 1, age_s=900 - n)
        await local_setup.waits(key, overdue_s=900 - n)
    await local_setup.arrives(mine, 1)
    few = replace(local_setup.sweeper, limits=SweepLimits(documents=4, chats=2, page=2))
    woken = [dict(await sweep(few, JobRun(scheduled_for=str(n)))) for n in range(4)]
    assert woken == [{}, {"unread": 1}, {}, {"unread": 1}]  # the search begins anew, since the update is still unread
    assert set(await local_setup.woken()) == {mine}


async def test_ignores_documents_that_are_not_lulls(local_setup: LocalSetup) -> None:
    strange = {"read": False, "received_at": NOW - timedelta(hours=1), "due_at": NOW - timedelta(hours=1)}
    for path in ("chats/nobody", "chats/nobody/inbox/1", "elsewhere/x/inbox/2"):
        await local_setup.inbox.client.document(path).set(strange)
    assert await sweep(local_setup.sweeper, FIRST) == {}


async def test_one_kind_that_cannot_be_looked_for_does_not_hide_the_others(local_setup: LocalSetup) -> None:
    one, _ = chats(2)
    await local_setup.waits(one)

    async def refused(_: PageQuery) -> Sequence[StalledChat]:
        raise StoreUnavailable("the index is not built yet")

    lame = replace(local_setup.sweeper, finders={"unread": refused, "overdue": local_setup.left_overs.overdue})
    with pytest.raises(StoreUnavailable, match="not built"):
        await sweep(lame, FIRST)
    assert await local_setup.woken() == [one]


async def test_a_queue_that_takes_nothing_fails_the_run_and_nothing_is_passed_over(local_setup: LocalSetup) -> None:
    for key in chats(3):
        await local_setup.arrives(key, 1)
    missing = local_setup.queue.jobs(missing=True)
    few = replace(local_setup.sweeper, limits=SweepLimits(chats=1))
    with pytest.raises(QueueUnavailable):
        await sweep(replace(few, queue=missing), FIRST)
    assert await local_setup.left_overs.cursors() == {}
    assert await sweep(few, FIRST) == {"unread": 1}


async def test_wakes_that_are_refused_for_good_are_told_and_no_reason_to_repeat_the_run(
    local_setup: LocalSetup, caplog: pytest.LogCaptureFixture
) -> None:
    for key in chats(2):
        await local_setup.arrives(key, 1)
    assert await sweep(replace(local_setup.sweeper, queue=local_setup.queue.jobs("nowhere")), FIRST) == {}
    errors = [line.getMessage() for line in caplog.records if line.levelname == "ERROR"]
    assert errors == ["Cloud Tasks will never take this task (InvalidArgument)"] * 2
    assert await sweep(local_setup.sweeper, FIRST) == {"unread": 2}


async def test_files_that_were_left_over_are_looked_after_in_one_run(
    local_setup: LocalSetup, caplog: pytest.LogCaptureFixture
) -> None:
    for n, key in enumerate(chats(3)):
        await local_setup.sends(key, f"u{n}")
    with caplog.at_level(logging.INFO, "lull"):
        assert await sweep(local_setup.sweeper, FIRST) == {"files": 1}
    assert logged(caplog) == [
        "the sweep woke 0 chats",
        "files were left over: a run for them was started",
    ]
    (task,) = await local_setup.files.tasks()
    assert task.name == f"{local_setup.files.name}/tasks/{left_over_job(FIRST.scheduled_for, NOW).name}"
    assert DescribeRequest.model_validate_json(task.http_request.body) == DescribeRequest()
    assert task.http_request.headers["traceparent"] == TRACE
    assert await local_setup.woken() == []


async def test_a_run_over_files_is_asked_for_once_in_a_slot(local_setup: LocalSetup) -> None:
    (one,) = chats(1)
    await local_setup.sends(one)
    for job_run, tasks in ((FIRST, 1), (FIRST, 1), (SECOND_RUN, 2)):
        assert await sweep(local_setup.sweeper, job_run) == {"files": 1}
        assert len(await local_setup.files.tasks()) == tasks


async def test_files_that_have_time_or_were_told_need_nobody(local_setup: LocalSetup) -> None:
    one, two = chats(2)
    await local_setup.sends(one, overdue_s=-1)
    await local_setup.sends(two, is_open=False)
    assert await sweep(local_setup.sweeper, FIRST) == {}
    assert await local_setup.files.tasks() == []


async def test_a_queue_for_files_that_takes_nothing_keeps_no_chat_from_being_woken(
    local_setup: LocalSetup, caplog: pytest.LogCaptureFixture
) -> None:
    (one,) = chats(1)
    await local_setup.arrives(one, 1)
    await local_setup.sends(one)
    gone = replace(local_setup.files, name=f"{local_setup.files.name}-gone")
    with pytest.raises(QueueUnavailable):
        await sweep(replace(local_setup.sweeper, queue=local_setup.queue.jobs_beside(gone)), FIRST)
    assert await local_setup.woken() == [one]
    # the queue for files is unknown here, so a repeated run would not help
    assert await sweep(replace(local_setup.sweeper, queue=local_setup.queue.jobs()), FIRST) == {"unread": 1}
    assert "unknown queue or function " in caplog.text


async def test_files_that_cannot_be_looked_for_keep_no_chat_from_being_woken_nor_does_another_kind_keep_them(
    local_setup: LocalSetup,
) -> None:
    (one,) = chats(1)
    await local_setup.arrives(one, 1)
    await local_setup.sends(one)

    async def refused(_: object) -> Sequence[StalledChat]:
        raise StoreUnavailable("the index is not built yet")

    blind = FirestoreSweep(str(local_setup.left_overs.client.project))
    blind.has_files = refused  # type: ignore[method-assign, assignment]
    with pytest.raises(StoreUnavailable, match="not built"):
        await sweep(replace(local_setup.sweeper, left_overs=blind), FIRST)
    assert (await local_setup.woken(), await local_setup.files.tasks()) == ([one], [])
    with pytest.raises(StoreUnavailable, match="not built"):
        await sweep(replace(local_setup.sweeper, finders={"unread": refused}), FIRST)
    assert len(await local_setup.files.tasks()) == 1
    blind.client.close()  # type: ignore[no-untyped-call]


async def test_where_conversations_rest_a_run_that_finds_them_is_asked_for(
    local_setup: LocalSetup, new_queue: Callable[[], Awaitable[PausedQueue]]
) -> None:
    queue = await new_queue()
    sweeper = replace(local_setup.sweeper, queue=queue.background_jobs(), embedding_model="new")
    document = local_setup.inbox.client.document("conversations/conv-1")
    await document.set({"due_at": NOW + SECOND, "embedding_model": ""})
    assert await sweep(sweeper, FIRST) == {}
    await document.set({"due_at": NOW - SECOND, "embedding_model": ""})
    for _ in range(2):
        assert await sweep(sweeper, FIRST) == {"notes": 1}
    (task,) = await queue.tasks()
    assert task.http_request.body == b'{"job": "notes"}'
    await document.set({"due_at": None, "embedding_model": "old"})
    assert await sweep(sweeper, SECOND_RUN) == {"notes": 1}
    assert await sweep(replace(sweeper, embedding_model=""), SECOND_RUN) == {}


async def test_a_deletion_whose_task_was_lost_goes_on(
    local_setup: LocalSetup, new_queue: Callable[[], Awaitable[PausedQueue]]
) -> None:
    queue = await new_queue()
    sweeper = replace(local_setup.sweeper, queue=queue.erasing_jobs())
    document = local_setup.inbox.client.document("erasures/e1")
    await document.set({"due_at": NOW + SECOND})
    assert await sweep(sweeper, FIRST) == {}
    await document.set({"due_at": NOW - SECOND})
    for _ in range(2):
        assert await sweep(sweeper, FIRST) == {"erasures": 1}
    (task,) = await queue.tasks()
    assert task.http_request.body == b'{"job": "erase", "erasure": "e1"}'
    await document.set({"due_at": None})
    assert await sweep(sweeper, SECOND_RUN) == {}
