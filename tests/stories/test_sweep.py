"""Stories of the sweep: messages in Firestore are answered even if tasks are lost. In a separate cloud."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import grpc
import httpx
import pytest
from google.cloud.tasks_v2.services.cloud_tasks import CloudTasksAsyncClient
from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksGrpcAsyncIOTransport

from local.cloud import LocalCloud
from shared.chat.jobs.sweep import SweepLimits
from shared.values.chat_key import ChatKey
from tests.conftest import HURRIED, SCHEDULED
from tests.forking import forked
from tests.stories.play import Chat, Json, Sandbox, until

GRACE = timedelta(seconds=2)


@pytest.fixture(scope="module")
def cloud() -> Iterator[LocalCloud]:
    """Run a local cloud without left-over chats of other tests."""
    env = HURRIED | {"LULL_SWEEP_GRACE_S": str(GRACE.total_seconds())}
    with LocalCloud(forked(env=env, parts=SCHEDULED)).running() as running:
        yield running


async def asked(url: str, **fields: Any) -> Json:
    """Send a POST to a control API, and return the answer."""
    async with httpx.AsyncClient(timeout=60) as client:
        found: Json = (await client.post(url, **fields)).raise_for_status().json()
    return found


async def tasks(sandbox: Sandbox) -> list[Json]:
    """List the tasks of Cloud Tasks."""
    async with httpx.AsyncClient(timeout=60) as client:
        found = (await client.get(f"{sandbox.cloud.tasks_control_url}/tasks")).raise_for_status().json()
    return list(found["tasks"])


async def swept(sandbox: Sandbox, deliveries: int = 1) -> list[Json]:
    """Fire the sweep through Cloud Scheduler, and list the result of each delivery."""
    told = await asked(f"{sandbox.cloud.scheduler_url}/jobs/sweep:run", json={"deliveries": deliveries})
    assert [attempt["status"] for attempt in told["attempts"]] == [200] * deliveries
    return [httpx.Response(200, text=attempt["said"]).json() for attempt in told["attempts"]]


@asynccontextmanager
async def paused_queue(sandbox: Sandbox) -> AsyncIterator[None]:
    """Let the queue accept tasks, but dispatch them only at the end."""
    async with grpc.aio.insecure_channel(sandbox.cloud.tasks_address) as channel:
        client = CloudTasksAsyncClient(transport=CloudTasksGrpcAsyncIOTransport(channel=channel))
        await client.pause_queue(name=sandbox.cloud.queue)
        try:
            yield
        finally:
            await client.resume_queue(name=sandbox.cloud.queue)


@asynccontextmanager
async def stopped_queue(sandbox: Sandbox) -> AsyncIterator[None]:
    """Let the queue accept tasks, and lose all of them with their names at the end."""
    async with paused_queue(sandbox):
        yield
        await asked(f"{sandbox.cloud.tasks_control_url}/purge-all")


async def has_updates(chat: Chat, count: int) -> None:
    """Wait until so many updates of a chat lie in Firestore, and the webhook has asked for their ticks and said so."""

    async def are_there() -> bool:
        pending = (await chat.telegram.get(f"/world/bots/{chat.bot_id}/queue")).json()["pending"]
        return len(await chat.inbox()) >= count and not pending

    await until(are_there, "the updates arrive")


async def past_grace(moment: datetime) -> None:
    """Wait until updates of that time count as left over."""
    left = moment + GRACE - datetime.now(UTC)
    await asyncio.sleep(max(0.0, left.total_seconds()) + 0.1)


async def test_a_queue_that_is_lost_altogether_costs_nobody_an_answer(sandbox: Sandbox) -> None:
    ann, ben, cem = [await sandbox.person(name) for name in ("Ann", "Ben", "Cem")]
    reminded, plain, burst = [await sandbox.private(person) for person in (ann, ben, cem)]
    group = await sandbox.group([ann, ben, cem])
    await group.rests()  # else the tick after the agent's arrival may read the update that the stopped queue is for
    username = (await sandbox.bot("lull"))["username"]
    reminder = [
        {"kind": "send", "text": "I will."}, {"kind": "wait", "seconds": 1}, {"kind": "send", "text": "Drink!"},
    ]  # fmt: skip
    await sandbox.model.will(
        {"tasks": {"tasks": reminder}, "match": "remind me to drink", "hold": "until-paused"},
        *(
            {"tasks": {"tasks": [{"kind": "send", "text": answer}]}, "match": question}
            for question, answer in (("a damson", "Blue."), ("a quince", "All three."), ("a medlar", "Brown."))
        ),
    )
    await reminded.writes(ann, "remind me to drink")

    async def is_claimed() -> bool:
        return (await reminded.document()).get("lease") is not None

    async def is_waiting() -> bool:
        chat = await reminded.document()
        return chat["due_at"] is not None and chat["lease"] is None

    await until(is_claimed, "the tick has begun")
    async with stopped_queue(sandbox):
        await sandbox.model.go_on("until-paused")
        assert await reminded.answers() == ["I will."]
        await until(is_waiting, "the plan waits")
        await plain.writes(ben, "what colour is a damson?")
        for text in ("I have", "a question about", "a quince"):
            await burst.writes(cem, text)
        await group.writes(ann, "lunch?")
        await group.writes(ben, f"@{username} what colour is a medlar?")
        for chat, count in ((plain, 1), (burst, 3), (group, 3)):  # the group's first is the agent's arrival
            await has_updates(chat, count)
        assert len(await tasks(sandbox)) >= 4
    assert await tasks(sandbox) == []

    await past_grace(max(datetime.now(UTC), (await reminded.document())["due_at"]))
    assert await swept(sandbox) == [{"unread": 3, "overdue": 1}]
    assert await reminded.answers() == ["Drink!"]
    assert await plain.answers() == ["Blue."]
    assert await burst.answers() == ["All three."]
    assert await group.answers() == ["Brown."]
    for chat, said in ((reminded, 2), (plain, 1), (burst, 1), (group, 1)):
        await chat.rests()
        assert len(await chat.said()) == said
    assert [e["text"] for e in await burst.spoken()][:3] == ["I have", "a question about", "a quince"]

    async def is_logged() -> bool:
        return "the sweep woke 4 chats  [job=sweep unread=3 overdue=1 " in sandbox.cloud.log("summarize").read_text()

    await until(is_logged, "the run is logged")


async def test_a_healthy_town_is_left_alone(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    done, waiting = await sandbox.private(ann), await sandbox.private(ann, "moss")
    await sandbox.model.will(
        {"tasks": {"tasks": [{"kind": "send", "text": "Hello."}]}, "match": "a sloe"},
        {"tasks": {"tasks": [{"kind": "wait", "seconds": 3600}, {"kind": "send", "text": "Late."}]}, "match": "a pear"},
    )
    await done.writes(ann, "a sloe")
    await waiting.writes(ann, "a pear, in an hour")
    assert await done.answers() == ["Hello."]
    for chat in (done, waiting):
        await chat.rests()
    assert (await waiting.document())["due_at"] is not None

    async def is_only_task() -> list[Json]:
        found = await tasks(sandbox)
        return found if len(found) == 1 else []

    before = await until(is_only_task, "nothing is to come but the plan that waits")
    await past_grace(datetime.now(UTC))
    assert await swept(sandbox) == [{}]
    assert await tasks(sandbox) == before


async def test_a_sweep_that_is_delivered_twice_wakes_each_chat_once(sandbox: Sandbox) -> None:
    people = [await sandbox.person(name) for name in ("Ann", "Ben")]
    chats = [await sandbox.private(person) for person in people]
    await sandbox.model.will(
        *({"tasks": {"tasks": [{"kind": "send", "text": "Once."}]}, "match": f"fig {n}"} for n in range(2))
    )
    async with stopped_queue(sandbox):
        for n, (person, chat) in enumerate(zip(people, chats, strict=True)):
            await chat.writes(person, f"fig {n}")
            await has_updates(chat, 1)
    await past_grace(datetime.now(UTC))
    before = await tasks(sandbox)
    async with paused_queue(sandbox):
        assert await swept(sandbox, deliveries=2) == [{"unread": 2}] * 2
        assert len(await tasks(sandbox)) == len(before) + 2
    for chat in chats:
        assert await chat.answers() == ["Once."]
        await chat.rests()
        assert len(await chat.said()) == 1


async def test_what_is_beyond_the_bound_is_done_by_the_next_sweep(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_say("At last.")
    long_ago = datetime.now(UTC) - timedelta(hours=1)
    of_nobody = ChatKey(agent="gone", chat_id=5).id
    paths = [f"chats/{of_nobody}/inbox/{n:020d}" for n in range(SweepLimits().documents)]
    await written(sandbox, paths, {"read": False, "received_at": long_ago})
    async with stopped_queue(sandbox):
        await chat.writes(ann, "is anybody there?")
        await has_updates(chat, 1)
    await past_grace(datetime.now(UTC))
    assert await swept(sandbox) == [{}]
    assert await swept(sandbox) == [{"unread": 1}]
    assert await chat.answers() == ["At last."]
    await chat.rests()
    assert len(await chat.said()) == 1
    await written(sandbox, paths, None)


async def written(sandbox: Sandbox, paths: list[str], fields: Json | None) -> None:
    """Write the same document at many places, or take them away."""
    for first in range(0, len(paths), 500):
        batch = sandbox.firestore.batch()
        for path in paths[first : first + 500]:
            reference = sandbox.firestore.document(path)
            if fields is None:
                batch.delete(reference)
            else:
                batch.set(reference, fields)
        await batch.commit()
