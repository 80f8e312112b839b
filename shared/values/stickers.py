"""Sticker sets, as Telegram tells of them, and the names of emoji."""

import unicodedata
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


class StickerRequest(NamedTuple):
    """The sticker that a task is to send: the name of its set, and its own there."""

    set_name: str
    name: str


#: what joins the parts of an emoji, and what chooses how it is drawn
_JOINING = frozenset("\u200d\ufe0e\ufe0f")
#: what Unicode calls otherwise than people do
_SPOKEN = {
    "\u20e3": "keycap",
    "\U0001f3fb": "light skin tone",
    "\U0001f3fc": "medium-light skin tone",
    "\U0001f3fd": "medium skin tone",
    "\U0001f3fe": "medium-dark skin tone",
    "\U0001f3ff": "dark skin tone",
}
#: of an emoji, in code points: the longest have ten, beside what joins them
_LONGEST_EMOJI = 24


def emoji_name(emoji: str) -> str:
    """Return the names of all its code points; of a flag the letters of its country: "flag DE", "flag GB-SCT"."""
    letters = "".join(map(_flag_letter, emoji[:_LONGEST_EMOJI]))
    if letters and emoji[:1] == "\N{WAVING BLACK FLAG}":
        return f"flag {letters[:2]}-{letters[2:]}"
    if letters:
        return f"flag {letters}"
    parts = (one for one in emoji[:_LONGEST_EMOJI] if one not in _JOINING)
    return ", ".join(filter(None, (_SPOKEN.get(one) or unicodedata.name(one, "").lower() for one in parts)))


def _flag_letter(character: str) -> str:
    """The capital letter that a regional indicator or a tag stands for; empty for anything else."""
    firsts = ("\U0001f1e6", "\U000e0061")
    places = [ord(character) - ord(first) for first in firsts]
    return next((chr(ord("A") + place) for place in places if 0 <= place < 26), "")
