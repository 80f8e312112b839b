"""Headers of the `meta` and `full` formats: `[meta]` and fields, ids first. A full one tells everything each time."""

import json
from collections.abc import Iterable, Iterator
from datetime import tzinfo
from functools import lru_cache

from shared.models.chat import ChatKey, ChatKind
from shared.models.message import Author, Message, Quote
from shared.prompting.escaping import clean_name, quoted
from shared.prompting.known import Known, iso_time

#: as much of a quoted message as a header shows
QUOTED_CHARACTERS = 160
#: as much of one that is shown above, where its id finds it
SHOWN_CHARACTERS = 24


def full_header(message: Message, key: ChatKey, zone: tzinfo) -> str:
    """All fields: ids first, then who, then what it replies to, then when."""
    ids = (f"[meta] chat_id={key.chat_id}{_topic(key)}", *_message_id(message), f"user_id={message.author.id}")
    who = (*_who(message.author), *_origin("forwarded_from", message.forwarded_from))
    reply = _reply(message.reply) if message.reply is not None else ()
    return " ".join((*ids, *who, *reply, f"time={iso_time(message.at, zone)}"))


def meta_header(message: Message, known: Known, zone: tzinfo) -> str:
    """The fields that are not known yet. From then on they are."""
    is_new = known.meet(message.author)
    name, is_clear = known.name_of(message.author)
    ids = ("[meta]", *_message_id(message), *(() if is_clear and not is_new else (f"user_id={message.author.id}",)))
    who = _who(message.author) if is_new else (f"name={_named(name)}",)
    forwarded = _origin("forwarded_from", message.forwarded_from)
    reply = _reply_known(message.reply, known) if message.reply is not None else ()
    return " ".join((*ids, *who, *forwarded, *reply, f"time={known.time_of(message.at, zone)}"))


def place_header(key: ChatKey, kind: ChatKind) -> str:
    """The header of a whole conversation: where all of it was said."""
    return f"[meta] chat_id={key.chat_id} chat_type={kind.value}{_topic(key)}"


def sent_header(message_ids: Iterable[int]) -> str:
    """The header that follows the agent's own words, and tells which messages they became."""
    return " ".join(("[meta]", *(f"sent_message_id={message_id}" for message_id in message_ids)))


def _topic(key: ChatKey) -> str:
    return f" thread_id={key.topic_id}" if key.topic_id else ""


def _message_id(message: Message) -> Iterator[str]:
    """A negative id is of before the group became a supergroup: there it means another message now."""
    if message.message_id > 0:
        yield f"message_id={message.message_id}"


def _who(author: Author) -> Iterator[str]:
    yield f"name={_named(author.name)}"
    if author.username:
        yield f"username={_named(author.username)}"


def _reply_known(reply: Quote, known: Known) -> Iterator[str]:
    """A message that is shown above is named, and quoted no further than it takes to recognise it."""
    if known.holds(reply):
        yield f"reply_to_message_id={reply.message_id}"
        yield f"reply_excerpt={quoted(reply.excerpt, SHOWN_CHARACTERS)}"
    else:
        yield from _reply(reply)


def _reply(reply: Quote) -> Iterator[str]:
    if reply.message_id > 0:
        yield f"reply_to_message_id={reply.message_id}"
    elif not reply.message_id:
        yield "reply_to_other_chat=true"
    yield from _origin("reply_to", reply.author)
    yield from _origin("reply_forwarded_from", reply.forwarded_from)
    if reply.excerpt:
        yield f"reply_excerpt={quoted(reply.excerpt, QUOTED_CHARACTERS)}"


def _origin(name: str, author: Author | None) -> Iterator[str]:
    """Fields that say whose words these are. The agent and those who hide their account have no id there."""
    if author is None:
        return
    if author.id and not author.is_agent:
        yield f"{name}_user_id={author.id}"
    yield f"{name}_name={_named(author.name)}"


@lru_cache(maxsize=4096)
def _named(name: str) -> str:
    return json.dumps(clean_name(name), ensure_ascii=False)
