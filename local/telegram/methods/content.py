"""The content of a bot's message: its text or caption, its buttons, and the message to which it replies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from local.telegram.addresses import check_address
from local.telegram.chats import LocalChat
from local.telegram.detection import find_entities
from local.telegram.entities import LocalEntity, parse_entities, trim, utf16_length, without
from local.telegram.errors import bad_request
from local.telegram.messages import LocalMessage, LocalQuote
from local.telegram.methods.request import MethodRequest

MAX_TEXT = 4_096
MAX_CAPTION = 1_024
# Bot API: callback_data has 1–64 bytes. Telegram's server refuses keyboards with more than 100 buttons.
MAX_CALLBACK_DATA_BYTES = 64
MAX_BUTTONS = 100

# Kinds of buttons that this server does not support, because they need an invoice, a game or a login domain.
_NOT_HERE = {"pay": "BUTTON_TYPE_INVALID", "callback_game": "BUTTON_TYPE_INVALID", "login_url": "BOT_DOMAIN_INVALID"}
# Errors for parameters that bots may use only with a capability that the bots here lack (observed on the real server).
_REFUSED = {
    "message_effect_id": "EFFECT_ID_INVALID",
    "allow_paid_broadcast": "FLOODSKIP_NOT_ALLOWED",
    "suggested_post_parameters": "suggested posts can be sent only to channel direct messages",
}
# Invisible characters, which count as empty text (TDLib, strip_empty_characters).
_INVISIBLE = str.maketrans(dict.fromkeys("\u180e\u200b\u200e\u200f\u202e\u2800\ufeff\ufffc"))

Buttons = tuple[tuple[dict[str, Any], ...], ...]


@dataclass(frozen=True, kw_only=True)
class MessageTarget:
    """The place of a message in a chat, and the message to which it replies."""

    topic_id: int | None
    reply_to: int | None
    quote: LocalQuote | None


def text_of(request: MethodRequest) -> tuple[str, tuple[LocalEntity, ...]]:
    """Return the text of a message with all its entities. Raises BotApiError if it is empty or too long."""
    params = request.params
    if not params.get("text"):
        raise bad_request("message text is empty")
    text, entities = _format(params["text"], params.get("parse_mode"), params.get("entities"))
    _check_mentioned(request, entities)
    if not text.translate(_INVISIBLE).strip():
        raise bad_request("text must be non-empty")
    if utf16_length(text) > MAX_TEXT:
        raise bad_request("message is too long")
    return text, entities


def caption_of(request: MethodRequest) -> tuple[str | None, tuple[LocalEntity, ...]]:
    """Return the caption of a file with all its entities, or None if there is none."""
    params = request.params
    text, entities = _format(params.get("caption", ""), params.get("parse_mode"), params.get("caption_entities"))
    _check_mentioned(request, entities)
    if utf16_length(text) > MAX_CAPTION:
        raise bad_request("message caption is too long")
    return text or None, entities


def _format(
    text: str, mode: str | None, raw: Sequence[Mapping[str, Any]] | None
) -> tuple[str, tuple[LocalEntity, ...]]:
    if mode:
        raise bad_request("parse_mode is not supported by the local server: send the formatting as entities")
    text, entities = without(text, parse_entities(raw or (), text), "\r\0")
    text, entities = trim(text, entities)
    return text, find_entities(text, entities)


def _check_mentioned(request: MethodRequest, entities: Sequence[LocalEntity]) -> None:
    for entity in entities:
        if entity.user_id is not None and request.world.people.find(entity.user_id) is None:
            raise bad_request("user not found")


def buttons_of(params: Mapping[str, Any]) -> Buttons | None:
    """Return the rows of an inline keyboard, or None. Other keyboards are not part of the message; the person's app
    shows them elsewhere.
    """
    rows = (params.get("reply_markup") or {}).get("inline_keyboard") or ()
    if sum(len(row) for row in rows) > MAX_BUTTONS:
        raise bad_request("reply markup is too long")
    for button in (button for row in rows for button in row):
        _check_button(button)
    return tuple(tuple(dict(button) for button in row) for row in rows if row) or None


def _check_button(button: Mapping[str, Any]) -> None:
    given = {name for name, value in button.items() if value not in ("", None)} - {"style", "icon_custom_emoji_id"}
    if "text" not in given:
        raise bad_request("can't parse inline keyboard button: Text of the button must be non-empty")
    if given == {"text"}:
        raise bad_request("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
    if len(button.get("callback_data", "").encode()) > MAX_CALLBACK_DATA_BYTES:
        raise bad_request("BUTTON_DATA_INVALID")
    if "url" in given:
        check_address("inline keyboard button URL", button["url"])
    for kind, reason in _NOT_HERE.items():
        if kind in given:
            raise bad_request(reason)
    _check_web_app(button)


def _check_web_app(button: Mapping[str, Any]) -> None:
    url = button.get("web_app", {}).get("url", "https://")
    if not url.startswith("https://"):
        raise bad_request(f"inline keyboard button Web App URL '{url}' is invalid: Only HTTPS links are allowed")


def place_of(request: MethodRequest, chat: LocalChat) -> MessageTarget:
    """Return the topic and the reply target that a call gives. Raises BotApiError if the chat does not have them."""
    for parameter, reason in _REFUSED.items():
        if request.params.get(parameter):
            raise bad_request(reason)
    topic_id = direct_topic_of(request, chat) or request.params.get("message_thread_id")
    if topic_id is not None and not chat.is_direct and chat.topic(topic_id) is None:
        raise bad_request("message thread not found")
    reply = request.params.get("reply_parameters") or {}
    target = _reply_target(request, chat, reply) if reply else None
    if target is None:
        return MessageTarget(topic_id=topic_id, reply_to=None, quote=None)
    quote = _quote(target, reply) if reply.get("quote") else None
    return MessageTarget(topic_id=topic_id or target.topic_id, reply_to=target.id, quote=quote)


def direct_topic_of(request: MethodRequest, chat: LocalChat) -> int | None:
    """Return the topic that a call names in a group for a channel's direct messages. In such a group the topic is
    required; elsewhere it is refused.
    """
    topic_id: int | None = request.params.get("direct_messages_topic_id")
    if not chat.is_direct and topic_id is None:
        return None
    if not chat.is_direct or topic_id is None or request.world.people.person(topic_id) is None:
        raise bad_request("direct messages topic not found")
    return topic_id


def _reply_target(request: MethodRequest, chat: LocalChat, reply: Mapping[str, Any]) -> LocalMessage | None:
    if reply.get("chat_id") not in (None, chat.id, str(chat.id)):
        raise bad_request("replies to another chat are not supported by the local server")
    target = request.world.messages.get(chat.key, reply["message_id"])
    if target is None and not reply.get("allow_sending_without_reply"):
        raise bad_request("message to be replied not found")
    return target


def _quote(target: LocalMessage, reply: Mapping[str, Any]) -> LocalQuote:
    text, entities = _format(reply["quote"], reply.get("quote_parse_mode"), reply.get("quote_entities"))
    at = target.words.find(text)
    if at < 0:
        raise bad_request("QUOTE_TEXT_INVALID")
    return LocalQuote(text=text, position=utf16_length(target.words[:at]), entities=entities)
