"""What tabs hear while they look, over the real Firestore's stream of changes."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from google.cloud.firestore_v1.transforms import SERVER_TIMESTAMP
from starlette.responses import StreamingResponse
from ulid import ULID

from shared.base.text import FormattedText
from shared.chat.store import paths
from shared.chat.store.bots import encode_console_off
from shared.console.listening import ChangeFeed
from shared.console.route import NotFound
from shared.console.views import live as view
from shared.values.channel import Recipient
from shared.values.chat_key import ChatKey
from shared.webchat.ids import update_number
from shared.webchat.outbound import WebChannel
from shared.webchat.store import FirestoreScreens
from tests.shared.console.talks import AGENT, OWNER, Talks, new_talks
from tests.shared.examples import ANN, ME, NOW, said
from tests.shared.paused_queue import PausedQueue

PRIVATE = ChatKey(agent=AGENT, chat_id=ANN.id)
PATIENCE_S = 20.0


@pytest.fixture
async def talks(emulator: str, paused_queue: PausedQueue) -> AsyncIterator[Talks]:
    """Open a database whose clock is the machine's, since Firestore stamps its writes with the real time."""
    async with new_talks(paused_queue) as found:
        found.services = replace(found.services, clock=lambda: datetime.now(UTC))
        await found.claim(people={str(ANN.id): {"id": ANN.id, "name": "Ann", "since": NOW, "by": 1}})
        yield found


class Tab:
    """One stream of a browser."""

    def __init__(self, texts: AsyncIterator[Any]) -> None:
        self.texts = texts

    async def hears(self, name: str = "conversation", **about: Any) -> dict[str, Any]:
        """Return the next event of this name about this; others before it are dropped."""
        async with asyncio.timeout(PATIENCE_S):
            async for text in self.texts:
                lines = dict(line.split(": ", 1) for line in str(text).splitlines() if ": " in line and line[0] != ":")
                told = json.loads(lines.get("data", "{}"))
                if lines.get("event") == name and about.items() <= told.items():
                    return {**told, "event_id": lines.get("id", "")}
        raise AssertionError("the stream ended")


@asynccontextmanager
async def tab(talks: Talks, **query: str) -> AsyncIterator[Tab]:
    """Open a tab, and wait until it is connected."""
    answer = await view.follow(talks.services, talks.request(query=query))
    assert isinstance(answer, StreamingResponse)
    assert answer.media_type == "text/event-stream"
    texts = answer.body_iterator
    assert isinstance(texts, AsyncGenerator)
    opened = Tab(texts)
    await opened.hears("hello")
    yield opened
    await texts.aclose()  # as the server does when the browser leaves


async def says(talks: Talks, conversation: str, turns: int = 1, key: ChatKey = PRIVATE) -> None:
    """Store a turn as a tick does."""
    number = 2 * turns - 1
    asked = said("hi", ANN, number, seq=number, turn=turns)
    answered = said("Hello.", ME, number + 1, seq=number + 1, turn=turns)
    entries = [asked, answered]
    await talks.keep(conversation, entries, key)


def new_id(number: int) -> str:
    """Make the id of a conversation that begins now."""
    return f"conv-{ULID.from_datetime(datetime.now(UTC) + timedelta(milliseconds=number))}"


async def test_every_tab_hears_what_happens(talks: Talks) -> None:
    conversation = new_id(1)
    async with tab(talks) as one, tab(talks) as other:
        await says(talks, conversation)
        for each in (one, other):
            heard = await each.hears(id=conversation)
            assert (heard["kind"], heard["row"]["who"], heard["row"]["turns"]) == ("created", "Ann", 1)
            assert heard["row"]["last"]["text"] == "Hello."
        await says(talks, conversation, 2)
        for each in (one, other):
            assert (await each.hears(id=conversation))["kind"] == "turn"
        place = talks.client.document(paths.conversation_path(conversation))
        await place.update({"title": "Tea", "changed_at": SERVER_TIMESTAMP})
        for each in (one, other):
            assert (await each.hears(id=conversation, kind="renamed"))["row"]["title"] == "Tea"
        await place.delete()
        for each in (one, other):
            assert await each.hears(id=conversation, kind="deleted")


async def test_who_comes_back_is_told_what_they_missed(talks: Talks) -> None:
    first, second = new_id(1), new_id(2)
    async with tab(talks) as before:
        await says(talks, first)
        last = (await before.hears(id=first))["event_id"]
    await says(talks, second)
    async with tab(talks, after=last) as again:
        assert (await again.hears(id=second))["row"]["turns"] == 1


async def test_nothing_of_another_owners_agent_is_told(talks: Talks) -> None:
    theirs, ours = new_id(1), new_id(2)
    talks.services = replace(talks.services, agents=frozenset({AGENT, "moss"}))
    async with tab(talks) as opened:
        await says(talks, theirs, key=ChatKey(agent="moss", chat_id=ANN.id))
        await says(talks, ours)
        assert (await opened.hears())["id"] == ours
    with pytest.raises(NotFound):
        await view.follow(talks.services, talks.request(query={"conversation": theirs}))


async def test_an_open_conversation_tells_when_its_chat_is_at_work(talks: Talks) -> None:
    conversation = new_id(1)
    await says(talks, conversation)
    async with tab(talks, conversation=conversation) as opened:
        assert not (await opened.hears("chat", conversation=conversation))["is_running"]
        lease = {"owner": "tick", "until": datetime.now(UTC) + timedelta(minutes=1)}
        await talks.client.document(paths.chat_path(PRIVATE)).update({"lease": lease})
        assert (await opened.hears("chat", is_running=True))["seq"] == 2


@pytest.mark.parametrize("change", ["owner", "off"])
async def test_who_may_not_look_any_more_hears_nothing_more(talks: Talks, change: str) -> None:
    answer = await view.follow(talks.services, talks.request())
    assert isinstance(answer, StreamingResponse)
    heard = [str(await anext(aiter(answer.body_iterator)))]
    later = {"owner": {"owner": 1}, "off": encode_console_off(datetime.now(UTC) + timedelta(seconds=1))}[change]
    await talks.claim(**later)
    async with asyncio.timeout(PATIENCE_S):
        heard += [str(text) async for text in answer.body_iterator]
    await says(talks, new_id(1))
    assert [text for text in heard if "conversation" in text] == []


async def test_the_stream_is_open_only_while_somebody_looks(talks: Talks) -> None:
    feed = ChangeFeed(talks.client, [AGENT], talks.services.clock, linger_s=0.0)
    assert not feed.is_open
    async with feed.listening():
        async with feed.listening():
            assert feed.is_open
        await asyncio.sleep(0)
        assert feed.is_open
    await asyncio.sleep(0.01)  # the loop closes it in its next round
    assert not feed.is_open


async def test_two_tabs_hear_what_is_on_the_screen_of_a_web_conversation(talks: Talks) -> None:
    number = update_number(talks.services.clock()) // 1000
    to = Recipient(chat_id=OWNER, topic_id=number, delivery="p/1/0")
    screens = FirestoreScreens(talks.client, talks.services.clock)
    channel = WebChannel(agent=AGENT, screens=screens, clock=talks.services.clock)
    chat = ChatKey(agent=AGENT, chat_id=OWNER, topic_id=number).id
    query = {"talk": f"{AGENT}/{number}"}
    async with tab(talks, **query) as one, tab(talks, **query) as other:
        await channel.draft(to, 1, FormattedText("It depends"))
        assert [await each.hears("screen", chat=chat) for each in (one, other)]
        await channel.send_text(to, FormattedText("It depends on the hour."), None)
        assert [await each.hears("screen", chat=chat) for each in (one, other)]


async def test_nobody_follows_the_web_conversation_of_somebody_elses_agent(talks: Talks) -> None:
    for talk in ("moss/1796000000000", f"{AGENT}/7", f"{AGENT}/x", "x"):
        with pytest.raises(NotFound):
            await view.follow(talks.services, talks.request(query={"talk": talk}))
