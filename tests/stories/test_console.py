"""Stories of the console: two tabs of the owner see what happens at once, and mend it, through the real function."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from starlette.responses import Response

from local.cloud import LocalCloud
from shared.console.signin.cookie import CookieBox, SignedIn
from shared.console.signin.origin import origin_of
from tests.conftest import ANSWERING, HURRIED, SOON
from tests.forking import forked
from tests.stories.play import LIMIT_S, Json, Person, Sandbox, until
from tests.stories.test_access import Owned, owned
from tests.stories.words import will_say

__all__ = ["owned"]


@pytest.fixture(scope="module")
def cloud() -> Iterator[LocalCloud]:
    """Run a closed cloud with the console, and with the functions that its buttons need."""
    env = HURRIED | {"LULL_OPEN": "no"}
    parts = (*ANSWERING, "console", "erase", "storage")
    with LocalCloud(forked(env=env, arguments={"telegram": SOON}, parts=parts)).running() as running:
        yield running


@dataclass
class Tab:
    """A browser in which the owner is signed in, and its stream of events."""

    http: httpx.AsyncClient
    lines: AsyncIterator[str]

    async def get(self, path: str, **query: str) -> Json:
        """Read something."""
        found: Json = (await self.http.get(path, params=query)).raise_for_status().json()
        return found

    async def post(self, path: str, **body: Any) -> Json:
        """Press a button."""
        done: Json = (await self.http.post(path, json=body)).raise_for_status().json()
        return done

    async def hears(self, **about: Any) -> Json:
        """Wait for the next event of a conversation that has these values."""
        name = ""
        async with asyncio.timeout(LIMIT_S):
            async for line in self.lines:
                field, _, value = line.partition(": ")
                name = value if field == "event" else name
                told = json.loads(value) if field == "data" else {}
                if name == "conversation" and told and about.items() <= told.items():
                    return dict(told)
        raise AssertionError("the stream ended")


@pytest.fixture
async def tabs(owned: Owned) -> AsyncIterator[list[Tab]]:
    """Open two tabs of the agent's owner."""
    async with AsyncExitStack() as stack:
        yield [await _tab(stack, owned.sandbox, owned.olga) for _ in range(2)]


async def _tab(stack: AsyncExitStack, sandbox: Sandbox, owner: Person) -> Tab:
    url, signed, now = sandbox.cloud.url("console"), Response(), datetime.now(UTC).replace(microsecond=0)
    session = SignedIn(person=owner.id, since=now, until=now + timedelta(hours=1), language="en")
    box = CookieBox(sandbox.cloud.credentials.console_secret)
    box.write(signed, session, origin_of({"host": url.removeprefix("http://")}))
    headers = {"Cookie": signed.headers["set-cookie"].partition(";")[0], "Origin": url, "X-Lull-Console": "1"}
    http = await stack.enter_async_context(httpx.AsyncClient(base_url=url, headers=headers, timeout=LIMIT_S))
    stream = await stack.enter_async_context(http.stream("GET", "/api/live"))
    stream.raise_for_status()
    return Tab(http, aiter(stream.aiter_lines()))


async def test_a_talk_is_seen_renamed_left_and_deleted(owned: Owned, tabs: list[Tab]) -> None:
    sandbox, olga, chat = owned.sandbox, owned.olga, owned.chat
    await will_say(sandbox, chat, "Tea is ready.")
    await chat.writes(olga, "is there tea?")
    heard = [await tab.hears() for tab in tabs]
    conversation = heard[0]["id"]
    assert [one["id"] for one in heard] == [conversation] * 2
    await until(lambda: _has_words(tabs[0], "Tea is ready."), "the list shows the last words")
    (row,) = (await tabs[0].get("/api/conversations"))["items"]
    assert (row["who"], row["tier"], row["is_current"], row["unread"]) == (olga.name, "owner", True, 0)
    opened = await tabs[0].get(f"/api/conversations/{conversation}")
    said = [one["text"] for one in opened["items"] if one["type"] == "message" and one["role"] == "turn"]
    assert said == ["is there tea?", "Tea is ready."]
    place = f"/api/conversations/{conversation}"
    assert (await tabs[0].post(f"{place}/rename", id="a-first-click", title="Tea"))["is_new"]
    for tab in tabs:
        assert (await tab.hears(kind="renamed"))["row"]["title"] == "Tea"
    await tabs[1].post(f"{place}/new", id="another-click")
    await until(lambda: _is_left(tabs[1], conversation), "the chat leaves the conversation")
    await tabs[1].post(f"{place}/delete")
    for tab in tabs:
        assert (await tab.hears(kind="deleted"))["id"] == conversation
    assert (await tabs[0].get("/api/conversations"))["items"] == []
    gone = sandbox.firestore.document(f"conversations/{conversation}")
    await until(lambda: _is_gone(gone), "everything of it is deleted")
    assert [m["text"] for m in await chat.said()][-1] == "Tea is ready.", "the chat is told nothing of all that"


async def test_others_see_nothing(owned: Owned, tabs: list[Tab]) -> None:
    eve = await owned.sandbox.person("Eve")
    async with AsyncExitStack() as stack:
        with pytest.raises(httpx.HTTPStatusError) as refused:
            await _tab(stack, owned.sandbox, eve)
    assert refused.value.response.status_code == 404
    forged = await tabs[0].http.post("/api/conversations/conv-1/delete", headers={"X-Lull-Console": ""})
    assert forged.status_code == 404


async def _has_words(tab: Tab, words: str) -> bool:
    rows = (await tab.get("/api/conversations"))["items"]
    return bool(rows) and rows[0]["last"]["text"] == words


async def _is_left(tab: Tab, conversation: str) -> bool:
    return not (await tab.get(f"/api/conversations/{conversation}"))["header"]["is_current"]


async def _is_gone(document: Any) -> bool:
    return not (await document.get()).exists
