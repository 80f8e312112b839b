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
class Town:
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
async def town() -> AsyncIterator[Town]:
    async with serve() as telegram, httpx.AsyncClient(base_url=telegram.url) as api:
        town = Town(api, TelegramChannel(TOKEN, telegram.url), 0, "")
        await town.post("bots", token=TOKEN, first_name="Lull", username="lull_bot")
        town.person = (await town.post("people", first_name="Ann"))["id"]
        chat = await town.post("chats", type="private", person_id=town.person, bot_id=int(TOKEN.partition(":")[0]))
        town.chat = chat["key"]
        await town.post(f"chats/{town.chat}/messages", **{"from": town.person, "text": "hi"})
        yield town
        await town.channel.aclose()


async def test_a_formatted_answer_is_seen_as_it_was_rendered(town: Town) -> None:
    code = "\n".join(f"   print({i}) # 😀" for i in range(400))
    parts = render(f"# Top\n\n> **quote** [link](https://a.b/_c_)\n\n1. one\n   ```py\n{code}\n   ```\n\n*end* 👍🏽")
    assert len(parts) > 1
    for part in parts:
        await town.channel.send_text(town.here, part, None)
    seen = (await town.messages())[-len(parts) :]
    for part, message in zip(parts, seen, strict=True):
        assert message["text"] == part.text.rstrip()
        assert [e for e in message["entities"] if e["type"] != "url"] == [e.to_telegram() for e in part.entities]


async def test_replies_reactions_and_typing(town: Town) -> None:
    (theirs,) = await town.messages()
    answer = await town.channel.send_text(town.here, HELLO, theirs["message_id"])
    await town.channel.react(town.here, theirs["message_id"], "👍")
    await town.channel.typing(town.here)
    first, last = await town.messages()
    assert (last["message_id"], last["reply_to"]) == (answer.message_id, theirs["message_id"])
    assert [reaction["emoji"] for reaction in first["reactions"]] == ["👍"]


async def test_a_draft_is_shown_in_a_private_chat_alone(town: Town) -> None:
    (part,) = render("so **far**")
    await town.channel.draft(town.here, 7, part)
    (call,) = [c for c in (await town.api.get("/world/calls")).json()["calls"] if c["method"] == "sendMessageDraft"]
    assert (str(call["params"]["draft_id"]), call["params"]["text"], call["ok"]) == ("7", "so far", True)
    assert [message["text"] for message in await town.messages()] == ["hi"]
    group = await town.post("chats", type="group", title="t", members=[town.person], bots=[700000001])
    with pytest.raises(ChannelRefused):
        await town.channel.draft(Recipient(chat_id=group["id"]), 7, part)


async def test_the_identity(town: Town) -> None:
    who = await town.channel.identity()
    assert (who.id, who.username, who.first_name) == (700000001, "lull_bot", "Lull")


async def test_a_topic_of_a_forum(town: Town) -> None:
    bot = int(TOKEN.partition(":")[0])
    chat = await town.post("chats", type="supergroup", title="t", members=[town.person], bots=[bot], topics=True)
    topic = await town.post(f"chats/{chat['key']}/topics", name="tea")
    await town.channel.send_text(Recipient(chat_id=chat["id"], topic_id=topic["id"]), HELLO, None)
    await town.channel.send_text(Recipient(chat_id=chat["id"]), HELLO, None)
    said = [message for message in await town.messages(chat["key"]) if message["text"]]
    assert [message["topic_id"] for message in said] == [topic["id"], None]


async def test_a_reply_target_that_is_gone(town: Town) -> None:
    with pytest.raises(ReplyTargetGone):
        await town.channel.send_text(town.here, HELLO, 4711)


async def test_a_person_who_blocked_the_bot(town: Town) -> None:
    await town.post(f"chats/{town.chat}/block", blocked=True)
    with pytest.raises(ChatUnreachable):
        await town.channel.send_text(town.here, HELLO, None)


async def test_a_chat_that_is_not_there(town: Town) -> None:
    with pytest.raises(ChatUnreachable):
        await town.channel.send_text(Recipient(chat_id=-1009999999), HELLO, None)


async def test_a_group_that_became_a_supergroup(town: Town) -> None:
    bot = int(TOKEN.partition(":")[0])
    chat = await town.post("chats", type="group", title="t", members=[town.person], bots=[bot])
    await town.post(f"chats/{chat['key']}/migrate")
    with pytest.raises(ChatMoved) as caught:
        await town.channel.send_text(Recipient(chat_id=chat["id"]), HELLO, None)
    assert (await town.channel.send_text(Recipient(chat_id=caught.value.new_chat_id), HELLO, None)).message_id > 0


async def test_a_bot_that_telegram_does_not_know(town: Town) -> None:
    stranger = TelegramChannel("700000002:another-token_0123456789abcdefghijk", str(town.api.base_url))
    with pytest.raises(ChannelRefused, match="LULL_BOT_TOKENS"):
        await stranger.send_text(town.here, HELLO, None)
    await stranger.aclose()


async def test_a_text_that_is_too_long_or_a_reaction_that_is_none(town: Town) -> None:
    with pytest.raises(ChannelRefused, match="too long"):
        await town.channel.send_text(town.here, FormattedText("x" * 4097), None)
    with pytest.raises(ChannelRefused):
        await town.channel.react(town.here, 1, "not an emoji")


async def test_a_flood_wait(town: Town) -> None:
    error = await town.fails_with(NotDelivered, kind="429", retry_after=7)
    assert isinstance(error, NotDelivered)
    assert error.retry_after is not None
    assert error.retry_after.total_seconds() == 7


@pytest.mark.parametrize("kind", ["500", "502"])
async def test_a_server_that_fails(town: Town, kind: str) -> None:
    await town.fails_with(NotDelivered, kind=kind)
    assert [message["text"] for message in await town.messages()] == ["hi"]


async def test_a_connection_that_is_cut_leaves_it_open_whether_the_text_was_sent(town: Town) -> None:
    await town.fails_with(OutcomeUnknown, kind="cut_before")
    assert [message["text"] for message in await town.messages()] == ["hi"]
    await town.fails_with(OutcomeUnknown, kind="cut_after")
    assert [message["text"] for message in await town.messages()] == ["hi", "hello"]


async def test_buttons_are_pressed_answered_and_rewritten(town: Town) -> None:
    buttons = (Button("✓ one", "pick:1"), Button("two", "pick:2"))
    message_id = (await town.channel.send_text(town.here, HELLO, None, buttons)).message_id
    asked = (await town.messages())[-1]
    assert [[b["text"] for b in row] for row in asked["buttons"]] == [["✓ one"], ["two"]]
    place = f"chats/{town.chat}/messages/{message_id}/press"
    query_id = (await town.post(place, **{"from": town.person, "data": "pick:2"}))["query_id"]
    await town.channel.answer_press(query_id, "It is two.")
    with pytest.raises(ChannelRefused):
        await town.channel.answer_press(query_id, "")
    await town.channel.rewrite(town.here, message_id, FormattedText("two"), ())
    shown = (await town.messages())[-1]
    assert (shown["message_id"], shown["text"], shown["buttons"]) == (message_id, "two", None)
    await town.channel.rewrite(town.here, message_id, FormattedText("two"), ())  # it says so already
    calls = (await town.api.get("/world/calls", params={"after": 0})).json()["calls"]
    assert [c["params"].get("text") for c in calls if c["method"] == "answerCallbackQuery"] == ["It is two.", None]


async def test_how_many_are_in_a_chat_is_told(town: Town) -> None:
    people = [(await town.post("people", first_name=name))["id"] for name in ("Bob", "Cleo", "Dan")]
    group = await town.post("chats", type="supergroup", title="G", members=people, bots=[town.channel.bot_id])
    assert await town.channel.member_count(group["id"]) == 4
    with pytest.raises(ChannelRefused):
        await town.channel.member_count(-1)


async def test_who_is_in_a_group_is_told(town: Town) -> None:
    owner, other, stranger = [(await town.post("people", first_name=name))["id"] for name in ("Bob", "Cleo", "Dan")]
    bots = [town.channel.bot_id]
    group = await town.post("chats", type="supergroup", title="G", members=[owner, other], bots=bots)
    found = [await town.channel.is_member(group["id"], person) for person in (owner, other, stranger)]
    assert found == [True, True, False]
    with pytest.raises(ChannelRefused):
        await town.channel.is_member(group["id"], 1)


async def test_who_administers_a_group_is_told(town: Town) -> None:
    owner, other, helper = [(await town.post("people", first_name=name))["id"] for name in ("Bob", "Cleo", "Dan")]
    bots = [town.channel.bot_id]
    group = await town.post("chats", type="supergroup", title="G", members=[owner, other, helper], bots=bots)
    await town.post(f"chats/{group['key']}/admins", id=helper)
    found = [await town.channel.is_administrator(group["id"], person) for person in (owner, helper, other)]
    assert found == [True, True, False]
    with pytest.raises(ChannelRefused):
        await town.channel.is_administrator(group["id"], 1)


async def test_an_administrator_bans_whoever_is_none(town: Town) -> None:
    owner, other = [(await town.post("people", first_name=name))["id"] for name in ("Bob", "Cleo")]
    bot = town.channel.bot_id
    group = await town.post("chats", type="supergroup", title="G", members=[owner, other], bots=[bot])
    with pytest.raises(ChannelRefused):
        await town.channel.ban(group["id"], other)
    await town.post(f"chats/{group['key']}/admins", id=bot)
    await town.channel.ban(group["id"], other)
    assert not await town.channel.is_member(group["id"], other)
    with pytest.raises(ChannelRefused):
        await town.channel.ban(group["id"], owner)
