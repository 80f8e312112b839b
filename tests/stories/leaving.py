"""Helpers of stories of deletion: presses, both rounds of a deletion, and reading all of lull's data."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
from google.auth.credentials import AnonymousCredentials
from google.cloud.storage import Blob, Client
from google.cloud.tasks_v2 import CloudTasksAsyncClient
from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksGrpcAsyncIOTransport

from tests.shared.privacy.deletion.test_rules import deletion_rule_of
from tests.stories.play import Chat, Json, Person, Sandbox, until
from tests.stories.test_commands import press


async def everything(sandbox: Sandbox) -> AsyncIterator[tuple[str, str]]:
    """Yield path and content of every document of every collection, also below deleted documents."""
    async for collection in sandbox.firestore.collections():
        async for found in _below(collection):
            yield found


async def _below(collection: Any) -> AsyncIterator[tuple[str, str]]:
    async for reference in collection.list_documents():
        found = await reference.get()
        if found.exists:
            assert deletion_rule_of(reference.path) is not None, (
                f"{reference.path} is kept, and nothing says what becomes of it when a person asks to be forgotten: "
                f"add its collection to DELETION_RULES of shared/privacy/deletion/rules.py"
            )
            yield reference.path, _told(found.to_dict())
        async for below in reference.collections():
            async for inner in _below(below):
                yield inner


def _told(value: Any) -> str:
    """Write a document as readable text, including its bytes."""
    return json.dumps(value, default=_plain, ensure_ascii=False)


def _plain(value: Any) -> Any:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


@contextmanager
def _storage(sandbox: Sandbox) -> Iterator[Client]:
    """Open an official client of the local storage."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STORAGE_EMULATOR_HOST", sandbox.cloud.storage_url)
        yield Client(project=sandbox.cloud.project, credentials=AnonymousCredentials())  # type: ignore[no-untyped-call]


def _blobs(client: Client) -> Iterator[tuple[str, Blob]]:
    for bucket in client.list_buckets():
        for blob in client.list_blobs(bucket.name, versions=True):
            yield f"{bucket.name}/{blob.name}", blob


def object_names(sandbox: Sandbox) -> list[str]:
    """List the names of all objects of every bucket, also while some are being deleted."""
    with _storage(sandbox) as client:
        return [name for name, _ in _blobs(client)]


def objects(sandbox: Sandbox) -> dict[str, str]:
    """Map the names of all objects of every bucket to their contents."""
    with _storage(sandbox) as client:
        return {name: blob.name + blob.download_as_bytes().decode(errors="replace") for name, blob in _blobs(client)}


def log_lines(sandbox: Sandbox) -> list[str]:
    """List all lines that lull's functions logged."""
    logs = (sandbox.cloud.folder / "logs").glob("*.log")
    return [f"{log.name}: {line}" for log in logs for line in Path(log).read_text().splitlines()]


async def everywhere(sandbox: Sandbox) -> list[str]:
    """List all stored data with their places: documents, objects and log lines."""
    told = [f"{path}: {held}" async for path, held in everything(sandbox)]
    told += [f"{name}: {held}" for name, held in objects(sandbox).items()]
    return [*told, *log_lines(sandbox)]


async def found_anywhere(sandbox: Sandbox, *marks: str) -> list[str]:
    """List the places where one of the marks is still stored."""
    return [_around(one, mark) for one in await everywhere(sandbox) for mark in marks if mark in one]


def _around(told: str, mark: str) -> str:
    """Return the place of a mark, and the text around it."""
    at = told.index(mark)
    return f"{told[:80]} … {told[max(0, at - 80) : at + 80]}"


async def forgets(sandbox: Sandbox, chat: Chat, person: Person, button: int = 0) -> Json:
    """Give the command, press one of its buttons, and wait for both rounds; return the finished deletion."""
    before = {one.id async for one in sandbox.firestore.collection("erasures").list_documents()}
    asked_by = await chat.writes(person, "/forget")
    asked = await until(lambda: _question(chat, asked_by), "the question")
    await press(chat, person, asked, button)

    async def begun() -> str:
        names = [one.id async for one in sandbox.firestore.collection("erasures").list_documents()]
        return next((name for name in names if name not in before), "")

    name = str(await until(begun, "the erasure is kept"))
    await comes_to(sandbox, name, "round", 2)
    await settles(sandbox, name)
    return await comes_to(sandbox, name, "due_at", None)


async def _nothing_is_due(tasks: CloudTasksAsyncClient, queue: str) -> bool:
    """Return whether no task of any queue is due or running."""
    now = datetime.now(UTC)
    parent = queue.rpartition("/queues/")[0]
    async for each in await tasks.list_queues(request={"parent": parent}):
        async for one in await tasks.list_tasks(request={"parent": each.name}):
            if one.schedule_time <= now:
                return False
    return True


async def _question(chat: Chat, asked_by: int) -> Json | None:
    """Find the question that answers a message."""
    return next((m for m in await chat.said() if m.get("buttons") and m["message_id"] > asked_by), None)


async def comes_to(sandbox: Sandbox, name: str, field: str, value: object) -> Json:
    """Wait until a field of the deletion has this value, and return the deletion."""

    async def is_there() -> Json:
        found = (await sandbox.firestore.document(f"erasures/{name}").get()).to_dict() or {}
        return found if found and found.get(field) == value else {}

    found: Json = await until(is_there, f"the erasure comes to {field}={value}")
    return found


async def settles(sandbox: Sandbox, name: str) -> None:
    """Let the time pass until the second round, which is called as its task would call it.

    Within the 20 minutes whatever had been begun before the first round is over: here it is waited for.
    """
    async with grpc.aio.insecure_channel(sandbox.cloud.tasks_address) as channel:
        tasks = CloudTasksAsyncClient(transport=CloudTasksGrpcAsyncIOTransport(channel=channel))
        await until(lambda: _nothing_is_due(tasks, sandbox.cloud.queue), "no function runs")
    due = {"due_at": datetime.now(UTC) - timedelta(seconds=1)}
    await sandbox.firestore.document(f"erasures/{name}").update(due)
    async with httpx.AsyncClient(timeout=120) as client:
        body = {"job": "erase", "erasure": name}
        (await client.post(sandbox.cloud.url("erase"), json=body)).raise_for_status()
