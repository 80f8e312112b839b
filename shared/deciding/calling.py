"""Whether a text calls somebody by name: the name as a word of its own, not as a part of another."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from shared.deciding.scripts import ends_at, folded, starts_at

#: what sets a name that is called apart from what is then said to it
_COMMA = re.compile(r"\s*(?:[,;:!،؛、，！：…—–]|- )")
_PAUSE = re.compile(rf"{_COMMA.pattern}|\s*(?:[?؟。？]|\.(?!\w)|$)")
#: what goes on from a name to a question mark without a pause; not from one that a particle makes part of the sentence
_QUESTION = re.compile(r"(?![はがのをにともへで은는이가도의을를'’])[^,;:.!?،؛؟、，：？…—–。।]+[?؟？]")
#: what a name is called with
_TITLE = re.compile("さん|ちゃん|くん|さま|先生|様|君|氏|님|씨|아|야|")
_WORD = re.compile(r"\w")
#: what ends a sentence
FULL_STOPS = ".!?…؟۔।。"
#: words; no greeting before a name is longer: "good morning Bob, …"
LONGEST_GREETING = 2


def names_one(text: str, names: Iterable[str]) -> bool:
    """Whether a folded text has one of the names in it, as a word."""
    return any(True for name in names for _ in _places(text, _folded_name(name)))


def calls_one(text: str, names: Iterable[str]) -> bool:
    """Whether a folded text calls one of the names: set apart by a pause at its start or end, or behind a greeting.

    A greeting is as little as one or two words, of any language: `ask Bob, he knows` is taken for a call too.
    """
    return any(_is_apart(text, *place) for name in names for place in _places(text, _folded_name(name)))


@lru_cache(maxsize=1024)
def _folded_name(name: str) -> str:
    return folded(name)


def asks_one(text: str, names: Iterable[str]) -> bool:
    """Whether a folded text ends with one of the names and a question mark: `is that so lull?` It may be of it too."""
    places = (place for name in names for place in _places(text, _folded_name(name)))
    return any("?" in text[end:] and not _WORD.search(text, end) for _, end in places)


def _is_apart(text: str, start: int, end: int) -> bool:
    title = _TITLE.match(text, end)
    end = title.end() if title else end
    if not _WORD.search(text, 0, start) and _PAUSE.match(text, end):
        return True
    if not _WORD.search(text, end) and re.search(r"[,;،؛、，]\s*$", text[:start]):
        return True
    return _begins_what_is_said(text[max(text.rfind(stop, 0, start) for stop in FULL_STOPS) + 1 : start], text, end)


def _begins_what_is_said(before: str, text: str, end: int) -> bool:
    """Whether a name begins a question, or has at most a greeting before it in its sentence and a pause behind it."""
    if not _WORD.search(before) and _QUESTION.match(text, end):
        return True
    is_greeting = len(before.split(maxsplit=LONGEST_GREETING)) <= LONGEST_GREETING
    return is_greeting and _COMMA.match(text, end) is not None


def _places(text: str, name: str) -> Iterator[tuple[int, int]]:
    start = text.find(name) if name else -1
    while start >= 0:
        end = start + len(name)
        if starts_at(text, start) and ends_at(text, end):
            yield start, end
        start = text.find(name, start + 1)
