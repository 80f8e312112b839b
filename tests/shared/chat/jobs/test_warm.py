"""The first update of a webhook instance warms the tick function. This happens once, and a failure does not delay
updates.
"""

import json
import logging
from datetime import timedelta

import pytest
from pydantic import TypeAdapter, ValidationError

from shared.chat.jobs.receive import UpdateReceiver, WebhookRequest, receive
from shared.chat.jobs.warm import NOWHERE, ONE_IN_S, TickStart, WarmRequest, warm, warm_job
from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.inbox import FirestoreInbox
from shared.values.chat_key import ChatKey
from tests.shared.examples import NOW, SECOND, message_update
from tests.shared.paused_queue import PausedQueue

ORDER = TypeAdapter(WarmRequest)


def receiver_of(inbox: FirestoreInbox, queue: PausedQueue, start: TickStart) -> UpdateReceiver:
    return UpdateReceiver(inbox=inbox, queue=queue.ticks(), names={}, quiet={}, later=60 * SECOND, tick_start=start)


def written(key: ChatKey, update_id: int) -> WebhookRequest:
    raw = message_update(update_id)
    moved = {**raw, "message": {**raw["message"], "chat": {"id": key.chat_id, "type": "private"}}}
    return WebhookRequest("lull", json.dumps(moved).encode(), NOW)


async def test_the_first_update_of_each_instance_asks_and_instances_that_start_at_once_ask_for_one(
    inbox: FirestoreInbox, paused_queue: PausedQueue, key: ChatKey
) -> None:
    for _ in range(2):
        receiver = receiver_of(inbox, paused_queue, TickStart(paused_queue.jobs()))
        for update in (7, 8):
            await receive(receiver, written(key, update))
    bodies = [task.http_request.body.decode() for task in await paused_queue.tasks()]
    assert bodies.count(warm_job(NOW).body) == 1
    assert len(bodies) == 2, "the order, and the wake"


async def test_an_update_is_kept_whatever_becomes_of_the_order(
    inbox: FirestoreInbox,
    chats: FirestoreChats,
    paused_queue: PausedQueue,
    key: ChatKey,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "lull")
    receiver = receiver_of(inbox, paused_queue, TickStart(paused_queue.jobs("nowhere")))
    await receive(receiver, written(key, 7))
    assert await chats.unread_count(key) == 1
    assert [r.getMessage() for r in caplog.records if r.levelno == logging.ERROR] == [
        "Cloud Tasks will never take this task (InvalidArgument)"
    ]


async def test_warming_leaves_nothing_behind(chats: FirestoreChats) -> None:
    await warm(chats)
    assert not (await chats.client.document(paths.chat_path(NOWHERE)).get()).exists


def test_the_orders_of_one_span_have_one_name_and_the_next_has_another() -> None:
    start = NOW - timedelta(seconds=NOW.timestamp() % ONE_IN_S)
    names = [warm_job(start + timedelta(seconds=s)).name for s in range(2 * ONE_IN_S)]
    assert [names.count(name) for name in dict.fromkeys(names)] == [ONE_IN_S, ONE_IN_S]


def test_the_order_is_for_the_tick_function_at_once() -> None:
    job = warm_job(NOW)
    assert (job.function, job.at) == ("tick", NOW)
    assert ORDER.validate_json(job.body) == WarmRequest("warm")


def test_another_order_is_none() -> None:
    for body in ('{"job": "register"}', "{}", '{"job": "warm", "webhook_url": "https://x"}'):
        with pytest.raises(ValidationError):
            ORDER.validate_json(body)
