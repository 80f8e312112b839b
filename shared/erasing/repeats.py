"""What repeats somebody's words: texts of others that were made from what they said.

Only what was written after they said it can repeat it, and what somebody else said themselves is no repetition. So
nobody has what is known of others emptied by saying, or by calling themselves, what these contain, and being forgotten
then.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from typing import Final, TypeVar

from shared.erasing.names import Names
from shared.search.languages import SMALL_WORDS
from shared.search.terms import UNSPACED, is_unspaced, letter

#: a run of so many words in a row, with so many letters, is not said by chance, if so many of them are no small words
RUN: Final = 3
LEAST_LETTERS: Final = 12
LEAST_TELLING: Final = 2
#: of a script without spaces, a run of so many letters
RUN_OF_LETTERS: Final = 8
#: a single word of so many letters and digits, with a digit among them, is a number, a code or an address
LONG_TOKEN: Final = 8
#: words of a title, at most
LONGEST_TITLE: Final = 20
#: a shorter name is a letter
LEAST_NAME: Final = 2

#: Telegram's clock and lull's differ by less
SKEW: Final = timedelta(minutes=1)

T = TypeVar("T")


@dataclass
class Said:
    """What a person said, as runs of words, while it is erased; it is written nowhere."""

    #: run, or token → when it was said first
    _runs: dict[int, datetime] = field(default_factory=dict)
    _tokens: dict[str, datetime] = field(default_factory=dict)
    #: runs and tokens that others said themselves
    _of_others: set[int | str] = field(default_factory=set)
    #: whole text of some length → when it was said first
    _whole: dict[int, datetime] = field(default_factory=dict)
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
        self._note_whole(words, at)
        # what stands behind a command may be a title, and so may a whole short message
        for rest in (words, words[1:]):
            if 0 < len(rest) <= LONGEST_TITLE:
                self._short.add(" ".join(rest))

    def hear_alone(self, text: str, at: datetime) -> None:
        """Take in a text that they told nobody but an agent: found is who passes on the whole of it."""
        self._note_whole(_words(text), at)

    def _note_whole(self, words: Sequence[str], at: datetime) -> None:
        if any(True for _ in _runs_of(words)):
            _note_first(self._whole, [hash(tuple(words))], at)

    def hear_other(self, text: str) -> None:
        """Take in what somebody else said themselves: it is theirs, whoever said it first."""
        words = _words(text)
        self._of_others.update(_runs_of(words))
        self._of_others.update(word for word in words if _is_token(word))

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
            found = (self._runs.get(run) for run in _runs_of(words) if run not in self._of_others)
            tokens = (self._tokens.get(word) for word in words if word not in self._of_others)
            if any(_was_before(since, at) for since in (*found, *tokens)):
                return True
        return False

    def without_links(self, links: tuple[str, ...]) -> tuple[str, ...]:
        """Return the addresses that they did not bring; the same ones if they brought none."""
        return tuple(one for one in links if not self.has(one))

    def is_whole(self, text: str, at: datetime | None = None) -> bool:
        """Whether a text is all of something that they said, of some length, and that nobody else said themselves."""
        words = _words(text)
        is_others = all(run in self._of_others for run in _runs_of(words))
        return not is_others and _was_before(self._whole.get(hash(tuple(words))), at)

    def is_called(self, name: str, at: datetime | None = None) -> bool:
        """Whether this was their whole name when something was written."""
        wanted = plain_name(name)
        return any(plain_name(one) == wanted and _was_before(since, at) for one, since in self.names.items())

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


def plain_name(name: str) -> str:
    """Return a whole name as it is compared with others."""
    return " ".join(name.casefold().split())


def _words(text: str) -> Sequence[str]:
    return _pattern().findall(unicodedata.normalize("NFC", text).casefold())


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(rf"[{UNSPACED}]+|{letter()}+")


def _runs_of(words: Sequence[str]) -> Iterator[int]:
    for start in range(len(words) - RUN + 1):
        run = words[start : start + RUN]
        if sum(map(len, run)) >= LEAST_LETTERS and sum(word not in _small_words() for word in run) >= LEAST_TELLING:
            yield hash(tuple(run))
    for word in words:
        if is_unspaced(word):
            yield from (hash(word[start : start + RUN_OF_LETTERS]) for start in range(len(word) - RUN_OF_LETTERS + 1))


@cache
def _small_words() -> frozenset[str]:
    return frozenset(word for words in SMALL_WORDS.values() for word in words)


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
