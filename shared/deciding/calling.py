"""Whether a text calls somebody by name: the name as a word of its own, not as a part of another."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from shared.deciding.scripts import ends_at, folded, is_of_word, starts_at

#: what sets a name that is called apart from what is said to it
_PAUSE = re.compile(r"\s*(?:[,;:!?،؛؟、，。！？：…—–]|\.(?!\w)|- |$)")


def names_one(text: str, names: Iterable[str]) -> bool:
    """Whether a folded text has one of the names in it, as a word."""
    return any(True for name in names for _ in _places(text, _folded_name(name)))


def calls_one(text: str, names: Iterable[str]) -> bool:
    """Whether a folded text calls one of the names: it starts or ends with it, set apart from the rest by a pause."""
    return any(_is_apart(text, *place) for name in names for place in _places(text, _folded_name(name)))


@lru_cache(maxsize=1024)
def _folded_name(name: str) -> str:
    return folded(name)


def _is_apart(text: str, start: int, end: int) -> bool:
    if not any(map(is_of_word, text[:start])):
        return _PAUSE.match(text, end) is not None
    return not any(map(is_of_word, text[end:])) and re.search(r"[,;،؛、，]\s*$", text[:start]) is not None


def _places(text: str, name: str) -> Iterator[tuple[int, int]]:
    start = text.find(name) if name else -1
    while start >= 0:
        end = start + len(name)
        if starts_at(text, start) and ends_at(text, end):
            yield start, end
        start = text.find(name, start + 1)
