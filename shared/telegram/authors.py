"""Who wrote: from Telegram's user, or the chat that speaks in its own name."""

from shared.models.message import Author
from shared.models.update import InboxUpdate, Json
from shared.telegram.envelope import is_id
from shared.telegram.text import clean

#: of a language, with its script and region
LONGEST_TAG = 35


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
        name=_name(user) or "someone",
        username=clean(user.get("username")),
        is_bot=user.get("is_bot") is True,
        is_agent=user_id == bot_id,
    )


def language_of(update: InboxUpdate) -> str:
    """The language of the app of whoever caused an update, as an IETF tag; empty: Telegram does not say."""
    subject = update.raw.get(update.envelope.kind)
    user = subject.get("from") if isinstance(subject, dict) else None
    return clean(user.get("language_code"))[:LONGEST_TAG] if isinstance(user, dict) else ""


def author_from_chat(chat: Json) -> Author:
    """A chat that speaks in its own name; a private one by its person's."""
    chat_id = chat.get("id")
    return Author(
        id=chat_id if is_id(chat_id) else 0,
        name=clean(chat.get("title")) or _name(chat) or "someone",
        username=clean(chat.get("username")),
    )


def _name(found: Json) -> str:
    return " ".join(part for part in (clean(found.get("first_name")), clean(found.get("last_name"))) if part)
