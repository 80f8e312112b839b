"""What repeats somebody's words: texts of others that were made from what they said."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

#: a run of so many words in a row, with so many letters, is not said by chance
RUN: Final = 3
LEAST_LETTERS: Final = 12
#: a single word of so many letters and digits, with a digit among them, is a number, a code or an address
LONG_TOKEN: Final = 8
#: words of a title, at most
LONGEST_TITLE: Final = 20
#: a shorter name is a word that others use
LEAST_NAME: Final = 3

_WORD: Final = re.compile(r"\w+")


@dataclass
class Said:
    """What a person said, as runs of words, while it is erased; it is written nowhere."""

    _runs: set[int] = field(default_factory=set)
    _tokens: set[str] = field(default_factory=set)
    #: titles that they gave, and what they said of such length, to be found whole
    _short: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)

    def hear(self, text: str) -> None:
        """Take in one text of theirs."""
        words = _words(text)
        self._runs.update(_runs_of(words))
        self._tokens.update(filter(_is_token, words))
        # what stands behind a command may be a title, and so may a whole short message
        for rest in (words, words[1:]):
            if 0 < len(rest) <= LONGEST_TITLE:
                self._short.add(" ".join(rest))

    def called(self, *names: str) -> None:
        """Take in what they are called."""
        self.names.update(name for name in names if len(name) >= LEAST_NAME)

    def is_repeated_in(self, *texts: str) -> bool:
        """Whether one of the texts has some of their words in a row."""
        for text in texts:
            words = _words(text)
            if any(run in self._runs for run in _runs_of(words)) or any(word in self._tokens for word in words):
                return True
        return False

    def has(self, title: str) -> bool:
        """Whether a title is of their words: it repeats some, or is what they gave."""
        return self.is_repeated_in(title) or " ".join(_words(title)) in self._short

    def without_names(self, text: str, instead: str) -> str:
        """The text with what they are called replaced, wherever it stands as a word of its own."""
        found = sorted((name for name in self.names if name in text), key=len, reverse=True)
        for name in found:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", lambda _: instead, text)
        return text


def _words(text: str) -> Sequence[str]:
    return _WORD.findall(text.casefold())


def _runs_of(words: Sequence[str]) -> Iterator[int]:
    for start in range(len(words) - RUN + 1):
        run = words[start : start + RUN]
        if sum(map(len, run)) >= LEAST_LETTERS:
            yield hash(tuple(run))


def _is_token(word: str) -> bool:
    return len(word) >= LONG_TOKEN and any(c.isdigit() for c in word)


def texts_in(value: object) -> Iterable[str]:
    """Every text in a document or a raw update, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts_in(inner)
