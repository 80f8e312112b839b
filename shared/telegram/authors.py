"""Whose words a message carries: its author's, those that it forwards, and those that it replies to."""

from shared.models.button_data import SAID_APART, read_button
from shared.models.message import EXCERPT_CHARACTERS, Author, Quote
from shared.models.update import Json
from shared.telegram.content import media_of
from shared.telegram.envelope import is_id, object_in
from shared.telegram.media import files_of
from shared.telegram.outside import holds_outside
from shared.telegram.text import LONGEST_NAME, clean, name_of, text_of

#: where a MessageOrigin names its chat (core.telegram.org/bots/api#messageorigin)
_CHATS = ("sender_chat", "chat")


def author_of(message: Json, bot_id: int) -> Author:
    """The author of a message; `bot_id` is the agent's own."""
    speaker = message.get("sender_chat")
    if isinstance(speaker, dict):
        return author_from_chat(speaker)
    user = message.get("from")
    if isinstance(user, dict):
        return author_from_user(user, bot_id)
    chat = message.get("chat")
    return author_from_chat(chat if isinstance(chat, dict) else {})


def author_from_user(user: Json, bot_id: int) -> Author:
    """A person or a bot."""
    user_id = user.get("id")
    return Author(
        id=user_id if is_id(user_id) else 0,
        name=name_of(user) or "someone",
        username=clean(user.get("username"), LONGEST_NAME),
        is_bot=user.get("is_bot") is True,
        is_agent=user_id == bot_id,
    )


def author_from_chat(chat: Json) -> Author:
    """A chat that speaks in its own name; a private one by its person's."""
    chat_id = chat.get("id")
    return Author(
        id=chat_id if is_id(chat_id) else 0,
        name=name_of(chat) or "someone",
        username=clean(chat.get("username"), LONGEST_NAME),
    )


def forwarded_from(message: Json, bot_id: int) -> Author | None:
    """Who first wrote what a message forwards; none if it forwards nothing."""
    origin = message.get("forward_origin")
    return _origin(origin, bot_id) if isinstance(origin, dict) else None


def quote_of(message: Json, bot_id: int) -> Quote | None:
    """What a message replies to, here or elsewhere; none if it is no reply."""
    target = message.get("reply_to_message")
    if isinstance(target, dict) and "forum_topic_created" not in target:
        return _of_message(target, _chosen(message), bot_id)
    external, story = message.get("external_reply"), message.get("reply_to_story")
    if isinstance(external, dict):
        origin = external.get("origin")
        author = _origin(origin, bot_id) if isinstance(origin, dict) else None
        return _elsewhere(author, _chosen(message) or media_of(external))
    if isinstance(story, dict):
        chat = story.get("chat")
        return _elsewhere(author_from_chat(chat) if isinstance(chat, dict) else None, "a story")
    return None  # or a message of a topic, all of which point at the topic's first: that is no reply


def _of_message(target: Json, chosen: str, bot_id: int) -> Quote | None:
    message_id = target.get("message_id")
    if not is_id(message_id):
        return None
    excerpt = "" if tells_apart(target, bot_id) else chosen or text_of(target) or media_of(target)
    return Quote(
        message_id=message_id,
        author=author_of(target, bot_id),
        forwarded_from=forwarded_from(target, bot_id),
        excerpt=excerpt[:EXCERPT_CHARACTERS],
        holds_outside=holds_outside(target, bot_id),
        media_refs=files_of(target),
    )


def tells_apart(message: Json, bot_id: int) -> bool:
    """Whether the agent tells its owner in it what strangers wrote, or an invitation's link, of which no entry is made.

    It is protected, or its last part has buttons that tell. Nothing of it may come back into the owner's conversation
    by a reply.
    """
    rows = object_in(message, "reply_markup").get("inline_keyboard")
    buttons = (one for row in rows if isinstance(row, list) for one in row) if isinstance(rows, list) else ()
    carried = (clean(one.get("callback_data")) for one in buttons if isinstance(one, dict))
    is_own = object_in(message, "from").get("id") == bot_id
    is_told = message.get("has_protected_content") is True or any(read_button(one)[0] in SAID_APART for one in carried)
    return is_own and is_told


def _elsewhere(author: Author | None, excerpt: str) -> Quote:
    return Quote(message_id=0, author=author, excerpt=excerpt[:EXCERPT_CHARACTERS])


def _chosen(message: Json) -> str:
    """The part of what is replied to that the author marked."""
    quote = message.get("quote")
    return clean(quote.get("text")) if isinstance(quote, dict) else ""


def _origin(origin: Json, bot_id: int) -> Author:
    """The author by a MessageOrigin; of a kind that is not known yet, someone."""
    user = origin.get("sender_user")
    if isinstance(user, dict):
        return author_from_user(user, bot_id)
    chat = next((value for name in _CHATS if isinstance(value := origin.get(name), dict)), None)
    if chat is None:
        return Author(id=0, name=clean(origin.get("sender_user_name"), LONGEST_NAME) or "someone")
    author, signed = author_from_chat(chat), clean(origin.get("author_signature"), LONGEST_NAME)
    return author.model_copy(update={"name": f"{author.name} ({signed})"}) if signed else author
