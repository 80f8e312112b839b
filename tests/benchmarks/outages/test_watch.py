"""A watch detects updates that were answered with 200 and not stored."""

import asyncio
import re
import secrets
from collections.abc import AsyncIterator

import pytest_asyncio

from benchmarks import census
from benchmarks.outages.watch import Watch, follow_watch
from benchmarks.town import Town, town
from local.cloud import LocalCloud


@pytest_asyncio.fixture
async def place(cloud: LocalCloud) -> AsyncIterator[Town]:
    async with town(cloud) as place:
        yield place
        await place.gemini.delete("/script")


async def careless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer 200 without storing anything."""
    head = await reader.readuntil(b"\r\n\r\n")
    (length,) = re.findall(rb"(?i)^content-length: (\d+)", head, re.MULTILINE)
    await reader.readexactly(int(length))  # closing with unread data resets it: no answer
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    writer.close()
    await writer.wait_closed()


async def careless_bot(place: Town, url: str) -> int:
    """Create a bot whose updates go to that address, and return its id."""
    bot_id = 7_900_000_000 + secrets.randbelow(10**8)
    token = f"{bot_id}:careless"
    bot = {"token": token, "first_name": "Careless", "username": f"careless_{bot_id}_bot"}
    (await place.telegram.post("/world/bots", json=bot)).raise_for_status()
    (await place.telegram.post(f"/bot{token}/setWebhook", json={"url": url})).raise_for_status()
    return bot_id


async def private_chat(place: Town, bot_id: int) -> tuple[str, int]:
    """Create a person with a private chat with a bot; return the chat's key and the person's id."""
    person = await place.person("Ann")
    body = {"type": "private", "person_id": person, "bot_id": bot_id}
    return (await place.telegram.post("/world/chats", json=body)).json()["key"], person


async def until_accepted(watch: Watch, count: int) -> None:
    while True:
        if len(watch.accepted) >= count:
            return
        await asyncio.sleep(0.02)


async def test_a_200_for_what_is_not_stored_is_noticed(place: Town) -> None:
    server = await asyncio.start_server(careless, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    kept, lost = await private_chat(place, place.bot_id), await private_chat(place, await careless_bot(place, url))
    async with census.firestore_of(place.cloud) as firestore:
        async with follow_watch(Watch(place, firestore, dict([kept, lost]))) as watch:
            await place.write(*kept, "hello")
            await until_accepted(watch, 1)
            assert not watch.unstored
            await place.write(*lost, "hello")
            await until_accepted(watch, 2)
            await place.answers(kept[0], 1)
        assert len(watch.unstored) == 1
        assert watch.refusals == 0
    server.close()
    await server.wait_closed()


async def test_a_refusal_is_counted_and_what_comes_of_it_later_too(place: Town) -> None:
    key, person = await private_chat(place, place.bot_id)
    async with (
        census.firestore_of(place.cloud) as firestore,
        follow_watch(Watch(place, firestore, {key: person})) as watch,
    ):
        fault = {"method": "webhook", "kind": "500", "chat_id": person, "times": 2}
        (await place.telegram.post("/world/faults", json=fault)).raise_for_status()
        await place.write(key, person, "hello")
        await until_accepted(watch, 1)
        assert watch.refusals == 2
        assert not watch.unstored
        await place.answers(key, 1)
