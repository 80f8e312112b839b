"""Messages as the model reads them, in two formats. What people write cannot pass for a header of either."""

import json
import re
import unicodedata

from shared.models.chat import ChatKey
from shared.models.message import Author, Message
from shared.models.prompt import PromptFormat

#: what nobody sees: soft hyphens, joiners, directions, variation selectors
_UNSEEN = r"[\s\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]*"
#: words that have a meaning in a prompt; in people's texts they are written differently
_WORDS = "|".join(_UNSEEN.join(word) for word in ("meta", "respond"))
_MARKERS = re.compile(rf"[\[［](?={_UNSEEN}(?:{_WORDS})\b)", re.IGNORECASE)
_HEADER_SIGNS = re.compile(r"[\[\]#:→=\"＃：［］＝]")
LONGEST_NAME = 64


def message_parts(message: Message, key: ChatKey, prompt_format: PromptFormat) -> tuple[str, ...]:
    """The parts of one person's message."""
    if prompt_format is PromptFormat.COMPACT:
        return (compact_line(message),)
    body = body_of(message)
    return (meta_header(message, key), body) if body else (meta_header(message, key),)


def meta_header(message: Message, key: ChatKey) -> str:
    """The header part: ids first, then who, then what it replies to."""
    fields: dict[str, str | int] = {"chat_id": key.chat_id}
    if key.topic_id:
        fields["thread_id"] = key.topic_id
    fields |= {"message_id": message.message_id, "user_id": message.author.id, "name": clean_name(message.author.name)}
    if message.author.username:
        fields["username"] = clean_name(message.author.username)
    if message.reply is not None:
        fields["reply_to_message_id"] = message.reply.message_id
        if message.reply.author is not None:
            fields["reply_to_name"] = clean_name(message.reply.author.name)
        if message.reply.excerpt:
            fields["reply_excerpt"] = " ".join(escaped(message.reply.excerpt).split())
    fields["time"] = f"{message.at:%Y-%m-%dT%H:%MZ}"
    return " ".join(["[meta]", *(f"{name}={_quoted(value)}" for name, value in fields.items())])


def _quoted(value: str | int) -> str:
    return str(value) if isinstance(value, int) else json.dumps(value, ensure_ascii=False)


def compact_line(message: Message) -> str:
    """`Ann#123456 → Bob#654321: text`; further lines are indented, so that none can pass for a message."""
    target = message.reply.author if message.reply is not None else None
    arrow = f" → {short_name(target)}" if target is not None else ""
    body = body_of(message).replace("\n", "\n  ")
    return f"{short_name(message.author)}{arrow}: {body}"


def short_name(author: Author) -> str:
    """The name with the last six digits of the id; the agent's own name alone."""
    return clean_name(author.name) if author.is_agent else f"{clean_name(author.name)}#{abs(author.id) % 1_000_000:06d}"


def body_of(message: Message) -> str:
    """What was said: the text, and in brackets what came with it."""
    media = f"[{escaped(message.media)}]" if message.media else ""
    return "\n".join(part for part in (media, escaped(message.text)) if part)


def escaped(text: str) -> str:
    """The text with lull's markers made harmless."""
    return _MARKERS.sub("(", "\n".join(text.splitlines()))


def clean_name(name: str) -> str:
    """A name on one line, without what has a meaning in a header."""
    seen = (
        " " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in name if unicodedata.category(c) != "Cf"
    )
    return " ".join(_HEADER_SIGNS.sub(" ", "".join(seen)).split())[:LONGEST_NAME].rstrip() or "someone"
