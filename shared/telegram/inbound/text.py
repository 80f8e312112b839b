"""The text of a raw message with its entities, without characters that Firestore or JSON cannot store."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from shared.base.text import Entity, EntityType, FormattedText, entities_from, utf16_length, well_formed
from shared.values.update import Json

#: the maximum characters of a text: far more than Telegram's 4,096, and far less than a document can hold
LONGEST_TEXT = 32_768
#: the maximum number of entities: Telegram allows a message 100 (limits.tginfo.me), and a rich message more
MOST_ENTITIES = 100
MOST_RICH_ENTITIES = 400
#: the maximum bytes of a message's entities, such as links; further entities are left out, so that the message fits
#: into a document
MOST_ENTITY_BYTES = 65_536
#: the maximum characters of the name of a person, a group or a topic; Telegram allows 128 (limits.tginfo.me)
LONGEST_NAME = 256
#: the maximum characters of an id that is a text
LONGEST_ID = 512


def clean(text: object, most: int = LONGEST_TEXT) -> str:
    """Return a text with lone surrogates replaced, cut to `most` characters; "" if the value is not a text."""
    return well_formed(text[:most]) if isinstance(text, str) else ""


def text_of(message: Json) -> str:
    """Return the text of a message, its caption, or the words of a rich message."""
    return clean(message.get("text")) or clean(message.get("caption")) or clean(rich_text(message.get("rich_message")))


def entities_of(message: Json, most_bytes: int = MOST_ENTITY_BYTES) -> tuple[Entity, ...]:
    """Return the entities of a message's text, up to `most_bytes`.

    Mentions and commands inside code are left out. A link to an account becomes a mention.
    """
    entities = message.get("entities") or message.get("caption_entities")
    found = entities_from(entities[:MOST_ENTITIES]) if isinstance(entities, list) else ()
    if not entities and "rich_message" in message:
        found = format_rich_text(message["rich_message"]).entities[:MOST_RICH_ENTITIES]
    code = [one for one in found if one.type in _CODE]
    kept = tuple(_mentioning(one) for one in found if not (one.type in _NAMING and _is_within(one, code)))
    sizes = accumulate(map(_bytes_of, kept))
    return tuple(one for one, size in zip(kept, sizes, strict=True) if size <= most_bytes)


_CODE = frozenset({EntityType.CODE, EntityType.PRE})
_NAMING = frozenset({EntityType.MENTION, EntityType.TEXT_MENTION, EntityType.BOT_COMMAND, EntityType.TEXT_LINK})
_ACCOUNT = re.compile(r"tg://(?:user/?\?id|openmessage/?\?user_id)=(\d{1,15})", re.IGNORECASE | re.ASCII)


def _is_within(entity: Entity, code: Iterable[Entity]) -> bool:
    return any(one.offset <= entity.offset and entity.end <= one.end for one in code)


def _mentioning(entity: Entity) -> Entity:
    account = _ACCOUNT.fullmatch(entity.url.strip()) if entity.type is EntityType.TEXT_LINK else None
    return entity if account is None else replace(entity, type=EntityType.TEXT_MENTION, url="", user_id=int(account[1]))


def _bytes_of(entity: Entity) -> int:
    texts = (entity.type, entity.url, entity.language, entity.custom_emoji_id, entity.date_time_format)
    return sum(len(one.encode()) for one in texts)


def name_of(who: Json) -> str:
    """Return the title of a chat, or a person's first and last name; "" if there is none."""
    names = (clean(who.get(name), LONGEST_NAME // 2) for name in ("first_name", "last_name"))
    return clean(who.get("title"), LONGEST_NAME) or " ".join(name for name in names if name)


#: the fields of a block that contain words, in reading order (core.telegram.org/bots/api#richmessage)
PARTS = (
    "label", "summary", "text", "alternative_text", "expression", "blocks", "items", "cells", "location", "caption",
    "credit",
)  # fmt: skip
#: the deepest nesting that is read
DEEPEST = 40
#: blocks that contain a file, and for each, the field that an ordinary message has for the same file
FILES: Mapping[str, str] = {one: one for one in ("animation", "audio", "photo", "video")} | {"voice_note": "voice"}
MOST_FILES = 10
#: formats whose entity has a different name
_FORMATS: Mapping[str, str] = {
    "heading": EntityType.BOLD, "pullquote": EntityType.BLOCKQUOTE, "email_address": EntityType.EMAIL,
    "url": EntityType.TEXT_LINK,
}  # fmt: skip
#: the characters written before superscripts and subscripts, so that 10⁶ does not become 106
_RAISED: Mapping[str, str] = {"superscript": "^", "subscript": "_"}
#: formats that have their target in a field of their own, and the prefix of that target
_LEADS: Mapping[str, str] = {"url": "", "email_address": "mailto:", "phone_number": "tel:"}


def rich_text(value: object) -> str:
    """Return the words of a rich message, each block on its own lines; "" if there are none."""
    return format_rich_text(value).text


def files_in(value: object, deepest: int = DEEPEST) -> Iterator[Json]:
    """Yield the files of a rich message in order, each in the form of a message that contains only this file."""
    if isinstance(value, list):
        for one in value if deepest > 0 else ():
            yield from files_in(one, deepest - 1)
    elif isinstance(value, dict):
        kind = value.get("type")
        if isinstance(kind, str) and kind in FILES and kind in value:
            yield {FILES[kind]: value[kind], "has_media_spoiler": value.get("has_spoiler")}
        for name in ("blocks", "items"):
            yield from files_in(value.get(name), deepest - 1)


def format_rich_text(value: object, deepest: int = DEEPEST) -> FormattedText:
    """Convert a rich text, a block or a whole rich message to text with entities."""
    if isinstance(value, str):
        return FormattedText(value)
    if isinstance(value, list):
        return _join([format_rich_text(part, deepest - 1) for part in value] if deepest > 0 else [])
    if not isinstance(value, dict) or deepest <= 0:
        return FormattedText("")
    words = _join([_part(name, value[name], deepest - 1) for name in PARTS if name in value], "\n")
    sign = _RAISED.get(clean(value.get("type")), "") if words.text else ""
    before, behind = (f"{sign}(", ")") if sign and len(words.text) > 1 else (sign, "")
    return _with_format(value, _join([FormattedText(before), words, FormattedText(behind)]))


def _part(name: str, value: object, deepest: int) -> FormattedText:
    if name == "location" and isinstance(value, dict):
        return FormattedText(f"(a map: {value.get('latitude')}, {value.get('longitude')})")
    if not isinstance(value, list) or name not in {"cells", "blocks", "items"}:
        return format_rich_text(value, deepest)
    each = {"cells": _row, "items": _item, "blocks": format_rich_text}[name]
    return _join([each(one, deepest - 1) for one in value], "\n")


def _row(value: object, deepest: int) -> FormattedText:
    cells = [format_rich_text(cell, deepest) for cell in value] if isinstance(value, list) else []
    return _join([part for cell in cells for part in (FormattedText(" | "), cell)][1:])


def _item(value: object, deepest: int) -> FormattedText:
    """Return a list item with its label and tick. All lines but the first are indented."""
    if not isinstance(value, dict):
        return format_rich_text(value, deepest)
    tick = ("[x] " if value.get("is_checked") is True else "[ ] ") if value.get("has_checkbox") is True else ""
    label = f"{clean(value.get('label')) or '-'} {tick}"
    content = _part("blocks", value.get("blocks"), deepest)
    lines = content.text.split("\n")
    entities = tuple(_indent(one, lines) for one in content.entities)
    below = FormattedText("\n  ".join(lines), entities)
    return _join([FormattedText(label if content.text else label.rstrip()), below])


def _indent(entity: Entity, lines: Sequence[str]) -> Entity:
    """Return an entity of an item's text, moved to make room for two spaces before each line but the first."""
    ends = [*accumulate(utf16_length(line) + 1 for line in lines)][:-1]
    begin, end = (sum(at <= place for at in ends) for place in (entity.offset, entity.end - 1))
    return replace(entity, offset=entity.offset + 2 * begin, length=entity.length + 2 * (end - begin))


def _with_format(value: Json, words: FormattedText) -> FormattedText:
    """Return the words of a formatted part, with an entity for its format that covers all of them."""
    kind, length = clean(value.get("type"), LONGEST_NAME), utf16_length(words.text)
    if kind == "mention":
        words, length = _as_mention(words, clean(value.get("username"), LONGEST_NAME).removeprefix("@"))
    told: Json = {**value, "type": _FORMATS.get(kind, kind), "offset": utf16_length(words.text) - length}
    led = clean(value.get(kind)) if kind in _LEADS else ""
    if led == words.text:
        told["type"] = {"url": EntityType.URL}.get(kind, told["type"])
    elif led:
        told |= {"type": EntityType.TEXT_LINK, "url": f"{_LEADS[kind]}{led}"}
    (entity,) = entities_from([{**told, "length": length}])
    if not isinstance(entity.type, EntityType) or not length:
        return words
    inner = () if entity.type in _CODE else words.entities
    return FormattedText(words.text, (entity, *inner))


def _as_mention(words: FormattedText, username: str) -> tuple[FormattedText, int]:
    """Return a link's words, followed by the account's username unless they are the same; and the mention's length."""
    if not username or words.text.removeprefix("@").casefold() == username.casefold():
        return words, utf16_length(words.text)
    return replace(words, text=f"{words.text} @{username}"), len(username) + 1


def _join(parts: Iterable[FormattedText], between: str = "") -> FormattedText:
    """Join the parts. If `between` is not empty, empty parts are left out."""
    texts: list[str] = []
    entities: list[Entity] = []
    length, gap = 0, utf16_length(between)
    for part in parts:
        if not part.text:
            continue
        length += gap if texts else 0
        entities += (one if not length else replace(one, offset=one.offset + length) for one in part.entities)
        texts.append(part.text)
        length += utf16_length(part.text)
    return FormattedText(between.join(texts), tuple(entities))
