"""The meaning of each failed call."""

import json
from datetime import timedelta

import httpx
import pytest

from shared.base.errors import (
    BotUnknown,
    ButtonsRefused,
    ChannelError,
    ChannelRefused,
    ChatMoved,
    ChatUnreachable,
    FileUnknown,
    FormattingRefused,
    NotDelivered,
    OutcomeUnknown,
    ReplyTargetGone,
    TopicGone,
)
from shared.telegram.outbound.errors import (
    BotApiAnswer,
    NotModified,
    StickerSetUnknown,
    classify,
    read_answer,
    safe_description,
)


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (httpx.ConnectError, NotDelivered),
        (httpx.ConnectTimeout, NotDelivered),
        (httpx.PoolTimeout, NotDelivered),
        (httpx.ProxyError, NotDelivered),
        (httpx.ReadTimeout, OutcomeUnknown),
        (httpx.WriteTimeout, OutcomeUnknown),
        (httpx.ReadError, OutcomeUnknown),
        (httpx.WriteError, OutcomeUnknown),
        (httpx.CloseError, OutcomeUnknown),
        (httpx.RemoteProtocolError, OutcomeUnknown),
        (httpx.DecodingError, OutcomeUnknown),
        (httpx.UnsupportedProtocol, ChannelRefused),
        (httpx.LocalProtocolError, ChannelRefused),
    ],
)
def test_broken_connections(failure: type[httpx.HTTPError], kind: type[ChannelError]) -> None:
    error = classify(failure("at https://x/bot1:TOKEN"), "sendMessage")
    assert type(error) is kind
    assert "TOKEN" not in str(error)
    assert "sendMessage" in str(error)
    assert failure.__name__ in str(error)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        *(
            (200, OutcomeUnknown),
            (204, OutcomeUnknown),
            (302, ChannelRefused),
            (400, ChannelRefused),
            (401, BotUnknown),
            (402, ChannelRefused),
        ),
        *(
            (403, ChatUnreachable),
            (404, BotUnknown),
            (408, NotDelivered),
            (409, ChannelRefused),
            (413, ChannelRefused),
            (429, NotDelivered),
        ),
        *((500, NotDelivered), (502, NotDelivered), (503, NotDelivered), (504, OutcomeUnknown), (599, NotDelivered)),
    ],
)
def test_answers_by_status(status: int, kind: type[ChannelError]) -> None:
    assert type(classify(BotApiAnswer(status=status), "sendMessage")) is kind


@pytest.mark.parametrize(
    ("description", "kind"),
    [
        ("Bad Request: message to be replied not found", ReplyTargetGone),
        ("Bad Request: replied message not found", ReplyTargetGone),
        ("Bad Request: reply message not found", ReplyTargetGone),
        ("Bad Request: message to reply not found", ReplyTargetGone),
        ("Bad Request: REPLY_MESSAGE_ID_INVALID", ReplyTargetGone),
        ("Bad Request: chat not found", ChatUnreachable),
        ("Bad Request: have no rights to send a message", ChatUnreachable),
        ("Request Entity Too Large", ChannelRefused),
        ("Bad Request: not enough rights to send stickers to the chat", ChannelRefused),
        ("Bad Request: CHAT_SEND_STICKERS_FORBIDDEN", ChannelRefused),
        ("Bad Request: CHAT_SEND_PHOTOS_FORBIDDEN", ChannelRefused),
        ("Bad Request: VOICE_MESSAGES_FORBIDDEN", ChannelRefused),
        ("Bad Request: wrong file identifier/HTTP URL specified", FileUnknown),
        ("Bad Request: wrong remote file identifier specified: can't unserialize it", FileUnknown),
        ("Bad Request: FILE_REFERENCE_EXPIRED", FileUnknown),
        ("Bad Request: STICKERSET_INVALID", StickerSetUnknown),
        ("Bad Request: not enough rights to send text messages to the chat", ChatUnreachable),
        ("Bad Request: CHAT_WRITE_FORBIDDEN", ChatUnreachable),
        ("Bad Request: CHAT_RESTRICTED", ChatUnreachable),
        ("Bad Request: PEER_ID_INVALID", ChatUnreachable),
        ("Bad Request: group chat was deactivated", ChatUnreachable),
        ("Bad Request: user is deactivated", ChatUnreachable),
        ("Bad Request: replied message not found in the chat", ReplyTargetGone),
        ("Bad Request: REPLY_TO_MSG_ID_INVALID", ReplyTargetGone),
        ("Bad Request: QUOTE_TEXT_INVALID", ReplyTargetGone),
        ("Bad Request: message thread not found", TopicGone),
        ("message thread not found", TopicGone),
        ("Bad Request: TOPIC_CLOSED", TopicGone),
        ("Bad Request: TOPIC_DELETED", TopicGone),
        ("Bad Request: TOPIC_ID_INVALID", TopicGone),
        ("Bad Request: the topic is closed", TopicGone),
        ("Bad Request: forum topic not found", TopicGone),
        ("Bad Request: direct messages topic not found", ChatUnreachable),
        ("Bad Request: the group chat was deleted", ChatUnreachable),
        ("Bad Request: have no write access to the chat", ChatUnreachable),
        ("Bad Request: need administrator rights in the channel chat", ChatUnreachable),
        ("Bad Request: bot can't initiate conversation with a user", ChatUnreachable),
        ("Bad Request: bot can't send messages to the user", ChatUnreachable),
        ("Bad Request: bot is not a member of the supergroup chat", ChatUnreachable),
        ("Bad Request: USER_IS_BLOCKED", ChatUnreachable),
        ("Bad Request: YOU_BLOCKED_USER", ChatUnreachable),
        ("Bad Request: INPUT_USER_DEACTIVATED", ChatUnreachable),
        ("Bad Request: USER_BANNED_IN_CHANNEL", ChatUnreachable),
        ("Bad Request: CHANNEL_PRIVATE", ChatUnreachable),
        ("Bad Request: CHAT_ADMIN_REQUIRED", ChatUnreachable),
        ("Bad Request: CHAT_SEND_PLAIN_FORBIDDEN", ChatUnreachable),
        ("Bad Request: PRIVACY_PREMIUM_REQUIRED", ChatUnreachable),
        ("Bad Request: RPC_CALL_FAIL", NotDelivered),
        ("Bad Request: MSG_WAIT_TIMEOUT", NotDelivered),
        ("Bad Request: WORKER_BUSY_TOO_LONG_RETRY", NotDelivered),
        ("Bad Request: group send failed", NotDelivered),
        ("Bad Request: STICKER_ID_INVALID", FileUnknown),
        ("Bad Request: PHOTO_INVALID_DIMENSIONS", ChannelRefused),
        ("Bad Request: MEDIA_CAPTION_TOO_LONG", ChannelRefused),
        ("Bad Request: can't parse entities: unsupported start tag", FormattingRefused),
        (
            "Bad Request: can't parse entities: can't find end of the entity starting at byte offset 9",
            FormattingRefused,
        ),
        ('Bad Request: can\'t parse MessageEntity: Field "offset" must be of type Number', FormattingRefused),
        ("Bad Request: unmatched end tag at byte offset 12", FormattingRefused),
        ("Bad Request: ENTITY_BOUNDS_INVALID", FormattingRefused),
        ("Bad Request: ENTITY_TEXTURL_INVALID", FormattingRefused),
        ("Bad Request: ENTITY_MENTION_USER_INVALID", FormattingRefused),
        ("Bad Request: ENTITIES_TOO_LONG", FormattingRefused),
        ("Bad Request: entities too long", FormattingRefused),
        ("Bad Request: can't parse link preview options JSON object", FormattingRefused),
        ("Bad Request: WEBPAGE_URL_INVALID", FormattingRefused),
        ("Bad Request: WEBPAGE_NOT_FOUND", FormattingRefused),
        ("Bad Request: URL_INVALID", FormattingRefused),
        ("Bad Request: CHAT_SEND_WEBPAGE_FORBIDDEN", FormattingRefused),
        ("Bad Request: not enough rights to send web page previews", FormattingRefused),
        ("Bad Request: TOPIC_NOT_FOUND", TopicGone),
        ("Bad Request: BUTTON_DATA_INVALID", ButtonsRefused),
        ("Bad Request: BUTTON_URL_INVALID", ButtonsRefused),
        ("Bad Request: BUTTON_TYPE_INVALID", ButtonsRefused),
        ("Bad Request: BUTTON_USER_PRIVACY_RESTRICTED", ButtonsRefused),
        ("Bad Request: inline keyboard expected", ButtonsRefused),
        ("Bad Request: inline keyboard button URL 'x' is invalid: Wrong HTTP URL", ButtonsRefused),
        ("Bad Request: can't parse inline keyboard button: Text buttons are unallowed", ButtonsRefused),
        ("Bad Request: REPLY_MARKUP_INVALID", ButtonsRefused),
        ("Bad Request: REPLY_MARKUP_TOO_LONG", ButtonsRefused),
        ("Bad Request: reply markup is too long", ButtonsRefused),
        ("Bad Request: object expected as reply markup", ButtonsRefused),
        ("Bad Request: MESSAGE_ID_INVALID", ChannelRefused),
        ("Bad Request: message text is empty", ChannelRefused),
        ("Bad Request: message is too long", ChannelRefused),
        ("Bad Request: message to react not found", ChannelRefused),
        ("Bad Request: message is not modified: specified new message content is the same", NotModified),
        ("Bad Request: MESSAGE_NOT_MODIFIED", NotModified),
        ("Bad Request: REACTION_INVALID", ChannelRefused),
        ("Bad Request: Entity beginning at UTF-16 offset 3 ends after the end of the text", FormattingRefused),
    ],
)
def test_refusals_by_their_words(description: str, kind: type[ChannelError]) -> None:
    error = classify(BotApiAnswer(status=400, description=description), "sendMessage")
    assert type(error) is kind
    assert safe_description(description) in str(error)


def test_a_reply_target_that_is_forbidden_is_gone_too() -> None:
    answer = BotApiAnswer(status=403, description="Forbidden: replied message not found")
    assert type(classify(answer, "sendMessage")) is ReplyTargetGone


@pytest.mark.parametrize("words", ["REACTION_INVALID", "not enough rights to set reactions", "REACTIONS_TOO_MANY"])
def test_a_reaction_that_is_forbidden_takes_no_words_with_it(words: str) -> None:
    assert (
        type(classify(BotApiAnswer(status=403, description=f"Forbidden: {words}"), "setMessageReaction"))
        is ChannelRefused
    )


def test_a_wait_and_a_new_place_are_handed_on() -> None:
    wait = classify(BotApiAnswer(status=429, retry_after=timedelta(seconds=3)), "sendMessage")
    moved = classify(BotApiAnswer(status=400, new_chat_id=-100), "sendMessage")
    assert isinstance(wait, NotDelivered)
    assert wait.retry_after == timedelta(seconds=3)
    assert isinstance(moved, ChatMoved)
    assert moved.new_chat_id == -100


@pytest.mark.parametrize(
    ("status", "description", "seconds"),
    [
        (400, "Bad Request: SLOWMODE_WAIT_17", 17),
        (420, "FLOOD_WAIT_9", 9),
        (400, "Bad Request: FLOOD_PREMIUM_WAIT_3", 3),
        (429, "Too Many Requests: retry after 40", 40),
        (403, "Forbidden: SLOWMODE_WAIT_60", 60),
    ],
)
def test_a_wait_that_only_words_tell_is_waited_for(status: int, description: str, seconds: int) -> None:
    wait = classify(BotApiAnswer(status=status, description=description), "sendMessage")
    assert isinstance(wait, NotDelivered)
    assert wait.retry_after == timedelta(seconds=seconds)


def test_a_wrong_token_is_named_by_its_setting() -> None:
    assert "LULL_BOT_TOKENS" in str(classify(BotApiAnswer(status=401, description="Unauthorized"), "getMe"))


@pytest.mark.parametrize(
    ("description", "told"),
    [
        ("Bad Request: can't parse it, it isn't", "Bad Request: can't parse it, it isn't"),
        ("URL 'http://secret' is invalid", "URL … is invalid"),
        ("URL 'a' and it's 'secret' is invalid", "URL … is invalid"),
        ('tag "secret" at byte offset 3', "tag … at byte offset 3"),
        ('tag "secret\nof two lines" is wrong', "tag … is wrong"),
        ("no https://api.example/bot1:x here", "no … here"),
        ("no /bot123456:ABC-DEF_ghi/sendMessage here", "no … here"),
        ("x" * 999, "x" * 200),
    ],
)
def test_what_may_be_secret_is_left_out_of_a_description(description: str, told: str) -> None:
    assert safe_description(description) == told


def test_an_answer_is_read_from_its_body() -> None:
    body = {"ok": False, "error_code": 429, "description": "d", "parameters": {"retry_after": 2}}
    read = read_answer(400, json.dumps(body).encode())
    assert read == BotApiAnswer(status=429, description="d", retry_after=timedelta(seconds=2))
    assert read_answer(200, b'{"ok": true, "result": false}').is_success
    assert read_answer(400, b'{"ok": false, "parameters": {"migrate_to_chat_id": -1}}').new_chat_id == -1


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"<html>",
        b"[]",
        b"null",
        b'{"ok": true}',
        b'{"ok": false, "result": 1}',
        b"\xff",
        b"[" * 9999,
        b'{"parameters": 1}',
    ],
)
def test_any_body_can_be_read(payload: bytes) -> None:
    read = read_answer(200, payload)
    assert not read.is_success
    assert read.status == 200
