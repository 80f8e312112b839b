"""Sticker sets, as Telegram tells of them."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

#: makes a character a picture; people and models write an emoji with it or without
_AS_EMOJI = "\N{VARIATION SELECTOR-16}"


def plain_emoji(text: str) -> str:
    """An emoji, or a sticker's name, in the one form in which it is compared."""
    return " ".join(text.replace(_AS_EMOJI, "").split())


@dataclass(frozen=True)
class SetSticker:
    """A sticker of a set: under which id this bot sends it, by which id every bot knows it, and its emoji."""

    file_id: str
    unique_id: str
    emoji: str


@dataclass(frozen=True)
class StickerSet:
    """A set, with its stickers in their order."""

    name: str
    title: str
    stickers: tuple[SetSticker, ...] = ()

    @cached_property
    def by_name(self) -> dict[str, SetSticker]:
        """Its stickers by name: the emoji, and from the second of the same emoji on a number behind it ("😂 2")."""
        named: dict[str, SetSticker] = {}
        count: dict[str, int] = {}
        for sticker in self.stickers:
            emoji = plain_emoji(sticker.emoji)
            count[emoji] = count.get(emoji, 0) + 1
            named[emoji if count[emoji] == 1 else f"{emoji} {count[emoji]}"] = sticker
        return named

    def find(self, name: str) -> SetSticker | None:
        """The sticker of that name, however its emoji is spelled."""
        return self.by_name.get(plain_emoji(name))


class WantedSticker(NamedTuple):
    """The sticker that a task is to send: the name of its set, and its own there."""

    set_name: str
    name: str
