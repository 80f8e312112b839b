"""Text with entities, and checks of a text: its command, its length, and whether it can be sent."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from itertools import accumulate
from typing import Any, Final

#: the beginning of a service message about a pinned text
PINNED = "pinned a message"
#: a command (core.telegram.org/bots/features#commands); a text with a second slash is a path, such as /etc/passwd
_COMMAND = re.compile(r"/(\w{1,32})(?:@(\w{4,32}))?(?![\w/@])", re.ASCII)


class EntityType(StrEnum):
    """The kinds of message entity, under their Bot API names (core.telegram.org/bots/api#messageentity)."""

    MENTION = "mention"
    HASHTAG = "hashtag"
    CASHTAG = "cashtag"
    BOT_COMMAND = "bot_command"
    URL = "url"
    EMAIL = "email"
    PHONE_NUMBER = "phone_number"
    BOLD = "bold"
    ITALIC = "italic"
    UNDERLINE = "underline"
    STRIKETHROUGH = "strikethrough"
    SPOILER = "spoiler"
    BLOCKQUOTE = "blockquote"
    EXPANDABLE_BLOCKQUOTE = "expandable_blockquote"
    CODE = "code"
    PRE = "pre"
    TEXT_LINK = "text_link"
    TEXT_MENTION = "text_mention"
    CUSTOM_EMOJI = "custom_emoji"
    DATE_TIME = "date_time"


#: the offset of an entity whose place in the text is unknown
NOWHERE = -1


@dataclass(frozen=True)
class Entity:
    """A part of a text with formatting or a link; `offset` and `length` are in UTF-16 units."""

    #: the raw name of an unknown kind
    type: EntityType | str = ""
    offset: int = NOWHERE
    length: int = 0
    #: of a text_link
    url: str = ""
    #: of a pre
    language: str = ""
    #: of a text_mention; 0 if absent
    user_id: int = 0
    #: of a custom_emoji
    custom_emoji_id: str = ""
    #: of a date_time: seconds since 1970, and the format
    unix_time: int | None = None
    date_time_format: str = ""

    @property
    def end(self) -> int:
        """The position after the entity's last unit, in UTF-16 units."""
        return self.offset + self.length

    @property
    def in_utf16(self) -> slice:
        """The slice of the text's UTF-16 bytes that the entity covers (two bytes a unit); empty if it covers none."""
        is_placed = self.offset >= 0 and self.length > 0
        return slice(2 * self.offset, 2 * self.end) if is_placed else slice(0, 0)

    def text_in(self, text: str) -> str:
        """Return the part of the text that the entity covers."""
        return text.encode("utf-16-le", "surrogatepass")[self.in_utf16].decode("utf-16-le", "replace")

    def to_telegram(self) -> dict[str, Any]:
        """Return the entity as a MessageEntity of the Bot API, without empty fields. This is also the stored form."""
        told = {field.name: value for field in _FIELDS if (value := getattr(self, field.name)) != field.default}
        user = {"user": {"id": told.pop("user_id")}} if "user_id" in told else {}
        kind = {"type": str(self.type)} if self.type else {}
        return {**told, **kind, **user}


_FIELDS = fields(Entity)
_TEXTS = ("url", "language", "custom_emoji_id", "date_time_format")
#: longer texts in the fields of an entity are cut
LONGEST_FIELD = 32_768
_INT64 = range(-(2**63), 2**63)
#: the valid values of number fields: no text is longer than 31 bits can count
_NUMBERS = {"offset": range(2**31), "length": range(2**31), "unix_time": _INT64}


def entities_from(raw: object) -> tuple[Entity, ...]:
    """Return the entities of a list of MessageEntity objects. Anything malformed is left out."""
    each = raw if isinstance(raw, list | tuple) else ()
    return tuple(one if isinstance(one, Entity) else _entity(one) for one in each if isinstance(one, Entity | Mapping))


def _entity(raw: Mapping[str, Any]) -> Entity:
    """Return the entity of a MessageEntity. A field of a wrong type or range counts as missing."""
    kind, user = _text(raw.get("type")), raw.get("user")
    texts: dict[str, Any] = {name: _text(raw[name]) for name in _TEXTS if name in raw}
    numbers: dict[str, Any] = {name: raw[name] for name, allowed in _NUMBERS.items() if _is_in(allowed, raw.get(name))}
    if isinstance(user, Mapping) and _is_in(_INT64, user.get("id")):
        numbers["user_id"] = user["id"]
    return Entity(type=_KNOWN.get(kind, kind), **texts, **numbers)


_KNOWN: Mapping[str, EntityType] = {kind.value: kind for kind in EntityType}


def _text(value: object) -> str:
    return well_formed(value[:LONGEST_FIELD]) if isinstance(value, str) else ""


def _is_in(allowed: range, value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in allowed


def shift_entities(entities: Iterable[Entity], before: str) -> tuple[Entity, ...]:
    """Return the entities with offsets shifted by the length of `before`, a text that is put before their text."""
    units = utf16_length(before)
    return tuple(e if e.offset == NOWHERE else replace(e, offset=e.offset + units) for e in entities)


def utf16_length(text: str) -> int:
    """Return the length in UTF-16 units, which Telegram counts: two for characters beyond U+FFFF."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


@dataclass(frozen=True)
class FormattedText:
    """Plain text and its entities, sorted by offset. An entity comes before those inside it."""

    text: str
    entities: tuple[Entity, ...] = ()
    #: the address of the page that Telegram fetches for the preview; "": no preview
    preview: str = ""
    #: whether Telegram prevents people from forwarding the text and from replying to it in another chat
    is_protected: bool = False

    def plain(self, most: int) -> "FormattedText":
        """Return the text without entities.

        Each link's address follows the link, if the result has at most `most` units.
        """
        units = self.text.encode("utf-16-le", "surrogatepass")
        for entity in sorted(self.entities, key=lambda one: one.end, reverse=True):
            covered = entity.text_in(self.text)
            if (
                entity.type is EntityType.TEXT_LINK
                and entity.url.startswith("http")
                and covered not in ("", entity.url)
            ):
                at = entity.in_utf16.stop
                units = units[:at] + f" ({entity.url})".encode("utf-16-le", "surrogatepass") + units[at:]
        text = units.decode("utf-16-le", "surrogatepass") if len(units) <= 2 * most else self.text
        return replace(self, text=text, entities=(), preview="")


@dataclass(frozen=True)
class WrittenCommand:
    """A command as somebody wrote it: its name and the bot's username in lower case, and the rest of the text."""

    name: str
    username: str = ""
    rest: str = ""


def starts_with_command(entities: Iterable[Entity]) -> bool:
    """Return whether Telegram marks a command at the start of the text."""
    return any(e.type == EntityType.BOT_COMMAND and e.offset == 0 for e in entities)


def command_in(text: str, entities: Iterable[Entity]) -> WrittenCommand | None:
    """Return the command at the start of a text; None if there is none, or if it is a path such as /usr/bin."""
    match = _COMMAND.match(text) if starts_with_command(entities) else None
    if match is None:
        return None
    return WrittenCommand(match[1].lower(), (match[2] or "").lower(), text[match.end() :])


def abridge(text: str, most: int) -> str:
    """Return the text; if it is longer than `most` characters, it is cut, and an ellipsis is its last character."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def fit_line(text: str, most: int) -> str:
    """Return the text, cut with an ellipsis to the width of `most` lower-case letters.

    The width is an estimate: a full-width character or an emoji counts as two letters, a capital as one and a half, and
    a combining character as none.
    """
    widths = list(accumulate(map(_width, text)))
    if not widths or widths[-1] <= most:
        return text
    return f"{text[: bisect_right(widths, most - 1)].rstrip()}…"


def _width(character: str) -> float:
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0.0
    if unicodedata.east_asian_width(character) in {"W", "F"}:
        return 2.0
    return 1.5 if character.isupper() else 1.0


#: characters that take space and show nothing: Hangul fillers, an empty braille cell, the object replacement character,
#: and the code points that Unicode reserves for invisible characters
_EMPTY: Final = re.compile("[\u115f\u1160\u2065\u2800\u3164\uffa0\ufff0-\ufff8\ufffc\U0001d159\U000e0000-\U000e0fff]")
#: format characters that are visible: signs around a number
_SEEN_FORMATS: Final = re.compile("[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd]")
#: controls, formats, marks that need a letter, and white space
_UNSEEN: Final = frozenset({"Cc", "Cf", "Mn", "Me", "Mc", "Zs", "Zl", "Zp"})


def is_blank(text: str) -> bool:
    """Return whether a text has no visible character. Telegram refuses such texts, or shows them as empty bubbles."""
    return all(map(_is_unseen, text))


def _is_unseen(letter: str) -> bool:
    if _EMPTY.match(letter):
        return True
    return unicodedata.category(letter) in _UNSEEN and not _SEEN_FORMATS.match(letter)


def well_formed(text: str) -> str:
    """Return the text in a form that can be written as UTF-8: surrogate pairs are joined, lone ones become U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def level(lengths: Sequence[int], budget: int) -> int:
    """Return the length to which longer texts must be cut so that all texts together stay within `budget`."""
    left = budget
    ordered = sorted(lengths)
    for number, length in enumerate(ordered):
        fair = left // (len(ordered) - number)
        if length > fair:
            return max(0, fair)
        left -= length
    return max(ordered, default=0)
