"""Finds a person's words in texts of other people, and in texts that agents made from these words.

A text counts as a repetition only if it was written after the person said the same. But words that somebody else has
typed never count as the person's, whoever said them first. Otherwise anybody could get other people's data erased, by
writing the same and then asking to be forgotten.
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

#: words of others' texts that are remembered
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
#: largest number of words in a title
LONGEST_TITLE: Final = 20
#: least number of letters in a name
LEAST_NAME: Final = 2

#: largest difference between Telegram's clock and lull's
SKEW: Final = timedelta(minutes=1)

T = TypeVar("T")


@dataclass
class PersonWords:
    """The words of a person to forget, by which repetitions of them are found. They are kept only in memory."""

    #: run of words, or token → when the person first said it
    _runs: dict[int, datetime] = field(default_factory=dict)
    _tokens: dict[str, datetime] = field(default_factory=dict)
    #: runs and tokens in texts that others typed themselves
    _of_others: set[int | str] = field(default_factory=set)
    #: hash of a whole text of some length → when the person first said it
    _whole: dict[int, datetime] = field(default_factory=dict)
    #: short texts of the person. They may be titles, and are compared as a whole
    _short: set[str] = field(default_factory=set)
    #: name → when the person was first seen with it
    names: dict[str, datetime] = field(default_factory=dict)
    #: hash of a word in lower case → when somebody else or an agent first wrote it
    _words: dict[int, datetime] = field(default_factory=dict)
    #: hashes of short texts of others: titles that equal them are not the person's
    _short_of_others: set[int] = field(default_factory=set)
    #: the person's id, which agents may have written; 0 if there is none
    person: int = 0
    #: names of other people in the current conversations
    others: frozenset[str] = frozenset()
    #: main language of these conversations; "" if not known
    language: str = ""
    _matcher: NameMatcher | None = None

    def add_text(self, text: str, at: datetime) -> None:
        """Add a text that the person wrote at `at`. Later texts are searched for its codes, addresses and runs of
        words.
        """
        words = words_in(text)
        _note_first(self._runs, runs_of(words_beside_links(text)), at)
        _note_first(self._tokens, tokens_of(text, words), at)
        self._note_whole(text, at)
        self._short.update(_short_of(words))

    def add_private_text(self, text: str, at: datetime) -> None:
        """Add a text that the person sent only to an agent. Texts of other people are found only if they repeat it as a
        whole.
        """
        self._note_whole(text, at)

    def _note_whole(self, text: str, at: datetime) -> None:
        words = words_beside_links(text)
        if any(True for _ in runs_of(words)):
            _note_first(self._whole, [hash(tuple(words))], at)

    def add_others_text(self, text: str) -> None:
        """Add a text that somebody else typed. Its words count as that writer's, even if the person said them first."""
        words = words_in(text)
        self._of_others.update(runs_of(words_beside_links(text)))
        self._of_others.update(tokens_of(text, words))
        self._short_of_others.update(map(hash, _short_of(words)))

    def add_others_words(self, text: str, at: datetime) -> None:
        """Add a text of other people or of an agent.

        If the person later takes a name with one of these words, the word still counts as an ordinary word.
        """
        _note_first(self._words, (hash(key_of(one)) for one in set(_WORD.findall(text)) if one.islower()), at)

    def add_names(self, *names: str, at: datetime) -> None:
        """Add names that the person had at the time `at`."""
        new = [name for name in names if len(name) >= LEAST_NAME or (name and not name.isalnum())]
        if not self.names.keys() >= set(new):
            self._matcher = None
        _note_first(self.names, new, at)

    def settle(self) -> None:
        """Drop the cached matcher of names, after all texts were added."""
        self._matcher = None

    def _common(self) -> Collection[str]:
        """Return the parts of the person's names that others used as ordinary words before the person had the name."""
        parts = ((part.key, since - SKEW) for name, since in self.names.items() for part in PersonName(name).parts)
        return frozenset(key for key, since in parts if self._words.get(hash(key), since) < since)

    def set_surroundings(self, others: Collection[str], language: str = "") -> None:
        """Set the language of the current conversations, and other people's names in them. These names are kept."""
        self.language = language
        if self.others != others:
            self.others, self._matcher = frozenset(others), None

    def is_repeated_in(self, *texts: str, at: datetime | None = None) -> bool:
        """Return whether a text contains a distinctive run of words, a code or an address that the person wrote.

        `at` is when the text was written; None if unknown.
        """
        for text in texts:
            words = words_in(text)
            runs = runs_of(words_beside_links(text))
            found = (self._runs.get(run) for run in runs if run not in self._of_others)
            tokens = (self._tokens.get(one) for one in tokens_of(text, words) if one not in self._of_others)
            if any(_was_before(since, at) for since in (*found, *tokens)):
                return True
        return False

    def without_links(self, links: tuple[str, ...]) -> tuple[str, ...]:
        """Return the addresses that the person did not send."""
        return tuple(one for one in links if not self.has(one))

    def is_whole(self, text: str, at: datetime | None = None) -> bool:
        """Return whether a text is the same as a whole text of the person that is long enough to be recognised, and
        that nobody else typed.
        """
        words = words_beside_links(text)
        is_others = all(run in self._of_others for run in runs_of(words))
        return not is_others and _was_before(self._whole.get(hash(tuple(words))), at)

    def is_called(self, name: str, at: datetime | None = None) -> bool:
        """Return whether `name` was the person's full name at the time `at`."""
        wanted = plain_name(name)
        return any(plain_name(one) == wanted and _was_before(since, at) for one, since in self.names.items())

    def has(self, title: str) -> bool:
        """Return whether a title repeats the person's words, or equals a short text that only the person wrote."""
        whole = " ".join(words_in(title))
        return self.is_repeated_in(title) or (whole in self._short and hash(whole) not in self._short_of_others)

    def without_names(self, text: str, instead: str, at: datetime | None = None) -> str:
        """Return the text with the person's id, and the names that the person had before `at`, replaced by
        `instead`.
        """
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
    """Return whether a text written at `at` can repeat something that was first said at `since`."""
    return since is not None and (at is None or since <= at + SKEW)


def plain_name(name: str) -> str:
    """Return a full name for comparisons: case-folded, with single spaces."""
    return " ".join(name.casefold().split())


def _short_of(words: Sequence[str]) -> Iterator[str]:
    """Yield texts that may be titles: a whole short message, and the message without its first word, which may be a
    command.
    """
    return (" ".join(rest) for rest in (words, words[1:]) if 0 < len(rest) <= LONGEST_TITLE)


def texts_in(value: object) -> Iterable[str]:
    """Yield every text in a document or a raw update, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts_in(inner)
