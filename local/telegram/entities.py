"""Entities: formatted spans of a text, counted in UTF-16 units as in Telegram."""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from local.telegram.addresses import check_address
from local.telegram.errors import bad_request

# Kinds that Telegram detects itself, and ignores if a bot gives them.
FOUND_BY_TELEGRAM = frozenset({"mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number"})
STYLES = frozenset({"bold", "italic", "underline", "strikethrough", "spoiler", "blockquote", "expandable_blockquote"})
KINDS = FOUND_BY_TELEGRAM | STYLES | {"code", "pre", "text_link", "text_mention", "custom_emoji", "date_time"}


_NEEDED = {"text_link": "url", "text_mention": "user", "custom_emoji": "custom_emoji_id"}
# at most 19 digits, as in 64-bit integers
_NUMBER = re.compile(r"[0-9]{1,19}")


@dataclass(frozen=True, kw_only=True)
class LocalEntity:
    """One formatted span. Offset and length are in UTF-16 units; the other fields are those of the Bot API's
    MessageEntity.
    """

    type: str
    offset: int
    length: int
    url: str | None = None
    user_id: int | None = None
    language: str | None = None
    custom_emoji_id: str | None = None

    @property
    def end(self) -> int:
        """Return the end of the span, in UTF-16 units."""
        return self.offset + self.length


def utf16_length(text: str) -> int:
    """Return a text's length as Telegram counts it."""
    return len(text) + sum(character > "\uffff" for character in text)


def utf16_slice(text: str, offset: int, length: int) -> str:
    """Return the part of a text that an entity covers, without half surrogate pairs."""
    units = text.encode("utf-16-le")[offset * 2 : (offset + length) * 2]
    return units.decode("utf-16-le", errors="ignore")


def sort_entities(entities: Sequence[LocalEntity]) -> tuple[LocalEntity, ...]:
    """Return entities in Telegram's order: by offset, and at the same offset the longer entity first."""
    return tuple(sorted(entities, key=lambda entity: (entity.offset, -entity.length, entity.type)))


def parse_entities(raw: Sequence[Mapping[str, Any]], text: str) -> tuple[LocalEntity, ...]:
    """Parse the entities of a bot's call and check that they are within the text.

    Telegram refuses a span that starts or ends outside the text or inside a surrogate pair.
    """
    parsed = [_parse_entity(one) for one in raw]
    inside_pairs = _inside_pairs(text)
    for entity in parsed:
        _check_bounds(entity, text, inside_pairs)
    return sort_entities([one for one in parsed if one.length and one.type not in FOUND_BY_TELEGRAM])


def _check_bounds(entity: LocalEntity, text: str, inside_pairs: Mapping[int, int]) -> None:
    total, at = utf16_length(text), f"at UTF-16 offset {entity.offset}"
    if entity.offset < 0 or entity.length < 0:
        what = f"offset {entity.offset}" if entity.offset < 0 else f"length {entity.length}"
        raise bad_request(f"receive an entity with incorrect {what}")
    if entity.offset >= total and entity.length:
        raise bad_request(f"entity begins after the end of the text {at}")
    if entity.end > total:
        raise bad_request(f"entity beginning {at} ends after the end of the text at UTF-16 offset {entity.end}")
    middle = "in a middle of a UTF-16 symbol at byte offset"
    if entity.offset in inside_pairs:
        raise bad_request(f"entity begins {middle} {inside_pairs[entity.offset]}")
    if entity.end in inside_pairs:
        raise bad_request(f"entity beginning {at} ends {middle} {inside_pairs[entity.end]}")


def _parse_entity(raw: Mapping[str, Any]) -> LocalEntity:
    kind = raw["type"]
    if kind not in KINDS:
        raise bad_request("can't parse MessageEntity: Unsupported type specified")
    needed = _NEEDED.get(kind)
    if needed is not None and needed not in raw:
        raise bad_request(f"can't parse MessageEntity: Can't find field \"{needed}\"")
    if kind == "text_link":
        check_address("entity URL", raw["url"])
    if kind == "custom_emoji" and not _NUMBER.fullmatch(raw["custom_emoji_id"]):
        raise bad_request('can\'t parse MessageEntity: Field "custom_emoji_id" must be a valid Number')
    return LocalEntity(
        type=kind,
        offset=raw["offset"],
        length=raw["length"],
        url=raw.get("url"),
        user_id=raw["user"]["id"] if raw.get("user") else None,
        language=raw.get("language"),
        custom_emoji_id=raw.get("custom_emoji_id"),
    )


def _inside_pairs(text: str) -> dict[int, int]:
    """Return the UTF-16 offsets that are inside of surrogate pairs, each with the byte offset of the end of its
    character.
    """
    offsets: dict[int, int] = {}
    units = bytes_ = 0
    for character in text:
        units, bytes_ = units + 1, bytes_ + len(character.encode())
        if character > "\uffff":
            offsets[units] = bytes_
            units += 1
    return offsets


def without(text: str, entities: Sequence[LocalEntity], dropped: str) -> tuple[str, tuple[LocalEntity, ...]]:
    """Return the text without the characters in `dropped`, and the entities adjusted to the new text."""
    gone = [utf16_length(text[:at]) for at, character in enumerate(text) if character in dropped]
    moved = []
    for entity in entities:
        start, end = (offset - bisect_left(gone, offset) for offset in (entity.offset, entity.end))
        moved.append(replace(entity, offset=start, length=end - start))
    kept = "".join(character for character in text if character not in dropped)
    return kept, tuple(entity for entity in moved if entity.length)


def trim(text: str, entities: Sequence[LocalEntity]) -> tuple[str, tuple[LocalEntity, ...]]:
    """Return the text without white space at its ends, and the entities adjusted to the new text. Telegram trims every
    message in this way.
    """
    without_end = text.rstrip()
    kept = without_end.lstrip()
    start = utf16_length(without_end) - utf16_length(kept)
    end = start + utf16_length(kept)
    moved = []
    for entity in entities:
        left, right = max(entity.offset, start), min(entity.end, end)
        if left < right:
            moved.append(replace(entity, offset=left - start, length=right - left))
    return kept, sort_entities(moved)
