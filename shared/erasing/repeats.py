"""What repeats somebody's words: texts of others that were made from what they said.

Only what was written after they said it can repeat it. So nobody has old answers to others emptied by saying, or by
calling themselves, what these contain, and being forgotten then.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, TypeVar

from shared.erasing.names import Names

#: a run of so many words in a row, with so many letters, is not said by chance
RUN: Final = 3
LEAST_LETTERS: Final = 12
#: a single word of so many letters and digits, with a digit among them, is a number, a code or an address
LONG_TOKEN: Final = 8
#: words of a title, at most
LONGEST_TITLE: Final = 20
#: a shorter name is a letter
LEAST_NAME: Final = 2

#: Telegram's clock and lull's differ by less
SKEW: Final = timedelta(minutes=1)

T = TypeVar("T")

_WORD: Final = re.compile(r"\w+")


@dataclass
class Said:
    """What a person said, as runs of words, while it is erased; it is written nowhere."""

    #: run, or token → when it was said first
    _runs: dict[int, datetime] = field(default_factory=dict)
    _tokens: dict[str, datetime] = field(default_factory=dict)
    #: titles that they gave, and what they said of such length, to be found whole
    _short: set[str] = field(default_factory=set)
    #: name → when they were seen with it first
    names: dict[str, datetime] = field(default_factory=dict)
    #: what others are called where is looked now
    others: frozenset[str] = frozenset()
    _matcher: Names | None = None

    def hear(self, text: str, at: datetime) -> None:
        """Take in one text of theirs, and when it was said."""
        words = _words(text)
        _note_first(self._runs, _runs_of(words), at)
        _note_first(self._tokens, filter(_is_token, words), at)
        # what stands behind a command may be a title, and so may a whole short message
        for rest in (words, words[1:]):
            if 0 < len(rest) <= LONGEST_TITLE:
                self._short.add(" ".join(rest))

    def called(self, *names: str, at: datetime) -> None:
        """Take in what they were called at a moment."""
        new = [name for name in names if len(name) >= LEAST_NAME]
        if not self.names.keys() >= set(new):
            self._matcher = None
        _note_first(self.names, new, at)

    def among(self, others: Collection[str]) -> None:
        """Take in what others are called where is looked now: they keep their names."""
        if self.others != others:
            self.others, self._matcher = frozenset(others), None

    def is_repeated_in(self, *texts: str, at: datetime | None = None) -> bool:
        """Whether one of the texts has some of their words in a row; `at`: when it was written, if that is known."""
        for text in texts:
            words = _words(text)
            found = (self._runs.get(run) for run in _runs_of(words))
            tokens = (self._tokens.get(word) for word in words)
            if any(_was_before(since, at) for since in (*found, *tokens)):
                return True
        return False

    def has(self, title: str) -> bool:
        """Whether a title is of their words: it repeats some, or is what they gave."""
        return self.is_repeated_in(title) or " ".join(_words(title)) in self._short

    def without_names(self, text: str, instead: str, at: datetime | None = None) -> str:
        """The text with what they were called before it was written replaced, in part and in any form."""
        known = {name for name, since in self.names.items() if _was_before(since, at)}
        if not known or not text:
            return text
        if self._matcher is None:
            self._matcher = Names(self.names, self.others)
        return self._matcher.without(text, instead, known)


def _note_first(known: dict[T, datetime], found: Iterable[T], at: datetime) -> None:
    for one in found:
        known[one] = min(at, known.get(one, at))


def _was_before(since: datetime | None, at: datetime | None) -> bool:
    """Whether what was said at a moment can be repeated by what was written at another."""
    return since is not None and (at is None or since <= at + SKEW)


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
