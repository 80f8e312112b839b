"""Messages as the model reads them, in two formats. What people write cannot pass for a header of either format."""

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from functools import lru_cache

from shared.models.agent import Codec
from shared.models.chat import ChatKey
from shared.models.message import Author, Message
from shared.models.prompt_format import PromptFormat
from shared.prompting.escaping import bracketed, clean_name, escaped, quoted
from shared.prompting.history import HistoryMessage

#: as much of a quoted message as a header shows
QUOTED_CHARACTERS = 160
#: in the compact format a reply to one of the last few messages needs no quote: the arrow says to whom
NEAR_MESSAGES = 8
NEAR_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Written:
    """A message written for the model: who and when, and what was said."""

    header: str
    body: str

    @property
    def length(self) -> int:
        """Characters, with those that join and end the two."""
        return len(self.header) + len(self.body) + 2

    def shortened(self, longest_body: int) -> "Written":
        """The same with a body of at most so many characters."""
        return self if len(self.body) <= longest_body else replace(self, body=shortened(self.body, longest_body))


@dataclass(frozen=True, kw_only=True)
class Style:
    """How a conversation is written: the format, the chat, the time zone of its times, and the codec of its plans.

    No text is longer than `longest` characters.
    """

    format: PromptFormat
    key: ChatKey
    zone: tzinfo = UTC
    codec: Codec = Codec.JSON
    longest: int = 100_000

    def written(self, said: HistoryMessage) -> Written:
        """One person's message."""
        if self.format is PromptFormat.COMPACT:
            return Written(compact_header(said.message), indented(f"{_near_quote(said.message)}{body_of(said)}"))
        return Written(meta_header(said.message, self.key, self.zone), body_of(said))

    def parts(self, written: Written) -> tuple[str, ...]:
        """The texts of a message in a turn."""
        if self.format is PromptFormat.COMPACT:
            return (f"{written.header} {written.body}".rstrip(),)
        return (written.header, written.body) if written.body else (written.header,)


def meta_header(message: Message, key: ChatKey, zone: tzinfo = UTC) -> str:
    """The header part: ids first, then who, then what it replies to, then when."""
    topic = f" thread_id={key.topic_id}" if key.topic_id else ""
    # a negative id is of before the group became a supergroup: there it means another message now
    own = f" message_id={message.message_id}" if message.message_id > 0 else ""
    ids = f"[meta] chat_id={key.chat_id}{topic}{own} user_id={message.author.id}"
    username = f" username={_named(message.author.username)}" if message.author.username else ""
    who = f"name={_named(message.author.name)}{username}{_origin_fields('forwarded_from', message.forwarded_from)}"
    return f"{ids} {who}{_reply_fields(message)} time={iso_time(message.at, zone)}"


def _reply_fields(message: Message) -> str:
    reply = message.reply
    if reply is None:
        return ""
    fields = f" reply_to_message_id={reply.message_id}" if reply.message_id > 0 else ""
    fields = fields if reply.message_id else " reply_to_other_chat=true"
    fields += _origin_fields("reply_to", reply.author) + _origin_fields("reply_forwarded_from", reply.forwarded_from)
    return fields + (f" reply_excerpt={quoted(reply.excerpt, QUOTED_CHARACTERS)}" if reply.excerpt else "")


def _origin_fields(name: str, author: Author | None) -> str:
    """Fields that say whose words these are. The agent and those who hide their account have no id there."""
    if author is None:
        return ""
    user_id = f" {name}_user_id={author.id}" if author.id and not author.is_agent else ""
    return f"{user_id} {name}_name={_named(author.name)}"


@lru_cache(maxsize=4096)
def _named(name: str) -> str:
    return json.dumps(clean_name(name), ensure_ascii=False)


def iso_time(at: datetime, zone: tzinfo, timespec: str = "minutes") -> str:
    """A time in ISO 8601 with its zone's offset; `Z` in UTC."""
    return at.astimezone(zone).isoformat(timespec=timespec).replace("+00:00", "Z")


def compact_header(message: Message) -> str:
    """`Ann#123456 → Bob#654321:`, or `Ann#123456 forwards Cy#345678:`."""
    target = message.reply.author if message.reply is not None else None
    arrow = f" → {short_name(target)}" if target is not None else ""
    origin = message.forwarded_from
    forwards = f" forwards {short_name(origin)}" if origin is not None else ""
    return f"{short_name(message.author)}{forwards}{arrow}:"


def _near_quote(message: Message) -> str:
    """What a reply quotes, unless that stands a few lines above.

    Only the ids tell the distance, so a message reads the same however much of the conversation is shown.
    """
    reply = message.reply
    if reply is None or not reply.excerpt:
        return ""
    if reply.message_id and abs(message.message_id) - abs(reply.message_id) <= NEAR_MESSAGES:
        return ""
    words = f"{short_name(reply.forwarded_from)}'s words " if reply.forwarded_from is not None else ""
    where = "" if reply.message_id else ", in another chat,"
    return f"[quoting{where} {words}{quoted(reply.excerpt, NEAR_CHARACTERS)}] "


def short_name(author: Author) -> str:
    """The name with the last six digits of the id; the agent's own name alone."""
    return clean_name(author.name) if author.is_agent else f"{clean_name(author.name)}#{abs(author.id) % 1_000_000:06d}"


def body_of(said: HistoryMessage) -> str:
    """What was said: the media in brackets, the text, and whether it was edited or reacted to."""
    if said.message.is_service:
        return f"[event: {bracketed(said.text)}]"
    media = f"[media: {bracketed(said.media)}]" if said.media else ""
    text = "\n".join(part for part in (media, escaped(said.text)) if part)
    edited = " [edited]" if said.is_edited else ""
    reactions = f" [reactions: {'; '.join(said.reactions)}]" if said.reactions else ""
    return f"{text}{edited}{reactions}"


def event_line(note: str) -> str:
    """An event as one line in a user's turn."""
    return f"[event: {bracketed(note)}]"


def indented(text: str) -> str:
    """The text with all lines but the first indented, so that none can pass for the beginning of something else."""
    return text.replace("\n", "\n  ")


def shortened(text: str, longest: int) -> str:
    """The text, with its middle cut out if it is longer than so many characters (at least 60)."""
    if len(text) <= longest:
        return text
    mark = f" [cut: {len(text):,} characters, its middle left out] "
    kept = max(0, longest - len(mark))
    return text[: kept - kept // 2].rstrip() + mark + (text[-(kept // 2) :].lstrip() if kept > 1 else "")
