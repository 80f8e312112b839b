"""Titles and topics: when a conversation gets a title, and what of the model's answer can be one."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from shared.models.notes import Notes
from shared.models.text import abridged
from shared.prompting.escaping import one_line

#: the turn at which a conversation gets its first title, and the turns after which it may get another
FIRST_TITLE_TURN: Final = 5
TURNS_BETWEEN_TITLES: Final = 10
LONGEST_TITLE: Final = 80
FEWEST_WORDS, MOST_WORDS = 2, 6
MOST_TOPICS: Final = 5
LONGEST_TOPIC: Final = 40
#: what a model puts around a title
_AROUND: Final = " \t\"'`*_#“”„«»‘’.:;,!"
#: scripts without spaces between words: Thai, Lao, Burmese, Khmer, kana, Han (Unicode's blocks)
_UNSPACED: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


def is_title_due(notes: Notes) -> bool:
    """Whether a conversation is to get a title: the first at its fifth turn, another ten turns later.

    Never where a person gave it one.
    """
    if notes.manually_named or notes.turns < FIRST_TITLE_TURN:
        return False
    return not notes.title or notes.turns - notes.titled_turn >= TURNS_BETWEEN_TITLES


def title_in(text: object) -> str:
    """The title in a reply: two to six words on one line, 80 characters at most; empty if there is none in it."""
    words = one_line(text).strip(_AROUND).split() if isinstance(text, str) else []
    title = abridged(" ".join(words[:MOST_WORDS]).strip(_AROUND), LONGEST_TITLE)
    return title if len(words) >= FEWEST_WORDS or _UNSPACED.search(title) else ""


def topics_in(given: object) -> tuple[str, ...]:
    """The topics in a reply, each once, in kebab case."""
    texts = [one for one in given if isinstance(one, str)] if isinstance(given, list) else []
    return tuple(dict.fromkeys(filter(None, map(_kebab, texts))))[:MOST_TOPICS]


def _kebab(text: str) -> str:
    """`Trip to Lviv` as `trip-to-lviv`."""
    words = "".join(_letter(c) for c in unicodedata.normalize("NFC", text.casefold())).split()
    kept = list(_that_fit(words))
    return "-".join(kept)


def _letter(c: str) -> str:
    return c if unicodedata.category(c)[0] in {"L", "M", "N"} else " "


def _that_fit(words: Iterable[str]) -> Iterable[str]:
    left = LONGEST_TOPIC
    for word in words:
        left -= len(word) + 1
        if left < -1:
            return
        yield word
