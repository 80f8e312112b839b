"""Stories of /export: people get their own stored data as a zip file, without data of others."""

import asyncio
import io
import json
import zipfile
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from shared.values.export import export_id
from tests.stories.play import Chat, Json, Person, Sandbox, until


async def asked_for(
    sandbox: Sandbox, chat: Chat, person: Person, ask: Callable[[], Awaitable[object]] | None = None
) -> dict[str, bytes]:
    """Write /export as a person, or `ask` for it elsewhere, and return the files that they get in the chat."""
    await (ask() if ask is not None else chat.writes(person, "/export"))

    async def sent() -> list[Json]:
        return [m for m in await chat.said() if m["file"] is not None]

    (message,) = await until(sent, "the file comes")
    assert message["file"]["kind"] == "document"
    content = (await sandbox.telegram.get(f"/world/files/{message['file']['file_id']}")).raise_for_status().content
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        assert file.testzip() is None
        return {name: file.read(name) for name in file.namelist()}


async def export_of(sandbox: Sandbox, person: Person) -> Json:
    """Read the document of a person's export."""
    return (await sandbox.firestore.document(f"takeouts/{export_id(person.id)}").get()).to_dict() or {}


async def comes_to_its_end(sandbox: Sandbox, person: Person) -> None:
    """Run the job for a person's export until its parts are deleted."""

    async def cleared() -> bool:
        async with httpx.AsyncClient(timeout=60) as client:
            (await client.post(sandbox.cloud.summarize_url, json={"job": "take_out"})).raise_for_status()
        return bool((await export_of(sandbox, person))["state"] == "cleared")

    await until(cleared, "the parts are deleted")


async def test_somebody_gets_what_is_kept_of_them_and_the_bucket_is_emptied(sandbox: Sandbox) -> None:
    ann, bob = await sandbox.person("Ann", "de"), await sandbox.person("Bob")
    chat, group = await sandbox.private(ann), await sandbox.group([ann, bob])
    await sandbox.model.will_plan({"kind": "send", "text": "A green day to you!"}, match=ann.name)
    await chat.writes(ann, "I am called the Green Knight")
    await chat.answers()
    await group.writes(bob, "what Bob says to all")
    await group.writes(ann, "what Ann says to all")
    await chat.rests()
    await group.rests()
    files = await asked_for(sandbox, chat, ann)
    told: list[Any] = [json.loads(line) for line in files["messages.jsonl"].splitlines()]
    assert {one.get("content") for one in told} >= {
        "I am called the Green Knight",
        "A green day to you!",
        "what Ann says to all",
    }
    (used,) = [json.loads(line) for line in files["usage.jsonl"].splitlines()]
    assert (used["person"], used["by"]["plan"]["calls"]) == (ann.id, 1)
    assert b"what Bob says" not in b"".join(files.values())
    assert "deine Nachrichten in allen Chats" in files["README.txt"].decode()
    run = (await export_of(sandbox, ann))["run"]
    await comes_to_its_end(sandbox, ann)
    async with httpx.AsyncClient(timeout=60) as client:
        kept = (await client.get(f"{sandbox.cloud.storage_url}/storage/v1/b/lull-local-takeouts/o")).json()
    assert [one["name"] for one in kept.get("items", []) if one["name"].startswith(run)] == []

    async def shown() -> bool:
        return any("kannst du ihn wieder anfordern" in str(m["text"]) for m in await chat.said())

    await until(shown, "the answer to /export says how it ended")
    before = len(await chat.said())
    await chat.writes(ann, "/export")

    async def answered() -> list[Json]:
        return (await chat.said())[before:]

    (refused,) = await until(answered, "an answer")
    assert "kannst du ihn wieder anfordern" in refused["text"]
    assert (await export_of(sandbox, ann))["run"] == run


@pytest.mark.parametrize("by_whom", ["themselves", "another"])
async def test_who_left_a_group_gets_nothing_of_what_is_said_to_them_there_later(
    sandbox: Sandbox, by_whom: str
) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    chat, group = await sandbox.private(ann), await sandbox.group([bob, ann])
    members = f"/world/chats/{group.key}/members"

    async def is_told(text: str) -> None:
        await group.writes(bob, f"@{ann.name.lower()}_x {text}")
        await group.rests()

    async def passes() -> None:
        await asyncio.sleep(1.1)  # Telegram's times have whole seconds

    await group.writes(ann, "what Ann says to all")
    await is_told("a heron for Ann")
    await passes()
    by = ann if by_whom == "themselves" else bob
    (await sandbox.telegram.delete(f"{members}/{ann.id}", params={"by": by.id})).raise_for_status()
    await is_told("a hippo for others")
    await passes()
    (await sandbox.telegram.post(members, json={"person_id": ann.id})).raise_for_status()
    await is_told("a lynx for Ann")
    await passes()
    (await sandbox.telegram.delete(f"{members}/{ann.id}", params={"by": by.id})).raise_for_status()
    await is_told("an otter for others")
    told = b"".join((await asked_for(sandbox, chat, ann)).values())
    assert b"what Ann says" in told
    assert (b"heron" in told, b"lynx" in told) == (True, True)
    assert b"hippo" not in told
    assert b"otter" not in told


async def test_in_a_group_nobody_is_given_anything(sandbox: Sandbox) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    group = await sandbox.group([ann, bob])
    bot = await sandbox.bot("lull")
    await group.writes(ann, f"/export@{bot['username']}")
    (told,) = await group.answers()
    assert "private chat" in told
    await group.rests()
    assert await export_of(sandbox, ann) == {}


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"kind": "400", "why": "Request Entity Too Large"}, "I couldn't send part 1 of 1 of your export"),
        ({"kind": "cut_after"}, "I don't know whether part 1 of 1 of your export has arrived"),
    ],
)
async def test_what_did_not_arrive_is_told_and_may_be_asked_for_again_at_once(
    sandbox: Sandbox, fault: Json, said: str
) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.telegram.post("/world/faults", json={"method": "sendDocument", "chat_id": chat.id, **fault})
    await chat.writes(ann, "/export")

    async def is_over() -> bool:
        return bool((await export_of(sandbox, ann)).get("outcomes"))

    await until(is_over, "something became of it")
    await comes_to_its_end(sandbox, ann)

    async def told() -> bool:
        return any(said in str(m["text"]) for m in await chat.said())

    await until(told, "it is told")
    first = await export_of(sandbox, ann)
    before = len([m for m in await chat.said() if m["file"] is not None])
    await chat.writes(ann, "/export")

    async def sent() -> bool:
        return len([m for m in await chat.said() if m["file"] is not None]) > before

    await until(sent, "it is sent when it is asked for again")
    assert (await export_of(sandbox, ann))["run"] != first["run"]
    assert sum(said in str(m["text"]) for m in await chat.said()) == 1
