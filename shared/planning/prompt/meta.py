"""Headers of the META and FULL formats: `[meta]` and fields, ids first. A FULL header always has all fields.

A META header leaves out what the reader knows: people who were introduced, messages shown above, the day. What
is above the first shown line counts as unknown, so headers change only if the first shown line changes.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, tzinfo
from functools import lru_cache

from shared.planning.prompt.escaping import clean_name, look_alike_key, quote_text
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.message import EXCERPT_CHARACTERS, Author, Message, QuotedMessage

#: the id that stands for the agent
_AGENT = 0


@dataclass(slots=True)
class PromptKnowledge:
    """The facts that a prompt's reader knows at some line: the people introduced and the messages shown up to there."""

    #: the agent's name
    own_name: str = ""
    #: the name and username with which each person was last introduced, by the person's id
    _people: dict[int, tuple[str, str]] = field(default_factory=dict)
    #: the ids of the people with each name, as readers see names: for whole names, and for their first words
    _names: dict[str, set[int]] = field(default_factory=dict)
    #: the beginning of each shown message, as much of it as replies quote, by the message's id
    _begins: dict[int, str] = field(default_factory=dict)
    _day: tuple[date, timedelta | None] | None = None

    def __post_init__(self) -> None:
        """Reserve the agent's name, so that nobody else is called by that name alone."""
        if self.own_name:
            self._names[look_alike_key(self.own_name)] = {_AGENT}

    def meet(self, author: Author) -> bool:
        """Return whether an author must be introduced: the author is new, or has a new name.

        After this call the author counts as introduced. People without an id are introduced every time.
        """
        called = (author.name, author.username)
        if author.id and self._people.get(author.id) == called:
            return False
        self._people[author.id] = called
        name = clean_name(author.name)
        for one in (name, _first_word(name)):
            self._names.setdefault(look_alike_key(one), set()).add(author.id)
        return True

    def name_of(self, author: Author) -> tuple[str, bool]:
        """Return the shortest name for this person, and whether it is unique. If not, the header needs the id too."""
        name = clean_name(author.name)
        for one in (_first_word(name), name):
            if author.id and self._names.get(look_alike_key(one)) == {author.id}:
                return one, True
        return name, False

    def show(self, message_id: int, text: str) -> None:
        """Record that a message with this text is shown."""
        if message_id > 0:
            self._begins[message_id] = text[:EXCERPT_CHARACTERS].strip()

    def hide(self, message_id: int) -> None:
        """Record that a message is shown only in part, so that a reply to the message still needs a quote."""
        self._begins.pop(message_id, None)

    def shows(self, message_id: int, text: str) -> bool:
        """Return whether a message with this text is shown above."""
        return bool(text) and self._begins.get(message_id) == text[:EXCERPT_CHARACTERS].strip()

    def holds(self, reply: QuotedMessage) -> bool:
        """Return whether the quoted message is completely shown above, and the reply is to the whole message."""
        return not reply.around and self.shows(reply.message_id, reply.excerpt)

    def time_of(self, at: datetime, zone: tzinfo) -> str:
        """Return the time: hours and minutes, preceded by the date and followed by the offset if either has changed."""
        local = at.astimezone(zone)
        day = (local.date(), local.utcoffset())
        if day == self._day:
            return f"{local.hour:02}:{local.minute:02}"
        self._day = day
        return iso_time(at, zone)


def iso_time(at: datetime, zone: tzinfo, timespec: str = "minutes") -> str:
    """Return a time in ISO 8601 with the offset of its zone; for UTC the offset is `Z`."""
    return at.astimezone(zone).isoformat(timespec=timespec).replace("+00:00", "Z")


def _first_word(name: str) -> str:
    return name.partition(" ")[0]


#: the maximum characters of a quote in a header
QUOTED_CHARACTERS = 160
#: the maximum characters of such a quote if the quoted message is shown above
SHOWN_CHARACTERS = 24


def full_header(message: Message, key: ChatKey, zone: tzinfo, excerpt: int = QUOTED_CHARACTERS) -> str:
    """Return a header with all fields: ids, people, the reply with `excerpt` characters of its quote, and the time."""
    ids = (f"[meta] chat_id={key.chat_id}{_topic(key)}", *_message_id(message), f"user_id={message.author.id}")
    who = (*_who(message.author), *_origin("forwarded_from", message.forwarded_from))
    reply = _reply(message.reply, excerpt) if message.reply is not None else ()
    return " ".join((*ids, *who, *reply, f"time={iso_time(message.at, zone)}"))


def meta_header(message: Message, known: PromptKnowledge, zone: tzinfo, excerpt: int = QUOTED_CHARACTERS) -> str:
    """Return a header with the fields that the reader does not know yet; from then on, the reader knows them."""
    is_new = known.meet(message.author)
    name, is_clear = known.name_of(message.author)
    ids = ("[meta]", *_message_id(message), *(() if is_clear and not is_new else (f"user_id={message.author.id}",)))
    who = _who(message.author) if is_new else (f"name={_json_name(name)}",)
    forwarded = _origin("forwarded_from", message.forwarded_from)
    reply = _reply_known(message.reply, known, excerpt) if message.reply is not None else ()
    return " ".join((*ids, *who, *forwarded, *reply, f"time={known.time_of(message.at, zone)}"))


def place_header(key: ChatKey, kind: ChatKind) -> str:
    """Return the header of a whole conversation, which names the chat."""
    return f"[meta] chat_id={key.chat_id} chat_type={kind.value}{_topic(key)}"


def sent_header(message_ids: Iterable[int]) -> str:
    """Return the header that follows the agent's own words: the ids of the messages in which these words were sent."""
    return " ".join(("[meta]", *(f"sent_message_id={message_id}" for message_id in message_ids)))


def _topic(key: ChatKey) -> str:
    return f" thread_id={key.topic_id}" if key.topic_id > 0 else ""


def _message_id(message: Message) -> Iterator[str]:
    """Yield the field with the message id, unless it is a negative id from before the group was a supergroup."""
    if message.message_id > 0:
        yield f"message_id={message.message_id}"


def _who(author: Author) -> Iterator[str]:
    yield f"name={_json_name(author.name)}"
    if author.username:
        yield f"username={_json_name(author.username)}"


def _reply_known(reply: QuotedMessage, known: PromptKnowledge, excerpt: int) -> Iterator[str]:
    """Yield the fields of a reply. If the quoted message is shown above, only its beginning is quoted."""
    if known.holds(reply):
        yield f"reply_to_message_id={reply.message_id}"
        yield f"reply_excerpt={quote_text(reply.excerpt, SHOWN_CHARACTERS)}"
    else:
        yield from _reply(reply, excerpt)


def _reply(reply: QuotedMessage, excerpt: int) -> Iterator[str]:
    if reply.message_id > 0:
        yield f"reply_to_message_id={reply.message_id}"
    elif not reply.message_id:
        yield "reply_to_other_chat=true"
    yield from _origin("reply_to", reply.author)
    yield from _origin("reply_forwarded_from", reply.forwarded_from)
    if reply.excerpt and excerpt:
        yield f"reply_excerpt={quote_text(reply.excerpt, excerpt)}"


def _origin(name: str, author: Author | None) -> Iterator[str]:
    """Yield fields for the author of a text. The agent, and people whose id Telegram hides, have no id."""
    if author is None:
        return
    if author.id and not author.is_agent:
        yield f"{name}_user_id={author.id}"
    yield f"{name}_name={_json_name(author.name)}"


@lru_cache(maxsize=4096)
def _json_name(name: str) -> str:
    return json.dumps(clean_name(name), ensure_ascii=False)
