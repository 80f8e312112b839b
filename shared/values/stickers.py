"""Sticker sets and the names of emoji."""

import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

#: the selector for a character's coloured form; people and models write emoji with or without it
_AS_EMOJI = "\N{VARIATION SELECTOR-16}"


def plain_emoji(text: str) -> str:
    """Return an emoji or a sticker's name in normalized form: without variation selectors and superfluous spaces."""
    return " ".join(text.replace(_AS_EMOJI, "").split())


@dataclass(frozen=True)
class SetSticker:
    """A sticker of a set: the file id for this bot, the id that is the same for every bot, and its emoji."""

    file_id: str
    unique_id: str
    emoji: str


@dataclass(frozen=True)
class StickerSet:
    """A sticker set: its name, its title for people, and its stickers in Telegram's order."""

    name: str
    title: str
    stickers: tuple[SetSticker, ...] = ()

    @cached_property
    def by_name(self) -> dict[str, SetSticker]:
        """The stickers by name.

        The name is the emoji; if several stickers have the same emoji, a number follows it from the second on ("😂 2").
        """
        named: dict[str, SetSticker] = {}
        count: dict[str, int] = {}
        for sticker in self.stickers:
            emoji = plain_emoji(sticker.emoji)
            count[emoji] = count.get(emoji, 0) + 1
            named[emoji if count[emoji] == 1 else f"{emoji} {count[emoji]}"] = sticker
        return named

    def find(self, name: str) -> SetSticker | None:
        """Return the sticker of that name, or None. The emoji may be written with or without variation selectors."""
        return self.by_name.get(plain_emoji(name))


class StickerRequest(NamedTuple):
    """The sticker that a task is to send: the name of its set, and its name in the set."""

    set_name: str
    name: str


#: characters that join the parts of an emoji, or choose its form
_JOINING = frozenset("\u200d\ufe0e\ufe0f")
#: names that differ from Unicode's
_SPOKEN = {
    "\u20e3": "keycap",
    "\U0001f3fb": "light skin tone",
    "\U0001f3fc": "medium-light skin tone",
    "\U0001f3fd": "medium skin tone",
    "\U0001f3fe": "medium-dark skin tone",
    "\U0001f3ff": "dark skin tone",
}
#: code points of an emoji; the longest have ten, besides joiners
_LONGEST_EMOJI = 24


def emoji_name(emoji: str) -> str:
    """Return the names of an emoji's code points; for a flag, the letters of the country: "flag DE", "flag GB-SCT"."""
    letters = "".join(map(_flag_letter, emoji[:_LONGEST_EMOJI]))
    if letters and emoji[:1] == "\N{WAVING BLACK FLAG}":
        return f"flag {letters[:2]}-{letters[2:]}"
    if letters:
        return f"flag {letters}"
    parts = (one for one in emoji[:_LONGEST_EMOJI] if one not in _JOINING)
    return ", ".join(filter(None, (_SPOKEN.get(one) or unicodedata.name(one, "").lower() for one in parts)))


def _flag_letter(character: str) -> str:
    """Return the capital letter for a regional indicator or a tag, else ""."""
    firsts = ("\U0001f1e6", "\U000e0061")
    places = [ord(character) - ord(first) for first in firsts]
    return next((chr(ord("A") + place) for place in places if 0 <= place < 26), "")
