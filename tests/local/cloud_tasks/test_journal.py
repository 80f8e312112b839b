import asyncio

from local.cloud_tasks.creation import new_task
from local.cloud_tasks.faults import TaskFaultKind
from local.cloud_tasks.journal import Journal
from local.cloud_tasks.outcome import response
from local.cloud_tasks.task import TaskMessage
from tests.local.cloud_tasks.cloud import QUEUE


def test_attempts_are_numbered_in_the_order_they_end() -> None:
    journal = Journal()
    task = new_task(TaskMessage(name=f"{QUEUE}/tasks/a", http_request={"url": "http://x.example"}), QUEUE, 100.0)
    journal.add(task.with_attempt(100.0), response(500), (100.0, 100.25), None)
    journal.add(task.with_attempt(101.0), response(200), (101.0, 101.001), TaskFaultKind.TWICE)
    first, second = journal.after(0)
    assert (first["n"], first["status"], first["ms"], first["at"], first["fault"]) == (1, 500, 250.0, 100.0, None)
    assert (second["n"], second["name"], second["fault"]) == (2, task.name, "twice")
    assert journal.after(1) == [second]


async def test_who_waits_is_woken_by_the_next_attempt_or_by_the_time() -> None:
    journal = Journal()
    task = new_task(TaskMessage(name=f"{QUEUE}/tasks/a", http_request={"url": "http://x.example"}), QUEUE, 100.0)
    await journal.wait_for_more(0, 0.01)
    assert journal.after(0) == []
    waiting = asyncio.create_task(journal.wait_for_more(0, 3600))
    await asyncio.sleep(0)
    journal.add(task.with_attempt(100.0), response(200), (100.0, 100.25), None)
    await waiting
    await journal.wait_for_more(0, 3600)
    assert len(journal.after(0)) == 1
