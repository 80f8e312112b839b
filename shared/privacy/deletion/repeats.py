"""What repeats somebody's words: texts of others that were made from what they said.

Only what was written after they said it can repeat it, and what somebody else said themselves is no repetition. So
nobody has what is known of others emptied by saying, or by calling themselves, what these contain, and being forgotten
then.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, TypeVar

from shared.privacy.deletion.letters import key_of
from shared.privacy.deletion.name_parts import PersonName
from shared.privacy.deletion.names import NameMatcher
from shared.privacy.deletion.text_groups import groups_of
from shared.privacy.deletion.word_runs import runs_of, tokens_of, words_beside_links, words_in

#: what may be a word that others know
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
#: words of a title, at most
LONGEST_TITLE: Final = 20
#: a shorter name is a letter
LEAST_NAME: Final = 2

#: Telegram's clock and lull's differ by less
SKEW: Final = timedelta(minutes=1)

T = TypeVar("T")


@dataclass
class PersonWords:
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
    #: word in lower case, of others or of an agent → when it was written first
    _words: dict[int, datetime] = field(default_factory=dict)
    #: the same of others, whose titles these are then
    _short_of_others: set[int] = field(default_factory=set)
    #: their id, which agents write as well; 0: none
    person: int = 0
    #: what others are called where is looked now
    others: frozenset[str] = frozenset()
    #: the language that is mostly spoken there; empty: it is not known
    language: str = ""
    _matcher: NameMatcher | None = None

    def hear(self, text: str, at: datetime) -> None:
        """Take in one text of theirs, and when it was said."""
        words = words_in(text)
        _note_first(self._runs, runs_of(words_beside_links(text)), at)
        _note_first(self._tokens, tokens_of(text, words), at)
        self._note_whole(text, at)
        self._short.update(_short_of(words))

    def hear_alone(self, text: str, at: datetime) -> None:
        """Take in a text that they told nobody but an agent: found is who passes on the whole of it."""
        self._note_whole(text, at)

    def _note_whole(self, text: str, at: datetime) -> None:
        words = words_beside_links(text)
        if any(True for _ in runs_of(words)):
            _note_first(self._whole, [hash(tuple(words))], at)

    def hear_other(self, text: str) -> None:
        """Take in what somebody else said themselves: it is theirs, whoever said it first."""
        words = words_in(text)
        self._of_others.update(runs_of(words_beside_links(text)))
        self._of_others.update(tokens_of(text, words))
        self._short_of_others.update(map(hash, _short_of(words)))

    def hear_words(self, text: str, at: datetime) -> None:
        """Take in a text of somebody else, or of an agent: what was a word before they were so called is no name."""
        _note_first(self._words, (hash(key_of(one)) for one in set(_WORD.findall(text)) if one.islower()), at)

    def called(self, *names: str, at: datetime) -> None:
        """Take in what they were called at a moment."""
        new = [name for name in names if len(name) >= LEAST_NAME or (name and not name.isalnum())]
        if not self.names.keys() >= set(new):
            self._matcher = None
        _note_first(self.names, new, at)

    def settle(self) -> None:
        """Take in that everything was heard."""
        self._matcher = None

    def _common(self) -> Collection[str]:
        """What of their names were words that others wrote before they had them."""
        parts = ((part.key, since - SKEW) for name, since in self.names.items() for part in PersonName(name).parts)
        return frozenset(key for key, since in parts if self._words.get(hash(key), since) < since)

    def among(self, others: Collection[str], language: str = "") -> None:
        """Take in what others are called where is looked now, who keep their names, and what is spoken there."""
        self.language = language
        if self.others != others:
            self.others, self._matcher = frozenset(others), None

    def is_repeated_in(self, *texts: str, at: datetime | None = None) -> bool:
        """Whether one of the texts has some of their words in a row; `at`: when it was written, if that is known."""
        for text in texts:
            words = words_in(text)
            runs = runs_of(words_beside_links(text))
            found = (self._runs.get(run) for run in runs if run not in self._of_others)
            tokens = (self._tokens.get(one) for one in tokens_of(text, words) if one not in self._of_others)
            if any(_was_before(since, at) for since in (*found, *tokens)):
                return True
        return False

    def without_links(self, links: tuple[str, ...]) -> tuple[str, ...]:
        """Return the addresses that they did not bring; the same ones if they brought none."""
        return tuple(one for one in links if not self.has(one))

    def is_whole(self, text: str, at: datetime | None = None) -> bool:
        """Whether a text is all of something that they said, of some length, and that nobody else said themselves."""
        words = words_beside_links(text)
        is_others = all(run in self._of_others for run in runs_of(words))
        return not is_others and _was_before(self._whole.get(hash(tuple(words))), at)

    def is_called(self, name: str, at: datetime | None = None) -> bool:
        """Whether this was their whole name when something was written."""
        wanted = plain_name(name)
        return any(plain_name(one) == wanted and _was_before(since, at) for one, since in self.names.items())

    def has(self, title: str) -> bool:
        """Whether a title is of their words: it repeats some, or is what they gave, and nobody else."""
        whole = " ".join(words_in(title))
        return self.is_repeated_in(title) or (whole in self._short and hash(whole) not in self._short_of_others)

    def without_names(self, text: str, instead: str, at: datetime | None = None) -> str:
        """The text with what they were called before it was written replaced, in part and in any form; and their id."""
        if self.person and str(self.person) in text:
            text = re.sub(rf"(?<![\w-]){self.person}(?!\w)", instead, text)
        known = {name for name, since in self.names.items() if _was_before(since, at)}
        if not known or not text:
            return text
        if self._matcher is None:
            self._matcher = NameMatcher(self.names, self.others, self._common())
        return self._matcher.without(text, instead, known, groups_of(self.language))


def _note_first(known: dict[T, datetime], found: Iterable[T], at: datetime) -> None:
    for one in found:
        known[one] = min(at, known.get(one, at))


def _was_before(since: datetime | None, at: datetime | None) -> bool:
    """Whether what was said at a moment can be repeated by what was written at another."""
    return since is not None and (at is None or since <= at + SKEW)


def plain_name(name: str) -> str:
    """Return a whole name as it is compared with others."""
    return " ".join(name.casefold().split())


def _short_of(words: Sequence[str]) -> Iterator[str]:
    """What may be a title: a whole short message, and what stands behind a command."""
    return (" ".join(rest) for rest in (words, words[1:]) if 0 < len(rest) <= LONGEST_TITLE)


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
