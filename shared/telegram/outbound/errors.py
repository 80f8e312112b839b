"""The errors of failed Bot API calls: whether the call was carried out, and whether trying again helps."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from typing import Any, Final

import httpx

from shared.base.errors import (
    BotUnknown,
    ButtonsRefused,
    ChannelError,
    ChannelRefused,
    ChatMoved,
    ChatUnreachable,
    FileTooLarge,
    FileUnknown,
    FormattingRefused,
    NotDelivered,
    OutcomeUnknown,
    ReplyTargetGone,
    TopicGone,
)

#: errors that are raised before the first byte of the request is sent
NEVER_CONNECTED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)
#: errors that are raised if no request can be made for the address
NO_REQUEST = (httpx.UnsupportedProtocol, httpx.LocalProtocolError)

# The texts are from telegram-bot-api's Client.cpp, and from Telegram's servers, whose errors it passes on.
REPLY_TARGET_GONE = re.compile(
    r"message to (be )?repl\w* .*not found|repl(y|ied)( to)? message .*not found|reply_(to_)?(message|msg)_id_invalid"
    r"|repl(y|ied)( to)? message identifier is not specified|quote_text_invalid|quoted message not found",
    re.IGNORECASE,
)
TOPIC_GONE = re.compile(
    r"message thread (not found|is closed)|(?<!direct messages )topic (not found|is closed|was (closed|deleted))"
    r"|(topic|thread|forum)_(closed|deleted|hidden|not_found|id_invalid|invalid)",
    re.IGNORECASE,
)
UNREACHABLE = re.compile(
    r"(chat|user|direct messages topic) not found|bot (was|is) (blocked|kicked|not a member)|(is|was) deactivated"
    r"|chat was deleted|(no|not enough) rights to send|no write access|can't (initiate conversation|access the chat)"
    r"|can't send messages to|need administrator rights"
    r"|chat_(write_forbidden|restricted|forbidden|send_plain_forbidden|guest_send_forbidden|id_invalid|admin_required)"
    r"|peer_id_invalid|channel_(private|invalid)|user_(is_blocked|is_bot|deactivated|banned_in_channel)"
    r"|you_blocked_user|privacy_premium_required|payment_required",
    re.IGNORECASE,
)
#: refusals that name a number of seconds to wait
WAIT = re.compile(r"(?:slowmode|flood(?:_\w+)?)_wait_(\d{1,9})|too many requests: retry after (\d{1,9})", re.IGNORECASE)
FAILED_THERE = re.compile(
    r"rpc_\w*fail|msg_\w+_(failed|timeout)|worker_busy_too_long_retry|group.send.failed|history_get_failed"
    r"|interdc_\w+|internal server error",
    re.IGNORECASE,
)
#: refusals of a file id: of another bot, of a removed sticker set, or with an expired reference
FILE_UNKNOWN = re.compile(
    r"wrong (remote )?file[ _]id|invalid file_id|(file|document|sticker|photo)_id_invalid|document_invalid"
    r"|file_reference_\w+|can't use file of type",
    re.IGNORECASE,
)
FILE_TOO_LARGE = re.compile(r"file is too big", re.IGNORECASE)
BUTTONS_REFUSED = re.compile(r"button|keyboard|reply[ _]?markup|callback[ _]data", re.IGNORECASE)
LOOKS_REFUSED = re.compile(r"(?<!request )entit|(start|end) tag|link.preview|web ?page[ _](?!media)|: url_inv", re.I)
#: the group or the person's settings forbid this kind of message; a text may still be sent
KIND_FORBIDDEN = re.compile(r"rights to send (?!text|a message)|chat_send_(?!plain|guest)\w+_forbidden|reaction", re.I)
UNWANTED_VOICE = re.compile(r"voice_messages_forbidden", re.IGNORECASE)
#: an edit that changes nothing: the same choice again, or an edit that was carried out before a 5xx
NOT_MODIFIED = re.compile(r"message is not modified|message_not_modified", re.IGNORECASE)
#: text that may come from the message or from the address: quotations, URLs, tokens of bots
NOT_TO_BE_TOLD = re.compile(r"(?<!\w)['\"].*['\"](?!\w)|\S*://\S*|\S*\d+:[\w-]{6,}\S*", re.DOTALL)
LONGEST_DESCRIPTION = 200
#: the longest time ahead for which Cloud Tasks schedules (cloud.google.com/tasks/docs/quotas)
LONGEST_WAIT_S = 30 * 24 * 3600


class NotModified(ChannelRefused):
    """The message already has the requested content. The adapter (`bot.py`) treats the call as done."""


class StickerSetUnknown(ChannelRefused):
    """There is no such sticker set. Only the adapter (`bot.py`) sees this error."""


#: the error for each text of a description; the first match counts
_REFUSALS: Final[Sequence[tuple[re.Pattern[str], type[ChannelRefused], str]]] = (
    (NOT_MODIFIED, NotModified, "the message already has this content"),
    (REPLY_TARGET_GONE, ReplyTargetGone, "the message to reply to is gone"),
    (TOPIC_GONE, TopicGone, "nothing can be sent to this topic"),
    (re.compile(r"stickerset_invalid", re.IGNORECASE), StickerSetUnknown, "there is no such sticker set"),
    (FILE_TOO_LARGE, FileTooLarge, "bots may not download so large a file"),
    (FILE_UNKNOWN, FileUnknown, "Telegram knows no such file for this bot"),
    (BUTTONS_REFUSED, ButtonsRefused, "Telegram rejects the buttons"),
    (LOOKS_REFUSED, FormattingRefused, "Telegram rejects the formatting of the text"),
    (KIND_FORBIDDEN, ChannelRefused, "messages of this kind are not allowed here"),
    (UNWANTED_VOICE, ChannelRefused, "messages of this kind are not allowed here"),
)


@dataclass(frozen=True, kw_only=True)
class BotApiAnswer:
    """An answer of the Bot API. `status` is the error code in the body, or else the HTTP status."""

    status: int
    is_success: bool = False
    description: str = ""
    retry_after: timedelta | None = None
    new_chat_id: int | None = None


def read_answer(status: int, payload: bytes) -> BotApiAnswer:
    """Parse an answer. If the body does not have the Bot API's form, the result has only the HTTP status."""
    try:
        body = json.loads(payload)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        return BotApiAnswer(status=status)
    parameters = body.get("parameters")
    parameters = parameters if isinstance(parameters, dict) else {}
    seconds = _number(parameters.get("retry_after"))
    return BotApiAnswer(
        status=_number(body.get("error_code")) or status,
        is_success=HTTPStatus(200) <= status < 300 and body.get("ok") is True and "result" in body,
        description=str(body.get("description", "")),
        retry_after=timedelta(seconds=min(max(seconds, 0), LONGEST_WAIT_S)) if seconds is not None else None,
        new_chat_id=_number(parameters.get("migrate_to_chat_id")),
    )


def classify(failure: httpx.HTTPError | BotApiAnswer, method: str) -> ChannelError:
    """Return the error for a failed call of `method`. The error's text has no token, no URL and no message text."""
    kind = type(failure).__name__
    match failure:
        case BotApiAnswer():
            return _classify_answer(failure, method)
        case httpx.HTTPError() if isinstance(failure, NEVER_CONNECTED):
            return NotDelivered(f"Telegram could not be reached for {method} ({kind})")
        case httpx.HTTPError() if isinstance(failure, NO_REQUEST):
            return ChannelRefused(f"{method} can't be sent to the address in TELEGRAM_API_URL ({kind})")
        case _:
            return OutcomeUnknown(f"Telegram's answer to {method} was cut off ({kind}): it may have been carried out")


def _classify_answer(answer: BotApiAnswer, method: str) -> ChannelError:
    told = f"{method}: {answer.status} {safe_description(answer.description)}".rstrip()
    match answer.status:
        case 429 | 420:
            wait = answer.retry_after if answer.retry_after is not None else _wait_in(answer)
            return NotDelivered(f"Telegram asks to wait before {told}", wait)
        case _ if answer.new_chat_id is not None:
            return ChatMoved(f"the group became a supergroup: {told}", answer.new_chat_id)
        case 401 | 404:
            return BotUnknown(f"Telegram knows no such bot: its token in LULL_BOT_TOKENS is wrong ({told})")
        case 400 | 403:
            return _classify_refusal(answer, told)
        case 504:
            return OutcomeUnknown(f"a gateway gave up waiting for Telegram: it may have been carried out ({told})")
        case status if status >= 500 or status == 408:
            return NotDelivered(f"Telegram failed at {told}")
        case status if status < 300:
            return OutcomeUnknown(f"the answer is not the Bot API's: it may have been carried out ({told})")
    return ChannelRefused(f"Telegram refused {told}")


def _wait_in(answer: BotApiAnswer) -> timedelta | None:
    """Return the wait that the text of an answer asks for; None if it asks for none."""
    found = WAIT.search(answer.description)
    return timedelta(seconds=min(int(found[1] or found[2]), LONGEST_WAIT_S)) if found else None


def _classify_refusal(answer: BotApiAnswer, told: str) -> ChannelError:
    if (wait := _wait_in(answer)) is not None:
        return NotDelivered(f"Telegram asks to wait before {told}", wait)
    if FAILED_THERE.search(answer.description):
        return NotDelivered(f"Telegram failed at {told}")
    return _refusal(answer, told)


def _refusal(answer: BotApiAnswer, told: str) -> ChannelRefused:
    for words, kind, means in _REFUSALS:
        if words.search(answer.description):
            return kind(f"{means} ({told})")
    if answer.status == HTTPStatus.FORBIDDEN or UNREACHABLE.search(answer.description):
        return ChatUnreachable(f"nothing can be sent to this chat ({told})")
    return ChannelRefused(f"Telegram refused {told}")


def safe_description(description: str) -> str:
    """Return Telegram's description without any text that may come from the message or the address."""
    return NOT_TO_BE_TOLD.sub("…", description)[:LONGEST_DESCRIPTION]


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
