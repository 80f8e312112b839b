"""What a raw message says, as it may be stored: its text with the entities, without what Firestore and JSON refuse."""

from collections.abc import Sequence
from itertools import accumulate

from shared.models.text import Entity, entities_from, well_formed
from shared.models.update import Json

#: far above Telegram's 4,096 characters, and far below what a document holds
LONGEST_TEXT = 32_768
#: Telegram gives a message at most 100 (limits.tginfo.me)
MOST_ENTITIES = 100
#: bytes of the links and the like in the entities of one message: further entities are left out, so that the message
#: fits into a document
MOST_ENTITY_BYTES = 65_536
#: of a person's, a group's or a topic's name in characters: Telegram allows 128 (limits.tginfo.me)
LONGEST_NAME = 256
#: of an id that Telegram spells in letters
LONGEST_ID = 512


def clean(text: object, most: int = LONGEST_TEXT) -> str:
    """The text with lone surrogates replaced, cut at `most` characters; empty for what is no text."""
    return well_formed(text[:most]) if isinstance(text, str) else ""


def text_of(message: Json) -> str:
    """What a message says, or its caption, or the words of a rich message."""
    return clean(message.get("text")) or clean(message.get("caption")) or clean(rich_text(message.get("rich_message")))


def entities_of(message: Json, most_bytes: int = MOST_ENTITY_BYTES) -> tuple[Entity, ...]:
    """The entities of a message's text, or of its caption, as long as their links and the like are not too many."""
    entities = message.get("entities") or message.get("caption_entities")
    found = entities_from(entities[:MOST_ENTITIES]) if isinstance(entities, list) else ()
    sizes = accumulate(map(_bytes_of, found))
    return tuple(one for one, size in zip(found, sizes, strict=True) if size <= most_bytes)


def _bytes_of(entity: Entity) -> int:
    texts = (entity.type, entity.url, entity.language, entity.custom_emoji_id, entity.date_time_format)
    return sum(len(one.encode()) for one in texts)


def name_of(who: Json) -> str:
    """What a chat or a person is called; empty if nothing is told of it."""
    names = (clean(who.get(name), LONGEST_NAME // 2) for name in ("first_name", "last_name"))
    return clean(who.get("title"), LONGEST_NAME) or " ".join(name for name in names if name)


#: where words stand in blocks and in what they hold, in the order in which they are read
#: (core.telegram.org/bots/api#richmessage)
PARTS = ("label", "summary", "text", "alternative_text", "expression", "blocks", "items", "cells", "caption", "credit")
#: as deep as anybody nests what they write
DEEPEST = 40


def rich_text(value: object, deepest: int = DEEPEST) -> str:
    """The words, each block on lines of its own; empty where there are none. Pictures and formats are left out."""
    if isinstance(value, str):
        return value
    if deepest <= 0:
        return ""
    if isinstance(value, list):
        return "".join(rich_text(part, deepest - 1) for part in value)
    if not isinstance(value, dict):
        return ""
    return _lines([_part(name, value[name], deepest - 1) for name in PARTS if name in value])


def _part(name: str, value: object, deepest: int) -> str:
    if name == "cells" and isinstance(value, list):
        return _lines([_row(row, deepest - 1) for row in value])
    if name in {"blocks", "items"} and isinstance(value, list):
        return _lines([rich_text(block, deepest - 1) for block in value])
    return rich_text(value, deepest)


def _row(value: object, deepest: int) -> str:
    return " | ".join(rich_text(cell, deepest) for cell in value) if isinstance(value, list) else ""


def _lines(texts: Sequence[str]) -> str:
    return "\n".join(text for text in texts if text)
