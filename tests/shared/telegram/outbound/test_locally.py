"""The channel and the formatting against the local Telegram, which is as strict as the real one."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from local.telegram.serving import serve
from shared.base.errors import (
    ChannelError,
    ChannelRefused,
    ChatMoved,
    ChatUnreachable,
    NotDelivered,
    OutcomeUnknown,
    ReplyTargetGone,
)
from shared.base.text import FormattedText
from shared.telegram.markdown.render import render
from shared.telegram.outbound.bot import TelegramChannel
from shared.values.channel import Button, Recipient

TOKEN = "700000001:local-bot-token_0123456789abcdefghi"
HELLO = FormattedText("hello")


@dataclass
class LocalSetup:
    """A local Telegram with a bot, a person and their private chat."""

    api: httpx.AsyncClient
    channel: TelegramChannel
    person: int
    chat: str

    @property
    def here(self) -> Recipient:
        return Recipient(chat_id=self.person)

    async def post(self, path: str, **body: Any) -> Any:
        answer = await self.api.post(f"/world/{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json()

    async def messages(self, chat: str = "") -> list[dict[str, Any]]:
        answer = await self.api.get(f"/world/chats/{chat or self.chat}/messages")
        return list(answer.json()["messages"])

    async def fails_with(self, expected: type[ChannelError], **fault: Any) -> ChannelError:
        await self.post("faults", method="sendMessage", times=1, **fault)
        with pytest.raises(expected) as caught:
            await self.channel.send_text(self.here, HELLO, None)
        return caught.value


@pytest.fixture
async def local_setup() -> AsyncIterator[LocalSetup]:
    async with serve() as telegram, httpx.AsyncClient(base_url=telegram.url) as api:
        local_setup = LocalSetup(api, TelegramChannel(TOKEN, telegram.url), 0, "")
        await local_setup.post("bots", token=TOKEN, first_name="Lull", username="lull_bot")
        local_setup.person = (await local_setup.post("people", first_name="Ann"))["id"]
        chat = await local_setup.post(
            "chats", type="private", person_id=local_setup.person, bot_id=int(TOKEN.partition(":")[0])
        )
        local_setup.chat = chat["key"]
        await local_setup.post(f"chats/{local_setup.chat}/messages", **{"from": local_setup.person, "text": "hi"})
        yield local_setup
        await local_setup.channel.aclose()


async def test_a_formatted_answer_is_seen_as_it_was_rendered(local_setup: LocalSetup) -> None:
    code = "\n".join(f"   print({i}) # 😀" for i in range(400))
    parts = render(f"# Top\n\n> **quote** [link](https://a.b/_c_)\n\n1. one\n   ```py\n{code}\n   ```\n\n*end* 👍🏽")
    assert len(parts) > 1
    for part in parts:
        await local_setup.channel.send_text(local_setup.here, part, None)
    seen = (await local_setup.messages())[-len(parts) :]
    for part, message in zip(parts, seen, strict=True):
        assert message["text"] == part.text.rstrip()
        assert [e for e in message["entities"] if e["type"] != "url"] == [e.to_telegram() for e in part.entities]


async def test_replies_reactions_and_typing(local_setup: LocalSetup) -> None:
    (theirs,) = await local_setup.messages()
    answer = await local_setup.channel.send_text(local_setup.here, HELLO, theirs["message_id"])
    await local_setup.channel.react(local_setup.here, theirs["message_id"], "👍")
    await local_setup.channel.typing(local_setup.here)
    first, last = await local_setup.messages()
    assert (last["message_id"], last["reply_to"]) == (answer.message_id, theirs["message_id"])
    assert [reaction["emoji"] for reaction in first["reactions"]] == ["👍"]


async def test_a_draft_is_shown_in_a_private_chat_alone(local_setup: LocalSetup) -> None:
    (part,) = render("so **far**")
    await local_setup.channel.draft(local_setup.here, 7, part)
    (call,) = [
        c for c in (await local_setup.api.get("/world/calls")).json()["calls"] if c["method"] == "sendMessageDraft"
    ]
    assert (str(call["params"]["draft_id"]), call["params"]["text"], call["ok"]) == ("7", "so far", True)
    assert [message["text"] for message in await local_setup.messages()] == ["hi"]
    group = await local_setup.post("chats", type="group", title="t", members=[local_setup.person], bots=[700000001])
    with pytest.raises(ChannelRefused):
        await local_setup.channel.draft(Recipient(chat_id=group["id"]), 7, part)


async def test_the_identity(local_setup: LocalSetup) -> None:
    who = await local_setup.channel.identity()
    assert (who.id, who.username, who.first_name) == (700000001, "lull_bot", "Lull")


async def test_a_topic_of_a_forum(local_setup: LocalSetup) -> None:
    bot = int(TOKEN.partition(":")[0])
    chat = await local_setup.post(
        "chats", type="supergroup", title="t", members=[local_setup.person], bots=[bot], topics=True
    )
    topic = await local_setup.post(f"chats/{chat['key']}/topics", name="tea")
    await local_setup.channel.send_text(Recipient(chat_id=chat["id"], topic_id=topic["id"]), HELLO, None)
    await local_setup.channel.send_text(Recipient(chat_id=chat["id"]), HELLO, None)
    said = [message for message in await local_setup.messages(chat["key"]) if message["text"]]
    assert [message["topic_id"] for message in said] == [topic["id"], None]


async def test_a_reply_target_that_is_gone(local_setup: LocalSetup) -> None:
    with pytest.raises(ReplyTargetGone):
        await local_setup.channel.send_text(local_setup.here, HELLO, 4711)


async def test_a_person_who_blocked_the_bot(local_setup: LocalSetup) -> None:
    await local_setup.post(f"chats/{local_setup.chat}/block", blocked=True)
    with pytest.raises(ChatUnreachable):
        await local_setup.channel.send_text(local_setup.here, HELLO, None)


async def test_a_chat_that_is_not_there(local_setup: LocalSetup) -> None:
    with pytest.raises(ChatUnreachable):
        await local_setup.channel.send_text(Recipient(chat_id=-1009999999), HELLO, None)


async def test_a_group_that_became_a_supergroup(local_setup: LocalSetup) -> None:
    bot = int(TOKEN.partition(":")[0])
    chat = await local_setup.post("chats", type="group", title="t", members=[local_setup.person], bots=[bot])
    await local_setup.post(f"chats/{chat['key']}/migrate")
    with pytest.raises(ChatMoved) as caught:
        await local_setup.channel.send_text(Recipient(chat_id=chat["id"]), HELLO, None)
    assert (
        await local_setup.channel.send_text(Recipient(chat_id=caught.value.new_chat_id), HELLO, None)
    ).message_id > 0


async def test_a_bot_that_telegram_does_not_know(local_setup: LocalSetup) -> None:
    stranger = TelegramChannel("700000002:another-token_0123456789abcdefghijk", str(local_setup.api.base_url))
    with pytest.raises(ChannelRefused, match="LULL_BOT_TOKENS"):
        await stranger.send_text(local_setup.here, HELLO, None)
    await stranger.aclose()


async def test_a_text_that_is_too_long_or_a_reaction_that_is_none(local_setup: LocalSetup) -> None:
    with pytest.raises(ChannelRefused, match="too long"):
        await local_setup.channel.send_text(local_setup.here, FormattedText("x" * 4097), None)
    with pytest.raises(ChannelRefused):
        await local_setup.channel.react(local_setup.here, 1, "not an emoji")


async def test_a_flood_wait(local_setup: LocalSetup) -> None:
    error = await local_setup.fails_with(NotDelivered, kind="429", retry_after=7)
    assert isinstance(error, NotDelivered)
    assert error.retry_after is not None
    assert error.retry_after.total_seconds() == 7


@pytest.mark.parametrize("kind", ["500", "502"])
async def test_a_server_that_fails(local_setup: LocalSetup, kind: str) -> None:
    await local_setup.fails_with(NotDelivered, kind=kind)
    assert [message["text"] for message in await local_setup.messages()] == ["hi"]


async def test_a_connection_that_is_cut_leaves_it_open_whether_the_text_was_sent(local_setup: LocalSetup) -> None:
    await local_setup.fails_with(OutcomeUnknown, kind="cut_before")
    assert [message["text"] for message in await local_setup.messages()] == ["hi"]
    await local_setup.fails_with(OutcomeUnknown, kind="cut_after")
    assert [message["text"] for message in await local_setup.messages()] == ["hi", "hello"]


async def test_buttons_are_pressed_answered_and_rewritten(local_setup: LocalSetup) -> None:
    buttons = (Button("✓ one", "pick:1"), Button("two", "pick:2"))
    message_id = (await local_setup.channel.send_text(local_setup.here, HELLO, None, buttons)).message_id
    asked = (await local_setup.messages())[-1]
    assert [[b["text"] for b in row] for row in asked["buttons"]] == [["✓ one"], ["two"]]
    place = f"chats/{local_setup.chat}/messages/{message_id}/press"
    query_id = (await local_setup.post(place, **{"from": local_setup.person, "data": "pick:2"}))["query_id"]
    await local_setup.channel.answer_press(query_id, "It is two.")
    with pytest.raises(ChannelRefused):
        await local_setup.channel.answer_press(query_id, "")
    await local_setup.channel.rewrite(local_setup.here, message_id, FormattedText("two"), ())
    shown = (await local_setup.messages())[-1]
    assert (shown["message_id"], shown["text"], shown["buttons"]) == (message_id, "two", None)
    await local_setup.channel.rewrite(local_setup.here, message_id, FormattedText("two"), ())  # it says so already
    calls = (await local_setup.api.get("/world/calls", params={"after": 0})).json()["calls"]
    assert [c["params"].get("text") for c in calls if c["method"] == "answerCallbackQuery"] == ["It is two.", None]


async def test_how_many_are_in_a_chat_is_told(local_setup: LocalSetup) -> None:
    people = [(await local_setup.post("people", first_name=name))["id"] for name in ("Bob", "Cleo", "Dan")]
    group = await local_setup.post(
        "chats", type="supergroup", title="G", members=people, bots=[local_setup.channel.bot_id]
    )
    assert await local_setup.channel.member_count(group["id"]) == 4
    with pytest.raises(ChannelRefused):
        await local_setup.channel.member_count(-1)


async def test_who_is_in_a_group_is_told(local_setup: LocalSetup) -> None:
    owner, other, stranger = [
        (await local_setup.post("people", first_name=name))["id"] for name in ("Bob", "Cleo", "Dan")
    ]
    bots = [local_setup.channel.bot_id]
    group = await local_setup.post("chats", type="supergroup", title="G", members=[owner, other], bots=bots)
    found = [await local_setup.channel.is_member(group["id"], person) for person in (owner, other, stranger)]
    assert found == [True, True, False]
    with pytest.raises(ChannelRefused):
        await local_setup.channel.is_member(group["id"], 1)


async def test_who_administers_a_group_is_told(local_setup: LocalSetup) -> None:
    owner, other, helper = [
        (await local_setup.post("people", first_name=name))["id"] for name in ("Bob", "Cleo", "Dan")
    ]
    bots = [local_setup.channel.bot_id]
    group = await local_setup.post("chats", type="supergroup", title="G", members=[owner, other, helper], bots=bots)
    await local_setup.post(f"chats/{group['key']}/admins", id=helper)
    found = [await local_setup.channel.is_administrator(group["id"], person) for person in (owner, helper, other)]
    assert found == [True, True, False]
    with pytest.raises(ChannelRefused):
        await local_setup.channel.is_administrator(group["id"], 1)


async def test_an_administrator_bans_whoever_is_none(local_setup: LocalSetup) -> None:
    owner, other = [(await local_setup.post("people", first_name=name))["id"] for name in ("Bob", "Cleo")]
    bot = local_setup.channel.bot_id
    group = await local_setup.post("chats", type="supergroup", title="G", members=[owner, other], bots=[bot])
    with pytest.raises(ChannelRefused):
        await local_setup.channel.ban(group["id"], other)
    await local_setup.post(f"chats/{group['key']}/admins", id=bot)
    await local_setup.channel.ban(group["id"], other)
    assert not await local_setup.channel.is_member(group["id"], other)
    with pytest.raises(ChannelRefused):
        await local_setup.channel.ban(group["id"], owner)
