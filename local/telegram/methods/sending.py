"""Methods that send messages, files, drafts and chat actions."""

from collections.abc import Mapping
from dataclasses import replace

from local.telegram.chats import GENERAL_TOPIC, LocalChat
from local.telegram.errors import bad_request
from local.telegram.link_previews import preview_of
from local.telegram.messages import LocalMessage, MessageField
from local.telegram.methods.attaching import media_of
from local.telegram.methods.content import buttons_of, caption_of, place_of, text_of
from local.telegram.methods.request import AccessLevel, Method, MethodRequest, chat_of
from local.telegram.posting import post
from local.telegram.wire import Json, entity_json, message_json

# Bot API: a chat action lasts at most 5 s, a draft 30 s.
ACTION_SECONDS = 5.0
DRAFT_SECONDS = 30.0
_SPOKEN = (MessageField.VOICE, MessageField.VIDEO_NOTE)
_MADE = ("photo", "video", "voice", "audio", "document", "video_note")
_ACTIONS = {f"{what}_{kind}" for what in ("upload", "record") for kind in _MADE} - {"record_photo", "record_document"}
_ACTIONS |= {"typing", "choose_sticker", "find_location", "pick_up_location", "cancel"}


def send_message(request: MethodRequest) -> Json:
    """Send a text to a chat, and return the sent `Message`."""
    text, entities = text_of(request)
    chat = chat_of(request, AccessLevel.WRITE)
    preview = preview_of(request.params, text, entities)
    return _post(request, replace(draft_of(request, chat), text=text, entities=entities, preview=preview))


def send_file(kind: MessageField) -> Method:
    """Return the method that sends a file of this kind, with a caption if the kind may have one."""

    def send(request: MethodRequest) -> Json:
        chat = chat_of(request, AccessLevel.WRITE)
        caption, entities = caption_of(request)
        media = media_of(request, kind)
        check_is_taken(request, chat, kind)
        return _post(request, replace(draft_of(request, chat), media=media, caption=caption, entities=entities))

    return send


def check_is_taken(request: MethodRequest, chat: LocalChat, kind: MessageField) -> None:
    """Raise BotApiError if `kind` is a voice message or a round video, and the person of the private chat does not
    accept these (`has_restricted_voice_…` of getChat).
    """
    person = request.world.people.person(chat.person_id) if chat.person_id is not None else None
    if person is not None and person.refuses_voice and kind in _SPOKEN:
        raise bad_request("VOICE_MESSAGES_FORBIDDEN")


def send_chat_action(request: MethodRequest) -> bool:
    """Show the bot's current action, such as typing, for a few seconds. This is the only method in which a call may
    name the General topic, by the id 1.
    """
    world, action = request.world, request.params["action"].lower()
    if action not in _ACTIONS:
        raise bad_request("wrong parameter action in request")
    chat = chat_of(request, AccessLevel.WRITE)
    if chat.is_direct:
        raise bad_request("chat actions can't be sent to channel direct messages chats")
    topic_id = request.params.get("message_thread_id")
    if topic_id not in (None, GENERAL_TOPIC) and chat.topic(topic_id) is None:
        raise bad_request("message thread not found")
    until = world.now() + (0.0 if action == "cancel" else ACTION_SECONDS)
    topic_id = None if topic_id == GENERAL_TOPIC else topic_id
    shown = {"chat": chat.key, "topic_id": topic_id, "from": request.bot.id, "action": action, "until": until}
    world.events.add("typing", **shown)
    return True


def send_message_draft(request: MethodRequest) -> bool:
    """Show an unfinished message for half a minute. People see an empty text as "Thinking…"."""
    world, params = request.world, request.params
    chat = chat_of(request, AccessLevel.WRITE)
    if chat.is_group:
        raise bad_request("TEXTDRAFT_PEER_INVALID")
    if params["draft_id"] == 0:
        raise bad_request("RANDOM_ID_INVALID")
    topic_id = params.get("message_thread_id")
    if topic_id is not None and chat.topic(topic_id) is None:
        raise bad_request("message thread not found")
    text, entities = text_of(request) if params.get("text") else ("", ())
    shown = {
        "chat": chat.key,
        "topic_id": topic_id,
        "from": request.bot.id,
        "draft_id": params["draft_id"],
        "text": text,
        "entities": [entity_json(world, entity) for entity in entities],
        "until": world.now() + DRAFT_SECONDS,
    }
    world.events.add("draft", **shown)
    return True


def draft_of(request: MethodRequest, chat: LocalChat) -> LocalMessage:
    """Return a message with the sender, place, reply and buttons that a call gives, but without content."""
    place = place_of(request, chat)
    return LocalMessage(
        chat=chat.key,
        id=0,
        sender=request.bot.id,
        date=0,
        topic_id=place.topic_id,
        reply_to=place.reply_to,
        quote=place.quote,
        buttons=buttons_of(request.params),
        is_protected=bool(request.params.get("protect_content")),
    )


def _post(request: MethodRequest, message: LocalMessage) -> Json:
    return message_json(request.world, post(request.world, message), request.bot.id)


METHODS: Mapping[str, Method] = {
    "sendMessage": send_message,
    "sendChatAction": send_chat_action,
    "sendMessageDraft": send_message_draft,
} | {f"send{kind.value.replace('_', '')}": send_file(kind) for kind in MessageField}
