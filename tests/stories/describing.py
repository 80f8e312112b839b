"""Helpers of stories of files: the describing model's script and requests, the queue of files, and the sweep."""

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
    """Make the describing model's next answer: the contents of a file, and its spoken words."""
    return {"match": DESCRIBE, "text": json.dumps({"shows": text, "says": says}), **more}


def fails(**more: Any) -> Json:
    """Make the describing model fail at every request."""
    return {"match": DESCRIBE, "status": 503, "error": "The model is overloaded.", "times": None, **more}


def always(chat: Chat, text: str) -> Json:
    """Make all next plans for a chat: one message."""
    return {"match": f"chat_id={chat.id} ", "times": None, "tasks": {"tasks": [{"kind": "send", "text": text}]}}


async def last_exchange(sandbox: Sandbox) -> int:
    """Return the number of the newest exchange with any model."""
    found = await sandbox.model.http.get("/exchanges", params={"after": NEVER})
    return int(found.raise_for_status().json()["last"])


async def descriptions(sandbox: Sandbox, after: int = 0) -> list[Json]:
    """List the test's requests for descriptions after an exchange."""
    params: Json = {"after": max(after, sandbox.model.seen), "about": DESCRIBE}
    answer = await sandbox.model.http.get("/exchanges", params=params)
    return [json.loads(e["request"]) for e in answer.raise_for_status().json()["exchanges"]]


async def described_files(sandbox: Sandbox) -> frozenset[str]:
    """List the unique ids of files with a stored description."""
    found = (
        sandbox.firestore.collection("media")
        .where(filter=FieldFilter("outcome", "==", DescriptionOutcome.DESCRIBED))
        .stream()
    )
    return frozenset([one.id async for one in found])


@asynccontextmanager
async def paused(sandbox: Sandbox, queue: Queue) -> AsyncIterator[None]:
    """Pause a queue (`MEDIA` for files) while the block runs."""
    async with httpx.AsyncClient(base_url=sandbox.cloud.tasks_control_url, timeout=30) as control:
        name = f"/v2/{QUEUES[queue]}"
        (await control.post(f"{name}:pause", json={})).raise_for_status()
        try:
            yield
        finally:
            (await control.post(f"{name}:resume", json={})).raise_for_status()


@contextmanager
def with_settings(cloud: LocalCloud, *functions: str, **env: str) -> Iterator[None]:
    """Give functions of a cloud other settings while the block runs."""
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
    """Run a sweep that finds the left-over files of a chat, and wait for the end of its job."""
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
    """Hide left-over files of other tests: a run reads only a few, and would use the answers of this test's script."""
    waiting = chat.firestore.collection("references").where(filter=FieldFilter("is_open", "==", True))
    for one in await waiting.get():
        if (one.to_dict() or {}).get("chat") != chat.chat_key.id:
            await chat.firestore.document(one.reference.path).update({"is_open": False})


async def references(chat: Chat) -> list[Json]:
    """List the references of a chat to its files."""
    of_chat = chat.firestore.collection("references").where(filter=FieldFilter("chat", "==", chat.chat_key.id))
    return [{**(one.to_dict() or {}), "name": one.id} for one in await of_chat.get()]


async def kept_of(chat: Chat) -> list[Json]:
    """List the stored documents of a chat's files."""
    names = {one["ref"]["unique_id"] for one in await references(chat)}
    found = [await chat.firestore.document(f"media/{name}").get() for name in sorted(names)]
    return [one.to_dict() or {} for one in found if one.exists]


async def an_hour_passes(chat: Chat) -> None:
    """End all claims and pauses of a chat's files."""
    ago = datetime.now(UTC) - AGO
    for one in await references(chat):
        media = chat.firestore.document(f"media/{one['ref']['unique_id']}")
        kept = (await media.get()).to_dict() or {}
        if moments := {name: ago for name in ("claimed_until", "next_try_at") if kept.get(name)}:
            await media.update(moments)
        if one.get("is_open"):
            await chat.firestore.document(f"references/{one['name']}").update({"try_at": ago})


async def outcomes(chat: Chat) -> list[str]:
    """List the result of each of a chat's files, by name; empty for none yet."""
    return [str((one.get("description") or {}).get("outcome", "")) for one in await kept_of(chat)]


async def is_tried(chat: Chat, times: int) -> bool:
    """Whether each of a chat's files was tried so many times, and no try is under way."""
    kept = await kept_of(chat)
    return bool(kept) and all(one["tries"] == times and one["claimed_until"] is None for one in kept)


async def is_told(chat: Chat, count: int = 1) -> None:
    """Wait until the chat has read so many descriptions of its files."""

    async def told() -> bool:
        found = await references(chat)
        return len(found) >= count and not any(one.get("is_open") for one in found)

    await until(told, "its files are described")
    await chat.rests()


async def shown_to_planner(sandbox: Sandbox, chat: Chat) -> list[Json]:
    """List the files in the newest request for a plan of a chat: their MIME types, and bytes in base64."""
    asked = (await sandbox.model.asked(f"chat_id={chat.id} "))[-1]["request"]["contents"]
    return [part["inlineData"] for content in asked for part in content["parts"] if "inlineData" in part]
