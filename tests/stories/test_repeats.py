"""Repeats and disorder through the real way: several webhook processes, tasks that run twice, late and out of order."""

import asyncio
import json
from collections import Counter
from typing import Any

import httpx
import pytest_asyncio
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from shared.values.update import Json
from tests.shared.examples import PROPERTY
from tests.stories.play import Chat, Person, Sandbox

TIMES = st.lists(st.integers(1, 5), min_size=3, max_size=6)
KINDS = st.lists(st.sampled_from(["twice", "late", "drop_answer"]), max_size=3)


@pytest_asyncio.fixture(scope="session")
async def webhooks(cloud: Any) -> list[str]:
    """Run three processes of the webhook."""
    more = [await asyncio.to_thread(cloud.add, "webhook") for _ in range(2)]
    return [cloud.webhook_url, *more]


def update_of(chat: Chat, person: Person, number: int) -> Json:
    """Make an update in Telegram's form."""
    sender = {"id": person.id, "is_bot": False, "first_name": person.name}
    place = {"id": chat.id, "type": "private", "first_name": person.name}
    message = {"message_id": number, "from": sender, "chat": place, "date": 1_772_366_400 + number}
    return {
        "update_id": 800_000_000 + chat.id % 10_000_000 * 20 + number,
        "message": {**message, "text": f"line {number}"},
    }


async def delivered(sandbox: Sandbox, webhooks: list[str], update: Json, times: int) -> None:
    """Deliver an update so many times at once, to the webhooks in turn."""
    secret = {"X-Telegram-Bot-Api-Secret-Token": sandbox.cloud.webhook_secret}
    async with httpx.AsyncClient(headers=secret, timeout=60) as http:
        calls = (http.post(f"{webhooks[n % len(webhooks)]}/lull", content=json.dumps(update)) for n in range(times))
        for answer in await asyncio.gather(*calls):
            assert answer.status_code == 200


async def play(sandbox: Sandbox, webhooks: list[str], times: list[int], kinds: list[str]) -> None:
    """Play one chat with repeated updates, and a queue that repeats and reorders tasks."""
    person = await sandbox.person("Ann")
    chat = await sandbox.private(person)
    await sandbox.model.will_plan({"kind": "send", "text": f"For {chat.id}."}, match=f"chat_id={chat.id} ", times=None)
    async with httpx.AsyncClient(base_url=sandbox.cloud.tasks_control_url, timeout=30) as tasks:
        for kind in kinds:
            (await tasks.post("/faults", json={"kind": kind, "times": 2, "seconds": 0.5})).raise_for_status()
        updates = [update_of(chat, person, n + 1) for n in range(len(times))]
        await asyncio.gather(*(delivered(sandbox, webhooks, u, n) for u, n in zip(updates, times, strict=True)))
        await chat.answers()
        await chat.rests()
        (await tasks.delete("/faults")).raise_for_status()
    transcript = await chat.transcript()
    assert Counter(i for e in transcript for i in e["updates"]) == Counter(u["update_id"] for u in updates)
    each = Counter(e["plan"] for e in transcript if e.get("plan"))
    assert max(each.values()) == 1
    assert len(await chat.said()) == len(each)


async def test_each_update_is_handled_once_however_often_it_comes(sandbox: Sandbox, webhooks: list[str]) -> None:
    cases: list[tuple[list[int], list[str]]] = []

    @settings(PROPERTY, max_examples=3, phases=[Phase.generate])
    @given(TIMES, KINDS)
    def draw(times: list[int], kinds: list[str]) -> None:
        cases.append((times, kinds))

    draw()
    for times, kinds in cases:
        await play(sandbox, webhooks, times, kinds)
