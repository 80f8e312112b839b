"""Talking in the console: the routes by which the page posts and reads, called by HTTP."""

from datetime import timedelta
from typing import Any

import pytest

from shared.base.text import FormattedText
from shared.base.wording.words import words_in
from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.layout import encode_chat
from shared.telegram.inbound.entries import entry_of
from shared.values.channel import Button, Recipient
from shared.values.chat import Chat, CurrentConversation
from shared.values.chat_key import ChatKey
from shared.values.message import Author, Edit, Message
from shared.webchat.ids import FIRST_MESSAGE, update_number
from shared.webchat.outbound import WebChannel
from shared.webchat.store import FirestoreScreens
from tests.shared.console.harness import OWNER, ConsoleHarness
from tests.shared.examples import NOW

BEGUN = update_number(NOW) // 1000
KEY = ChatKey(agent="lull", chat_id=OWNER, topic_id=BEGUN)
TALK = f"/api/talk/lull/{BEGUN}"


def number(seconds: float = 1) -> int:
    """Return the number of a posting so long after the conversation was begun."""
    return update_number(NOW + timedelta(seconds=seconds))


async def stored(console: ConsoleHarness, key: ChatKey = KEY) -> list[dict[str, Any]]:
    found = console.client.collection(paths.inbox_path(key)).stream()
    return [one.to_dict() or {} async for one in found]


@pytest.fixture
async def talk(console: ConsoleHarness) -> ConsoleHarness:
    """Give the console of an owner who has signed in."""
    await console.claim()
    assert (await console.enter()).status_code == 200
    return console


async def test_a_message_is_stored_once_and_wakes_the_chat(talk: ConsoleHarness) -> None:
    posted = {"id": number(), "text": " hello "}
    first, again = await talk.post(f"{TALK}/messages", posted), await talk.post(f"{TALK}/messages", posted)
    assert [first.json(), again.json()] == [
        {"id": FIRST_MESSAGE + 2000, "is_new": True},
        {"id": FIRST_MESSAGE + 2000, "is_new": False},
    ]
    (update,) = await stored(talk)
    assert '"text":"hello"' in update["raw"]
    assert len(await talk.queue.tasks()) == 1, "a repeated wake has the same name"


async def test_nothing_is_stored_before_the_first_message(talk: ConsoleHarness) -> None:
    opened = (await talk.http.get(TALK)).json()
    assert (opened["conversation"], opened["waiting"], opened["screen"]["messages"]) == ("", [], [])
    assert (await talk.http.get("/api/talk")).json() == {
        "now": update_number(NOW),
        "agents": [{"agent": "lull", "last": None}],
    }
    assert not (await talk.client.document(paths.chat_path(KEY)).get()).exists


async def test_what_no_tick_has_read_yet_is_shown_as_waiting(talk: ConsoleHarness) -> None:
    await talk.post(f"{TALK}/messages", {"id": number(1), "text": "one"})
    await talk.post(f"{TALK}/messages", {"id": number(2), "text": "two"})
    waiting = (await talk.http.get(TALK)).json()["waiting"]
    assert [(one["id"], one["text"]) for one in waiting] == [
        (FIRST_MESSAGE + 2000, "one"),
        (FIRST_MESSAGE + 4000, "two"),
    ]


async def test_the_screen_shows_messages_with_buttons_that_can_be_pressed(talk: ConsoleHarness) -> None:
    screens = FirestoreScreens(talk.client, talk.services.clock)
    channel = WebChannel(agent="lull", screens=screens, clock=talk.services.clock)
    to = Recipient(chat_id=OWNER, topic_id=BEGUN, delivery="plan/send/0")
    sent = await channel.send_text(to, FormattedText("Tea?"), None, [Button("Yes", "choice:a:0")])
    assert await channel.send_text(to, FormattedText("Tea?"), None, [Button("Yes", "choice:a:0")]) == sent
    (shown,) = (await talk.http.get(TALK)).json()["screen"]["messages"]
    assert (shown["id"], shown["text"], shown["buttons"]) == (
        sent.message_id,
        "Tea?",
        [{"text": "Yes", "data": "choice:a:0"}],
    )
    pressed = {"id": number(), "message": sent.message_id, "data": "choice:a:0"}
    assert (await talk.post(f"{TALK}/presses", pressed)).json() == {"is_new": True}
    (update,) = await FirestoreChats(talk.client.project, talk.client).unread(KEY, 5)
    assert update.envelope.kind == "callback_query"


@pytest.mark.parametrize(
    "body",
    [
        {"id": number(), "text": "   "},
        {"id": number(), "text": "x" * 16_001},
        {"id": "1", "text": "x"},
        {"id": number(-86_401), "text": "x"},
        {"id": number(121), "text": "x"},
        {"id": number(-1), "text": "older than its conversation"},
    ],
)
async def test_what_cannot_be_posted_is_refused_with_a_code(talk: ConsoleHarness, body: dict[str, Any]) -> None:
    refused = await talk.post(f"{TALK}/messages", body)
    assert refused.status_code == 400
    assert refused.json()["code"] in {"nothing_to_send", "text_too_long", "outdated_page", "page_or_clock_wrong"}
    assert await stored(talk) == []


@pytest.mark.parametrize("place", ["/api/talk/moss/{}", "/api/talk/lull/5", "/api/talk/lull/-1", "/api/talk/lull/x"])
async def test_nothing_else_than_the_owners_web_conversations_is_reached(talk: ConsoleHarness, place: str) -> None:
    path = place.format(BEGUN)
    assert (await talk.http.get(path)).status_code == 404
    assert (await talk.post(f"{path}/messages", {"id": number(), "text": "x"})).status_code == 404


async def test_a_reply_carries_what_it_answers_as_it_was_last_edited(talk: ConsoleHarness) -> None:
    agent = Author(id=77, name="lull", username="lull_bot", is_bot=True, is_agent=True)
    said = Message(seq=1, at=NOW, message_id=FIRST_MESSAGE + 1, author=agent, text="Tea?")
    changed = Edit(seq=2, at=NOW, message_id=FIRST_MESSAGE + 1, author=agent, text="Tea or coffee?")
    chat = Chat(key=KEY, conversation="conv-1", talk=CurrentConversation(seq=2, unpaged=(said, changed)))
    await talk.client.document(paths.chat_path(KEY)).set(encode_chat(chat))
    posted = {"id": number(), "text": "Tea", "reply_to": FIRST_MESSAGE + 1}
    assert (await talk.post(f"{TALK}/messages", posted)).json()["is_new"] is True
    (update,) = await FirestoreChats(talk.client.project, talk.client).unread(KEY, 5)
    entry = entry_of(update, 77)
    assert isinstance(entry, Message)
    assert entry.reply is not None
    assert (entry.reply.message_id, entry.reply.excerpt, entry.reply.author) == (
        FIRST_MESSAGE + 1,
        "Tea or coffee?",
        agent,
    )


async def test_a_reply_to_what_is_no_longer_known_is_a_reply_without_words(talk: ConsoleHarness) -> None:
    await talk.post(f"{TALK}/messages", {"id": number(), "text": "Tea", "reply_to": FIRST_MESSAGE + 7})
    (update,) = await FirestoreChats(talk.client.project, talk.client).unread(KEY, 5)
    entry = entry_of(update, 77)
    assert isinstance(entry, Message)
    assert entry.reply is not None
    assert (entry.reply.message_id, entry.reply.excerpt) == (FIRST_MESSAGE + 7, "…")


async def test_the_commands_are_those_of_an_owner_in_their_language(talk: ConsoleHarness) -> None:
    listed = (await talk.http.get("/api/commands")).json()["commands"]
    described = {one["name"]: one["description"] for one in listed}
    assert described["new"] == str(words_in("de").say("description.new"))
    assert {"memories", "people", "console"} <= set(described)
    assert "claim" not in described, "the owner has claimed the agent"


async def test_another_page_cannot_post(talk: ConsoleHarness) -> None:
    answered = await talk.post(
        f"{TALK}/messages", {"id": number(), "text": "x"}, headers={"Origin": "https://evil.org"}
    )
    assert answered.status_code == 404
    assert await stored(talk) == []
