"""Text with its entities, and what can be told of it: the command that it starts with, whether it can be sent."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

#: core.telegram.org/bots/features#commands; a slash behind it makes it a path: /etc/passwd
_COMMAND = re.compile(r"/(\w{1,32})(?:@(\w{4,32}))?(?![\w/@])", re.ASCII)


class EntityType(StrEnum):
    """The kinds of message entity that markdown makes, under their Bot API names."""

    BOLD = "bold"
    ITALIC = "italic"
    STRIKETHROUGH = "strikethrough"
    CODE = "code"
    PRE = "pre"
    BLOCKQUOTE = "blockquote"
    TEXT_LINK = "text_link"


@dataclass(frozen=True)
class Entity:
    """A stretch of a text that looks or acts differently; `offset` and `length` are in UTF-16 units."""

    type: EntityType
    offset: int
    length: int
    #: of a text_link
    url: str = ""
    #: of a pre
    language: str = ""

    @property
    def end(self) -> int:
        """Where it ends, exclusive."""
        return self.offset + self.length

    def to_telegram(self) -> dict[str, str | int]:
        """It as a MessageEntity of the Bot API."""
        fields: dict[str, str | int] = {"type": self.type.value, "offset": self.offset, "length": self.length}
        if self.url:
            fields["url"] = self.url
        if self.language:
            fields["language"] = self.language
        return fields


@dataclass(frozen=True)
class FormattedText:
    """Plain text and its entities, in the order of their offsets, an outer one before what it holds."""

    text: str
    entities: tuple[Entity, ...] = ()


@dataclass(frozen=True)
class WrittenCommand:
    """A command as it was written: in small letters its name and the username it is for, if one is given; the rest."""

    name: str
    username: str = ""
    rest: str = ""


def command_in(text: str, entities: Iterable[Mapping[str, Any]]) -> WrittenCommand | None:
    """The command that a text starts with; none if Telegram sees none there, or if it is a path."""
    starts = any(e.get("type") == "bot_command" and e.get("offset") == 0 for e in entities)
    found = _COMMAND.match(text) if starts else None
    if found is None:
        return None
    return WrittenCommand(found[1].lower(), (found[2] or "").lower(), text[found.end() :])


def well_formed(text: str) -> str:
    """The text with surrogate pairs joined and each lone surrogate replaced by U+FFFD: UTF-8 cannot write them."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
