"""The channel against servers that answer, refuse, stall and break off."""

import asyncio
import json
import logging
import socket
import traceback
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.base.errors import (
    BotUnknown,
    ChannelError,
    ChannelRefused,
    ChatMoved,
    ChatUnreachable,
    FormattingRefused,
    InvalidSettings,
    NotDelivered,
    OutcomeUnknown,
    ReplyTargetGone,
)
from shared.base.text import Entity, EntityType, FormattedText
from shared.telegram.outbound.bot import TelegramChannel
from shared.values.channel import Activity, BotIdentity, Recipient
from tests.shared.telegram.outbound.bot_api_server import (
    BotApiServer,
    Reaction,
    answers,
    bot_api_server,
    cuts,
    cuts_within_the_answer,
    fails,
    never_ends,
    resets,
    speaks_no_http,
    stays_silent,
    succeeds,
)

TOKEN = "987654321:RECOGNISABLE-token_0123456789abcdefgh"
SECRET_TEXT = "what nobody else may read"
CHAT = Recipient(chat_id=-1001)
TEXT = FormattedText(SECRET_TEXT)
MESSAGE = {"message_id": 7, "date": 1, "chat": {"id": -1001, "type": "supergroup", "title": "t"}, "text": "x"}
ME = {"id": 9, "is_bot": True, "first_name": "Lull", "username": "lull_bot", "can_read_all_group_messages": True}


@pytest.fixture
async def server() -> AsyncIterator[BotApiServer]:
    async with bot_api_server() as running:
        yield running


@pytest.fixture
async def channel(server: BotApiServer) -> AsyncIterator[TelegramChannel]:
    made = TelegramChannel(TOKEN, server.url)
    yield made
    await made.aclose()


async def failure_of(channel: TelegramChannel, reply_to: int | None = None) -> ChannelError:
    with pytest.raises(ChannelError) as caught:
        await channel.send_text(CHAT, TEXT, reply_to)
    return caught.value


def everything_told(error: BaseException | None) -> str:
    """Return everything that a logger could show of an error and its causes."""
    told = []
    while error is not None:
        told += [str(error), repr(error), repr(vars(error)), *traceback.format_exception(error, chain=True)]
        error = error.__cause__ or error.__context__
    return "\n".join(told)


async def test_text_leaves_as_plain_text_with_entities(server: BotApiServer, channel: TelegramChannel) -> None:
    server.will(succeeds(MESSAGE))
    bold, code = Entity(EntityType.BOLD, 0, 1), Entity(EntityType.PRE, 2, 1, language="py")
    link = Entity(EntityType.TEXT_LINK, 4, 1, url="http://a.b")
    sent = await channel.send_text(CHAT, FormattedText("a b c", (bold, code, link)), None)
    (call,) = server.calls
    assert sent.message_id == 7
    assert call.path == f"/bot{TOKEN}/sendMessage"
    assert json.loads(call.params.pop("entities")) == [entity.to_telegram() for entity in (bold, code, link)]
    assert call.params == {"chat_id": "-1001", "text": "a b c", "link_preview_options": '{"is_disabled": true}'}


async def test_a_preview_is_shown_of_a_named_link_alone(server: BotApiServer, channel: TelegramChannel) -> None:
    server.will(succeeds(MESSAGE))
    await channel.send_text(CHAT, FormattedText("a http://a.b", preview="http://a.b"), None)
    (call,) = server.calls
    assert json.loads(call.params["link_preview_options"]) == {"url": "http://a.b"}


async def test_what_is_protected_leaves_as_such(server: BotApiServer, channel: TelegramChannel) -> None:
    server.will(succeeds(MESSAGE))
    await channel.send_text(CHAT, FormattedText("Eve asks", is_protected=True), None)
    (call,) = server.calls
    assert call.params["protect_content"] == "true"


async def test_a_reply_in_a_topic(server: BotApiServer, channel: TelegramChannel) -> None:
    server.will(succeeds(MESSAGE))
    await channel.send_text(Recipient(chat_id=-1001, topic_id=5), TEXT, 3)
    params = server.calls[0].params
    assert params["message_thread_id"] == "5"
    assert json.loads(params["reply_parameters"]) == {"message_id": 3}


async def test_direct_messages_to_a_channel_are_answered_in_their_topic(
    server: BotApiServer, channel: TelegramChannel
) -> None:
    server.will(succeeds(MESSAGE))
    there = Recipient(chat_id=-1001, topic_id=-5)
    assert not await channel.typing(there), "Telegram shows nothing of it there"
    await channel.send_text(there, TEXT, None)
    (call,) = server.calls
    assert call.params["direct_messages_topic_id"] == "5"
    assert "message_thread_id" not in call.params


async def test_a_reaction(server: BotApiServer, channel: TelegramChannel) -> None:
    server.will(succeeds(True))
    await channel.react(CHAT, 3, "👍")
    params = server.calls[0].params
    assert (server.calls[0].method, params["message_id"]) == ("setMessageReaction", "3")
    assert json.loads(params["reaction"]) == [{"type": "emoji", "emoji": "👍"}]


async def test_a_draft_leaves_as_plain_text_with_entities(server: BotApiServer, channel: TelegramChannel) -> None:
    server.will(succeeds(True))
    bold = Entity(EntityType.BOLD, 0, 1)
    await channel.draft(Recipient(chat_id=5, topic_id=6), 77, FormattedText("a b", (bold,)))
    await channel.draft(Recipient(chat_id=5), 77, FormattedText("a b c"))
    first, second = server.calls
    assert first.path == f"/bot{TOKEN}/sendMessageDraft"
    assert json.loads(first.params.pop("entities")) == [bold.to_telegram()]
    assert first.params == {"chat_id": "5", "draft_id": "77", "text": "a b", "message_thread_id": "6"}
    assert (second.params["text"], second.params["entities"]) == ("a b c", "[]")
    assert "message_thread_id" not in second.params


@pytest.mark.parametrize(("told", "wait"), [(10**24, timedelta(days=30)), (-5, timedelta())])
async def test_a_wait_that_cannot_be_is_one_that_can(
    server: BotApiServer, channel: TelegramChannel, told: int, wait: timedelta
) -> None:
    server.will(fails(429, "Too Many Requests", retry_after=told))
    with pytest.raises(NotDelivered) as caught:
        await channel.draft(CHAT, 1, TEXT)
    assert caught.value.retry_after == wait


async def test_a_draft_that_fails_says_why_and_no_secret(server: BotApiServer, channel: TelegramChannel) -> None:
    server.will(fails(429, "Too Many Requests: retry after 9", retry_after=9))
    with pytest.raises(NotDelivered) as caught:
        await channel.draft(CHAT, 1, TEXT)
    assert caught.value.retry_after == timedelta(seconds=9)
    assert SECRET_TEXT not in everything_told(caught.value)
    assert TOKEN not in everything_told(caught.value)


async def test_typing_in_a_topic(server: BotApiServer, channel: TelegramChannel) -> None:
    server.will(succeeds(True))
    await channel.typing(Recipient(chat_id=-1001, topic_id=5))
    assert server.calls[0].method == "sendChatAction"
    assert server.calls[0].params == {"chat_id": "-1001", "action": "typing", "message_thread_id": "5"}


@pytest.mark.parametrize("activity", Activity)
async def test_what_it_does_is_shown(server: BotApiServer, channel: TelegramChannel, activity: Activity) -> None:
    server.will(succeeds(True))
    assert await channel.typing(CHAT, activity)
    assert server.calls[0].params["action"] == activity.value


@pytest.mark.parametrize(
    "reaction", [cuts, fails(403, "Forbidden: bot was kicked"), fails(500, "x"), answers(502, b"")]
)
async def test_typing_that_fails_is_not_told(
    server: BotApiServer, channel: TelegramChannel, caplog: pytest.LogCaptureFixture, reaction: Reaction
) -> None:
    server.will(reaction)
    with caplog.at_level(logging.WARNING):
        await channel.typing(CHAT)
    assert [record for record in caplog.records if record.name != "asyncio"] == []


async def test_the_identity_is_as_telegram_says_now(server: BotApiServer, channel: TelegramChannel) -> None:
    server.will(succeeds(ME), succeeds(ME | {"can_read_all_group_messages": False, "can_join_groups": True}))
    asked = [await channel.identity(), await channel.identity()]
    first = BotIdentity(
        id=9, username="lull_bot", first_name="Lull", can_read_all_group_messages=True, can_join_groups=False
    )
    assert asked == [first, replace(first, can_read_all_group_messages=False, can_join_groups=True)]
    assert [call.method for call in server.calls] == ["getMe", "getMe"]


async def test_nothing_is_called_that_was_not_asked_for(server: BotApiServer) -> None:
    server.will(succeeds(MESSAGE))
    channel = TelegramChannel(TOKEN, f"{server.url}/")
    await channel.aclose()
    assert server.connections == 0
    await channel.send_text(CHAT, TEXT, None)
    await channel.aclose()
    await channel.send_text(CHAT, TEXT, None)
    await channel.aclose()
    assert [call.method for call in server.calls] == ["sendMessage", "sendMessage"]


async def test_many_chats_are_served_at_once(server: BotApiServer, channel: TelegramChannel) -> None:
    everyone_is_here = asyncio.Barrier(50)

    async def answer_when_all_have_called(writer: asyncio.StreamWriter) -> None:
        await everyone_is_here.wait()
        await succeeds(MESSAGE)(writer)

    server.will(answer_when_all_have_called)
    sent = await asyncio.gather(*(channel.send_text(Recipient(chat_id=n), TEXT, None) for n in range(1, 51)))
    assert [one.message_id for one in sent] == [7] * 50


async def test_connections_are_used_again(server: BotApiServer, channel: TelegramChannel) -> None:
    server.will(succeeds(MESSAGE))
    for _ in range(3):
        await channel.send_text(CHAT, TEXT, None)
    assert server.connections == 1


FAILURES: list[tuple[str, Reaction, type[ChannelError]]] = [
    ("cut", cuts, OutcomeUnknown),
    ("reset", resets, OutcomeUnknown),
    ("cut within the answer", cuts_within_the_answer, OutcomeUnknown),
    ("silent", stays_silent, OutcomeUnknown),
    ("without an end", never_ends, OutcomeUnknown),
    ("no HTTP", speaks_no_http, OutcomeUnknown),
    ("no JSON", answers(200, f"<html>{SECRET_TEXT} {TOKEN}".encode()), OutcomeUnknown),
    ("no answer of the Bot API", answers(200, b'{"a": 1}'), OutcomeUnknown),
    ("gateway time-out", answers(504, b"<html>", "text/html"), OutcomeUnknown),
    ("bad gateway", answers(502, f"<html>/bot{TOKEN}/x".encode(), "text/html"), NotDelivered),
    ("server error", fails(500, "Internal Server Error: Request aborted"), NotDelivered),
    ("flood", fails(429, "Too Many Requests: retry after 9", retry_after=9), NotDelivered),
    ("blocked", fails(403, "Forbidden: bot was blocked by the user"), ChatUnreachable),
    ("no chat", fails(400, "Bad Request: chat not found"), ChatUnreachable),
    ("no reply target", fails(400, "Bad Request: message to be replied not found"), ReplyTargetGone),
    ("moved", fails(400, "Bad Request: group chat was upgraded", migrate_to_chat_id=-100), ChatMoved),
    (
        "refused look",
        fails(400, f"Bad Request: Wrong message entity: URL '{SECRET_TEXT}' is invalid"),
        FormattingRefused,
    ),
    ("refused", fails(400, "Bad Request: something new is wrong"), ChannelRefused),
    ("wrong token", fails(401, "Unauthorized"), BotUnknown),
    ("malformed token", fails(404, f"Not Found: /bot{TOKEN}/sendMessage"), BotUnknown),
    ("moved elsewhere", answers(302, b""), ChannelRefused),
]


@pytest.mark.parametrize(("reaction", "kind"), [case[1:] for case in FAILURES], ids=[case[0] for case in FAILURES])
async def test_a_failure_says_what_became_of_the_call_and_no_secret(
    server: BotApiServer, caplog: pytest.LogCaptureFixture, reaction: Reaction, kind: type[ChannelError]
) -> None:
    server.will(reaction)
    answer_seconds, whole_seconds = 0.3 if reaction is stays_silent else 20, 0.3 if reaction is never_ends else 25
    channel = TelegramChannel(TOKEN, server.url, answer_seconds, whole_seconds)
    with caplog.at_level(logging.WARNING):
        error = await failure_of(channel)
    await channel.aclose()
    assert type(error) is kind
    assert error.__cause__ is None
    assert error.__context__ is None
    for secret in (TOKEN, TOKEN.partition(":")[2], SECRET_TEXT, server.url, "http://"):
        assert secret not in everything_told(error)
        assert secret not in caplog.text
    assert len(server.calls) == 1


async def test_a_flood_wait_says_how_long(server: BotApiServer, channel: TelegramChannel) -> None:
    server.will(fails(429, "Too Many Requests: retry after 9", retry_after=9))
    error = await failure_of(channel)
    assert isinstance(error, NotDelivered)
    assert error.retry_after == timedelta(seconds=9)


async def test_a_group_that_moved_says_where(server: BotApiServer, channel: TelegramChannel) -> None:
    server.will(fails(400, "Bad Request: group chat was upgraded to a supergroup chat", migrate_to_chat_id=-100123))
    error = await failure_of(channel)
    assert isinstance(error, ChatMoved)
    assert error.new_chat_id == -100123


async def test_after_a_failure_the_channel_goes_on(server: BotApiServer, channel: TelegramChannel) -> None:
    server.will(cuts, succeeds(MESSAGE))
    await failure_of(channel)
    assert (await channel.send_text(CHAT, TEXT, None)).message_id == 7


def refused_address() -> str:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{taken.getsockname()[1]}"


@pytest.mark.parametrize(
    ("api_url", "kind"),
    [
        ("http://{refused}", NotDelivered),
        ("http://lull.invalid", NotDelivered),
        ("ftp://127.0.0.1", ChannelRefused),
        ("127.0.0.1", ChannelRefused),
        ("http://127.0.0.1:port", ChannelRefused),
    ],
)
async def test_what_was_never_sent(api_url: str, kind: type[ChannelError]) -> None:
    address = api_url.format(refused=refused_address())
    channel = TelegramChannel(TOKEN, address)
    error = await failure_of(channel)
    await channel.aclose()
    assert type(error) is kind
    assert TOKEN not in everything_told(error)
    assert address not in everything_told(error)


def test_an_empty_token_is_told_at_once() -> None:
    with pytest.raises(InvalidSettings, match="LULL_BOT_TOKENS"):
        TelegramChannel("", "http://127.0.0.1")


async def test_a_token_with_a_line_end_is_told_by_its_setting(server: BotApiServer) -> None:
    channel = TelegramChannel(f"{TOKEN}\n", server.url)
    error = await failure_of(channel)
    await channel.aclose()
    assert "LULL_BOT_TOKENS" in str(error)
    assert TOKEN not in everything_told(error)


async def test_a_server_without_tls_was_never_told_anything(server: BotApiServer) -> None:
    channel = TelegramChannel(TOKEN, server.url.replace("http:", "https:"))
    error = await failure_of(channel)
    await channel.aclose()
    assert type(error) is NotDelivered
    assert server.calls == []


async def test_a_text_that_no_request_can_carry_is_refused_without_telling_it(
    server: BotApiServer, channel: TelegramChannel
) -> None:
    server.will(succeeds(MESSAGE))
    with pytest.raises(ChannelRefused) as caught:
        await channel.send_text(CHAT, FormattedText(f"{SECRET_TEXT} \ud83d"), None)
    assert SECRET_TEXT not in everything_told(caught.value)
    assert server.calls == []


async def test_an_interrupted_call_is_interrupted(server: BotApiServer, channel: TelegramChannel) -> None:
    server.will(stays_silent)
    call = asyncio.ensure_future(channel.send_text(CHAT, TEXT, None))
    await server.was_called.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
