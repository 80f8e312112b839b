"""What stories of files need: what the describing model says, how often it was asked, their queue and the sweep."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
from google.cloud.firestore_v1.base_query import FieldFilter

from local.cloud import LocalCloud
from local.parts import QUEUES
from shared.values.media import DescriptionOutcome
from shared.values.wake import Queue
from shared.wiring.settings.model_functions import LITE
from tests.stories.play import NEVER, Chat, Json, Sandbox, until

#: how requests for a description begin (shared/media/description_prompt.py)
DESCRIBE = "You describe files"
#: the settings with which files are described
DESCRIBED = {"LULL_MEDIA_MODEL": LITE}
#: in an hour every pause but the last one is over
AGO = timedelta(hours=1)
#: the number of an exchange after which there are none


def shows(text: str = "", says: str = "", **more: Any) -> Json:
    """The describing model's next answer: what a file shows, and what is said in it."""
    return {"match": DESCRIBE, "text": json.dumps({"shows": text, "says": says}), **more}


def fails(**more: Any) -> Json:
    """The describing model does not answer, however often it is asked."""
    return {"match": DESCRIBE, "status": 503, "error": "The model is overloaded.", "times": None, **more}


def always(chat: Chat, text: str) -> Json:
    """Every next plan for a chat: one message."""
    return {"match": f"chat_id={chat.id} ", "times": None, "tasks": {"tasks": [{"kind": "send", "text": text}]}}


async def last_exchange(sandbox: Sandbox) -> int:
    """The number of the newest exchange with any model."""
    found = await sandbox.model.http.get("/exchanges", params={"after": NEVER})
    return int(found.raise_for_status().json()["last"])


async def descriptions(sandbox: Sandbox, after: int = 0) -> list[Json]:
    """The test's requests for descriptions, those after an exchange."""
    params: Json = {"after": max(after, sandbox.model.seen), "about": DESCRIBE}
    answer = await sandbox.model.http.get("/exchanges", params=params)
    return [json.loads(e["request"]) for e in answer.raise_for_status().json()["exchanges"]]


async def described_files(sandbox: Sandbox) -> frozenset[str]:
    """The unique ids of the files of which it is kept what they show."""
    found = (
        sandbox.firestore.collection("media")
        .where(filter=FieldFilter("outcome", "==", DescriptionOutcome.DESCRIBED))
        .stream()
    )
    return frozenset([one.id async for one in found])


@asynccontextmanager
async def paused(sandbox: Sandbox, queue: Queue) -> AsyncIterator[None]:
    """What goes by a queue (files by `MEDIA`) is done after the block, and not before."""
    async with httpx.AsyncClient(base_url=sandbox.cloud.tasks_control_url, timeout=30) as control:
        name = f"/v2/{QUEUES[queue]}"
        (await control.post(f"{name}:pause", json={})).raise_for_status()
        try:
            yield
        finally:
            (await control.post(f"{name}:resume", json={})).raise_for_status()


@contextmanager
def with_settings(cloud: LocalCloud, *functions: str, **env: str) -> Iterator[None]:
    """Functions of a cloud have other settings within the block."""
    parts = {name: cloud.parts[name] for name in functions}
    for name, part in parts.items():
        cloud.parts[name] = replace(part, env={**part.env, **env})
        cloud.restart(name)
    try:
        yield
    finally:
        for name, part in parts.items():
            cloud.parts[name] = part
            cloud.restart(name)


async def looked_after(sandbox: Sandbox, chat: Chat) -> None:
    """The sweep finds what is left over in a chat, and the run over it that it asks for ends."""
    await _nobody_else_waits(chat)
    async with httpx.AsyncClient(base_url=sandbox.cloud.scheduler_url, timeout=120) as scheduler:
        told = (await scheduler.post("/jobs/sweep:run", json={})).raise_for_status().json()
        ((status, said),) = [(attempt["status"], json.loads(attempt["said"])) for attempt in told["attempts"]]
        assert (status, said["files"]) == (200, 1)
    async with httpx.AsyncClient(base_url=sandbox.cloud.tasks_control_url, timeout=30) as control:

        async def is_over() -> bool:
            return not (await control.get("/tasks", params={"queue": QUEUES[Queue.MEDIA]})).json()["tasks"]

        await until(is_over, "what was left over is looked after")


async def _nobody_else_waits(chat: Chat) -> None:
    """Have no other test's file be left over: a run looks at a few, and takes the answers of this test's script."""
    waiting = chat.firestore.collection("references").where(filter=FieldFilter("is_open", "==", True))
    for one in await waiting.get():
        if (one.to_dict() or {}).get("chat") != chat.chat_key.id:
            await chat.firestore.document(one.reference.path).update({"is_open": False})


async def references(chat: Chat) -> list[Json]:
    """Who sent which file in a chat."""
    of_chat = chat.firestore.collection("references").where(filter=FieldFilter("chat", "==", chat.chat_key.id))
    return [{**(one.to_dict() or {}), "name": one.id} for one in await of_chat.get()]


async def kept_of(chat: Chat) -> list[Json]:
    """What is kept of a chat's files."""
    names = {one["ref"]["unique_id"] for one in await references(chat)}
    found = [await chat.firestore.document(f"media/{name}").get() for name in sorted(names)]
    return [one.to_dict() or {} for one in found if one.exists]


async def an_hour_passes(chat: Chat) -> None:
    """For a chat's files: every claim is over and every pause has passed."""
    ago = datetime.now(UTC) - AGO
    for one in await references(chat):
        media = chat.firestore.document(f"media/{one['ref']['unique_id']}")
        kept = (await media.get()).to_dict() or {}
        if moments := {name: ago for name in ("claimed_until", "next_try_at") if kept.get(name)}:
            await media.update(moments)
        if one.get("is_open"):
            await chat.firestore.document(f"references/{one['name']}").update({"try_at": ago})


async def outcomes(chat: Chat) -> list[str]:
    """What came of each of a chat's files so far, by their names; empty: nothing yet."""
    return [str((one.get("description") or {}).get("outcome", "")) for one in await kept_of(chat)]


async def is_tried(chat: Chat, times: int) -> bool:
    """Whether each of a chat's files was tried so often, and no try is under way."""
    kept = await kept_of(chat)
    return bool(kept) and all(one["tries"] == times and one["claimed_until"] is None for one in kept)


async def is_told(chat: Chat, count: int = 1) -> None:
    """Wait until the chat has taken in what so many of its files show, if it did not know."""

    async def told() -> bool:
        found = await references(chat)
        return len(found) >= count and not any(one.get("is_open") for one in found)

    await until(told, "its files are described")
    await chat.rests()


async def shown_to_planner(sandbox: Sandbox, chat: Chat) -> list[Json]:
    """The files in the newest request for a plan of a chat: their MIME types and bytes in base64."""
    asked = (await sandbox.model.asked(f"chat_id={chat.id} "))[-1]["request"]["contents"]
    return [part["inlineData"] for content in asked for part in content["parts"] if "inlineData" in part]
