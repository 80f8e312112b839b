"""Reads who wrote a message, who wrote the message that it forwards, and which message it replies to."""

from collections.abc import Iterator

from shared.base.text import Entity, EntityType
from shared.telegram.inbound.content import holds_outside, media_of
from shared.telegram.inbound.envelope import is_id, object_in
from shared.telegram.inbound.media import files_of
from shared.telegram.inbound.text import LONGEST_NAME, LONGEST_TEXT, clean, entities_of, name_of, text_of
from shared.values.button_data import SAID_APART, read_button
from shared.values.evolve import evolve
from shared.values.links import addresses_in
from shared.values.message import QUOTE_CHARACTERS, Author, QuotedMessage
from shared.values.update import Json

#: fields of a MessageOrigin that name a chat (core.telegram.org/bots/api#messageorigin)
_CHATS = ("sender_chat", "chat")
#: the kinds of entity that are kept in a quote, since they change what the text says; mentions are left out
_KEPT = frozenset({
    EntityType.TEXT_LINK, EntityType.CODE, EntityType.PRE, EntityType.BOLD, EntityType.STRIKETHROUGH,
    EntityType.SPOILER, EntityType.BLOCKQUOTE, EntityType.EXPANDABLE_BLOCKQUOTE,
})  # fmt: skip
#: the maximum bytes of the entities of a message that is replied to; further entities are left out
_MOST_ENTITY_BYTES = 8_192
#: the maximum characters of the words for media
_LONGEST_MEDIA = QUOTE_CHARACTERS
#: replies to an item, such as a checklist's task: the reply's field for it, the quoted message's field, the list of
#: items in that, and the field that identifies an item
_ITEMS = (
    ("reply_to_checklist_task_id", "checklist", "tasks", "id"),
    ("reply_to_poll_option_id", "poll", "options", "persistent_id"),
)


def author_of(message: Json, bot_id: int) -> Author:
    """Return the author of a message. `bot_id` is the id of the agent's own bot."""
    speaker = message.get("sender_chat")
    if isinstance(speaker, dict):
        return author_from_chat(speaker)
    user = message.get("from")
    if isinstance(user, dict):
        return author_from_user(user, bot_id)
    chat = message.get("chat")
    return author_from_chat(chat if isinstance(chat, dict) else {})


def author_from_user(user: Json, bot_id: int) -> Author:
    user_id = user.get("id")
    return Author(
        id=user_id if is_id(user_id) else 0,
        name=name_of(user) or "someone",
        username=clean(user.get("username"), LONGEST_NAME),
        is_bot=user.get("is_bot") is True,
        is_agent=user_id == bot_id,
    )


def author_from_chat(chat: Json) -> Author:
    """Return a chat as an author: a channel or group that writes in its own name, or the person of a private chat."""
    chat_id = chat.get("id")
    return Author(
        id=chat_id if is_id(chat_id) else 0,
        name=name_of(chat) or "someone",
        username=clean(chat.get("username"), LONGEST_NAME),
    )


def forwarded_from(message: Json, bot_id: int) -> Author | None:
    """Return the original author of a forwarded message; None if the message is not a forward."""
    origin = message.get("forward_origin")
    return author_from_origin(origin, bot_id) if isinstance(origin, dict) else None


def author_from_origin(origin: Json, bot_id: int) -> Author:
    """Return the author that a MessageOrigin names; the author is called "someone" if the kind of origin is unknown."""
    user = origin.get("sender_user")
    if isinstance(user, dict):
        return author_from_user(user, bot_id)
    chat = next((value for name in _CHATS if isinstance(value := origin.get(name), dict)), None)
    if chat is None:
        return Author(id=0, name=clean(origin.get("sender_user_name"), LONGEST_NAME) or "someone")
    author, signed = author_from_chat(chat), clean(origin.get("author_signature"), LONGEST_NAME)
    return evolve(author, name=f"{author.name} ({signed})") if signed else author


def quote_of(message: Json, bot_id: int, note: str = "") -> QuotedMessage | None:
    """Return the message to which `message` replies; None if it is not a reply. `note` describes a quoted message
    without text, such as a service message that reports a new member.
    """
    target = message.get("reply_to_message")
    if isinstance(target, dict) and "forum_topic_created" not in target:
        return _of_message(target, _selected_part(message, target), bot_id, note)
    external, story = message.get("external_reply"), message.get("reply_to_story")
    if isinstance(external, dict):
        return _of_external(external, _selected_part(message, external), bot_id, object_in(message, "chat").get("id"))
    if isinstance(story, dict):
        chat = story.get("chat")
        teller = author_from_chat(chat) if isinstance(chat, dict) else None
        return QuotedMessage(message_id=0, author=teller, excerpt="a story")
    return None  # in a topic, every message points at the topic's first one without being a reply


def _of_message(target: Json, chosen: str, bot_id: int, note: str) -> QuotedMessage | None:
    message_id = target.get("message_id")
    if not is_id(message_id):
        return None
    is_told = not is_told_apart(target, bot_id)
    text, media = (_read(target), media_of(target)[:_LONGEST_MEDIA]) if is_told else ("", "")
    part = chosen if is_told and chosen != (text or media) else ""
    whole = text[:QUOTE_CHARACTERS] or media or (f"an event: {note}" if is_told and note else "")
    return QuotedMessage(
        message_id=message_id,
        author=author_of(target, bot_id),
        forwarded_from=forwarded_from(target, bot_id),
        excerpt=part[:QUOTE_CHARACTERS] or whole,
        around=whole if part else "",
        entities=_formats(target, whole) if text else (),
        is_cut=len(text) > QUOTE_CHARACTERS,
        media=media if text else "",
        holds_outside=holds_outside(target, bot_id),
        media_refs=files_of(target),
    )


def _read(target: Json) -> str:
    """Return a message's text. The addresses of its preview and buttons are added unless the text contains them."""
    text, options = text_of(target), object_in(target, "link_preview_options")
    address = clean(options.get("url"), LONGEST_TEXT) if options.get("is_disabled") is not True else ""
    linked = (*addresses_in(text), *(one.url for one in entities_of(target)))
    is_news = address and address not in linked and address not in text
    leading = ((clean(one.get("text")), clean(one.get("url"), LONGEST_TEXT)) for one in _buttons(target))
    buttons = (f"{label}: {url}" for label, url in leading if label and url and url not in linked)
    return "\n".join(filter(None, (text, address if is_news else "", *buttons)))


def _formats(target: Json, text: str) -> tuple[Entity, ...]:
    """Return the entities that a quote keeps: links and formats that affect its meaning, if they lie within `text`."""
    length = len(text.encode("utf-16-le", "surrogatepass")) // 2
    found = entities_of(target, _MOST_ENTITY_BYTES)
    return tuple(one for one in found if one.type in _KEPT and one.end <= length)


def _of_external(external: Json, chosen: str, bot_id: int, here: object) -> QuotedMessage:
    """Return the quote of a message that is in another chat, or in another topic of this chat. `here` is the id of this
    chat. Telegram gives only the kind of such a message, and the part of its text that the person selected.
    """
    message_id, is_here = external.get("message_id"), is_id(here) and object_in(external, "chat").get("id") == here
    origin = external.get("origin")
    author = author_from_origin(origin, bot_id) if isinstance(origin, dict) else None
    options = object_in(external, "link_preview_options")
    told = (media_of(external), "" if options.get("is_disabled") is True else clean(options.get("url")))
    media = " ".join(filter(None, told))[:_LONGEST_MEDIA]
    return QuotedMessage(
        message_id=message_id if is_here and is_id(message_id) else 0,
        author=author,
        excerpt=(chosen or media)[:QUOTE_CHARACTERS],
        media=media if chosen else "",
        holds_outside=is_here and holds_outside(external, bot_id),
        media_refs=files_of(external),
    )


def is_told_apart(message: Json, bot_id: int) -> bool:
    """Return whether this is a notice by the agent to its owner that contains strangers' words or an invitation link.

    The conversation does not record such notices, so they are recognised by their protection from forwarding or by
    their buttons. A reply to such a notice must not bring the notice's words into the owner's conversation.
    """
    carried = (clean(one.get("callback_data")) for one in _buttons(message))
    is_own = object_in(message, "from").get("id") == bot_id
    is_told = message.get("has_protected_content") is True or any(read_button(one)[0] in SAID_APART for one in carried)
    return is_own and is_told


def _buttons(message: Json) -> Iterator[Json]:
    rows = object_in(message, "reply_markup").get("inline_keyboard")
    for row in rows if isinstance(rows, list) else ():
        yield from (one for one in row if isinstance(one, dict)) if isinstance(row, list) else ()


def _selected_part(message: Json, target: Json) -> str:
    """Return the part of the quoted message that the reply's author selected: some words, or an item of a list."""
    quote = message.get("quote")
    marked = clean(quote.get("text")) if isinstance(quote, dict) else ""
    return marked or next(_items(message, target), "")


def _items(message: Json, target: Json) -> Iterator[str]:
    for field, holder, items, name in _ITEMS:
        wanted, listed = message.get(field), object_in(target, holder).get(items)
        if wanted is not None and isinstance(listed, list):
            yield from (clean(one.get("text")) for one in listed if isinstance(one, dict) and one.get(name) == wanted)
