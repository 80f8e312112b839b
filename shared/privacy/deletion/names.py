"""Finds a person's names in other people's texts: the whole name or a part, in any grammatical form, case and script.

A part of the name counts only if nobody else has it. If it is a common word, its capital letter and the words around it
decide whether it is a name here. In doubt, the text stays.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Final

from shared.base.language.terms import letter
from shared.privacy.deletion.common_words import MASS, RATHER_NAMES, USUAL
from shared.privacy.deletion.context_words import (
    ARTICLES,
    BE,
    CALENDAR,
    DETERMINERS,
    GREETINGS,
    HONORIFICS,
    PERSONS_VERBS,
    PRONOUNS,
)
from shared.privacy.deletion.declensions import ADJECTIVE, LEAST_STEM
from shared.privacy.deletion.letters import APOSTROPHES, INVISIBLE, key_of, plain_of, strip_underscores
from shared.privacy.deletion.name_parts import GAP, JOINED, NamePart, PersonName, handle_spans, merge_spans, part_index
from shared.privacy.deletion.text_groups import groups_in
from shared.privacy.deletion.unspaced_names import unspaced_spans

#: least number of letters of a name that is also found in lower case, and of the stem of a declined name in lower case
LEAST_LOWER: Final = 4
LEAST_LOWER_STEM: Final = 5
#: a number counts as a name only if it has at least so many digits
LEAST_NUMBER: Final = 7
#: largest number of letters of an elided word before a name, and of an ending after it
LONGEST_BEFORE: Final = 4
LONGEST_BEHIND: Final = 7
#: largest number of words that are joined into one by apostrophes
MOST_JOINED: Final = 3
#: if more names of other people than this are compared, only their undeclined forms are compared
MOST_DECLINED: Final = 200

Span = tuple[int, int]

_COMMON: Final = USUAL | CALENDAR
_HYPHENS: Final = "-\u2010\u2011"
_ENDS: Final = frozenset('.!?…:;\n。！？؟।•·*#>|–—"«“„‘(¿¡[')


@dataclass(frozen=True)
class _Word:
    """A word of a text, with its position."""

    start: int
    end: int
    written: str
    key: str
    #: indexes of the first and the last of the words that apostrophes join into this word
    first: int
    last: int


class NameMatcher:
    """Removes a person's names from texts. The names of other people are kept."""

    def __init__(self, theirs: Collection[str], others: Collection[str] = (), common: Collection[str] = ()) -> None:
        """`common`: normalized words that other people used before the person had a name with these words."""
        self.theirs = tuple(PersonName(name) for name in dict.fromkeys(theirs))
        begins = {begin for called in self.theirs for begin in called.begins}
        named = (PersonName(name) for name in dict.fromkeys(others))
        alike = [one for one in named if not begins.isdisjoint(one.begins)]
        self.others = tuple(alike if len(alike) <= MOST_DECLINED else (PersonName(one.name, False) for one in alike))

        self.common = common

    @cached_property
    def index(self) -> Mapping[str, Sequence[NamePart]]:
        """A map from each form in lower case to the parts of the person's names that have this form."""
        return part_index(self.theirs)

    @cached_property
    def of_others(self) -> Mapping[str, Sequence[NamePart]]:
        """A map from each form in lower case to the parts of other people's names that have this form."""
        return part_index(self.others)

    def without(self, text: str, instead: str, known: Collection[str], groups: Collection[str] = ()) -> str:
        """Return the text with the person's `known` names replaced by `instead`; adjacent names are replaced together.
        If there are none, the same object is returned.

        `groups` are the groups of name forms that are assumed if the text does not show its language.
        """
        plain = unicodedata.normalize("NFC", text)
        unspaced = [*unspaced_spans(plain, self.theirs, self.others, known)]
        left = plain if unspaced else text
        spans = [*unspaced, *handle_spans(left, known)]
        spans += _Reading(left, self, known, groups).spans()
        for start, end in reversed(merge_spans(left, spans)):
            left = left[:start] + instead + left[end:]
        return left if spans else text


class _Reading:
    """One text that is searched for names."""

    def __init__(self, text: str, names: NameMatcher, known: Collection[str], spoken: Collection[str]) -> None:
        self._text, self._known, self._spoken = text, known, spoken
        self._index, self._others, self._common = names.index, names.of_others, names.common
        found = filter(None, map(strip_underscores, _words().finditer(text)))
        self._words = [_Word(start, end, w, key_of(w), n, n) for n, (start, end, w) in enumerate(found)]
        self._is_shouted = text.upper() == text

    def spans(self) -> Iterator[Span]:
        """Yield the start and end of each of the person's names."""
        theirs = [self._parts_called(word, self._index) for word in self._with_joined_words()]
        found = [(word, parts) for word, parts in theirs if parts]
        others = {word.first: self._parts_called(word, self._others)[1] for word, _ in found}
        whole = {one for pair in self._pairs(found) for one in pair}
        kept = self._whole_of_others(found)
        for word, parts in found:
            is_shared = any(_is_as_much(mine, other) for mine in parts for other in others[word.first])
            if word.first in kept:
                continue
            if word.first in whole or (not is_shared and any(self._is_meant(word, part) for part in parts)):
                yield self._with_initials(word, parts)

    def _with_joined_words(self) -> Iterator[_Word]:
        """Yield the words. Of words that apostrophes join, yield only the longest combination that is a name."""
        place = 0
        while place < len(self._words):
            last = place
            while last + 1 < len(self._words) and self._is_joined(last):
                last += 1
            if last - place < 2 * MOST_JOINED:  # no language joins more
                yield from self._within(place, last) if last > place else (self._words[place],)
            place = last + 1

    def _is_joined(self, place: int) -> bool:
        between = self._text[self._words[place].end : self._words[place + 1].start]
        return len(between) == 1 and between in APOSTROPHES

    def _within(self, first: int, last: int) -> Iterator[_Word]:
        """Yield the longest combination of these joined words that is a name, if there is one.

        Elided words before the name and endings after it are left out.
        """
        sizes = range(min(last - first + 1, MOST_JOINED), 0, -1)
        windows = ((start, start + size - 1) for size in sizes for start in range(first, last - size + 2))
        for start, end in windows:
            joined = self._joint(start, end)
            if self._parts_called(joined, self._index)[1] and self._stands_alone(first, start, end, last):
                yield joined
                return

    def _joint(self, first: int, last: int) -> _Word:
        start, end = self._words[first].start, self._words[last].end
        key = "".join(one.key for one in self._words[first : last + 1])
        return _Word(start, end, self._text[start:end], key, first, last)

    def _stands_alone(self, first: int, start: int, end: int, last: int) -> bool:
        before, behind = self._words[first:start], self._words[end + 1 : last + 1]
        is_elided = all(one.written.islower() and len(one.key) <= LONGEST_BEFORE for one in before)
        if before and self._begins_sentence(before[0].start):
            is_elided = before[0].key in {"l", "qu"} or is_elided
        return is_elided and all(len(one.key) <= LONGEST_BEHIND for one in behind)

    def _parts_called(self, word: _Word, index: Mapping[str, Sequence[NamePart]]) -> tuple[_Word, Sequence[NamePart]]:
        parts = [
            part for part in index.get(word.key, ()) if not part.groups or not part.groups.isdisjoint(self._groups)
        ]
        plain = plain_of(word.key)
        if not any(part.is_base for part in parts):
            parts += [part for part in index.get("=" + plain, ()) if part.is_base]
        if index is self._index:
            parts = [part for part in parts if part.name in self._known]
        return word, parts

    @cached_property
    def _groups(self) -> Collection[str]:
        """The groups of name forms that the text may contain, judged by its function words (such as "the")."""
        return groups_in({one.key for one in self._words}, self._spoken, is_plain=self._text.isascii())

    def _pairs(self, found: Sequence[tuple[_Word, Sequence[NamePart]]]) -> Iterator[Span]:
        """Yield the indexes of two adjacent words that are different parts of one name."""
        for (one, parts), (other, following) in pairwise(found):
            if self._are_adjacent(one, other) and _of_one_name(parts, following):
                yield one.first, other.first

    def _whole_of_others(self, found: Sequence[tuple[_Word, Sequence[NamePart]]]) -> Collection[int]:
        """Return the indexes of the words that belong to somebody else's full name in this text."""
        kept = set[int]()
        for word, _ in found:
            mine = self._parts_called(word, self._others)[1]
            for place in (word.first - 1, word.last + 1):
                if mine and 0 <= place < len(self._words):
                    near = self._words[place]
                    pair = (near, word) if near.start < word.start else (word, near)
                    if self._are_adjacent(*pair) and _of_one_name(mine, self._parts_called(near, self._others)[1]):
                        kept |= {word.first, place}
        return kept

    def _are_adjacent(self, one: _Word, other: _Word) -> bool:
        return bool(GAP.fullmatch(self._text[one.end : other.start]))

    def _with_initials(self, word: _Word, parts: Sequence[NamePart]) -> Span:
        """Return the start and end of a name. An initial of another part of the name is included if it is beside the
        name.
        """
        start, end = word.start, word.end
        initials = {one[0] for part in parts for one in part.beside}
        if not initials:
            return start, end
        behind = re.match(r"[ \u00a0](\w)(?:\.|(?!\w))", self._text[end:])
        if behind and behind[1].isupper() and key_of(behind[1]) in initials:
            end += behind.end()
        before = re.search(r"(?<!\w)(\w)\.[ \u00a0]?$", self._text[:start])
        if before and before[1].isupper() and key_of(before[1]) in initials:
            start = before.start()
        return start, end

    def _is_meant(self, word: _Word, part: NamePart) -> bool:
        """Return whether a word that matches a part of the name means the person."""
        is_apart = part.place == JOINED and word.written.islower()
        is_count = word.key.isdecimal() and len(word.key) < LEAST_NUMBER
        if self._is_compound(word) or is_apart or is_count or self._is_thing(word):
            return False
        if not PRONOUNS.isdisjoint({word.key, part.base}):
            return self._is_addressed(word, HONORIFICS)
        is_usual = not _COMMON.isdisjoint({word.key, part.base}) or word.key in self._common
        if word.written.lower() == word.written.upper():  # script without capitals
            return self._has_context(word) if is_usual or len(part.key) < 2 else True
        if word.written.islower():
            least = LEAST_LOWER if part.is_base else LEAST_LOWER_STEM
            is_long = len(part.key) >= least or (
                part.is_base and len(part.key) == LEAST_STEM and self._has_context(word)
            )
            return not is_usual and is_long and not ADJECTIVE.fullmatch(part.base)
        if not is_usual:
            return len(part.key) > 2 or part.is_title(word.written) or self._is_shouted
        if self._is_shouted or self._begins_sentence(word.start):
            return self._has_context(word) or (word.key in RATHER_NAMES and not self._is_somebody_else(word))
        if word.written.isupper() and len(word.written) > 1:
            return self._has_context(word)
        return self._has_context(word) or not (self._is_determined(word) or self._is_somebody_else(word))

    def _is_compound(self, word: _Word) -> bool:
        """Return whether a hyphen makes the word a part of another name, as in Anna-Maria."""
        text = self._text
        behind, before = text[word.end : word.end + 2], text[max(0, word.start - 1) : word.start]
        if len(behind) == 2 and behind[0] in _HYPHENS and behind[1].isupper():
            near = self._words[word.last + 1]
            return not self._parts_called(near, self._index)[1]
        if before and before in _HYPHENS and word.first > 0 and self._words[word.first - 1].end == word.start - 1:
            near = self._words[word.first - 1]
            return near.written[0].isupper() and not self._parts_called(near, self._index)[1]
        return False

    def _begins_sentence(self, start: int) -> bool:
        before = self._text[:start].rstrip(" \t\u00a0")
        return not before or before[-1] in _ENDS or not (before[-1].isalnum() or before[-1] in ",)]}%&@'’/+-")

    def _has_context(self, word: _Word) -> bool:
        """Return whether the text around the word suggests that the word means a person."""
        before = self._words[word.first - 1] if word.first else None
        behind = self._words[word.last + 1] if word.last + 1 < len(self._words) else None
        gap_before = self._text[before.end : word.start] if before else self._text[: word.start]
        gap_behind = self._text[word.end : behind.start] if behind else self._text[word.end :]
        if self._is_addressed(word, HONORIFICS | GREETINGS):
            return True
        is_first = self._begins_sentence(word.start)
        if is_first and gap_behind.lstrip(" ")[:1] in tuple(",،:") and gap_behind.strip():
            return True
        if "," in gap_before and gap_behind.strip(" ")[:1] in tuple(".!?…") and not gap_behind.startswith(".."):
            return True
        if gap_behind[:1] in tuple(APOSTROPHES) and behind and behind.key == "s":
            return True
        is_followed = behind is not None and not gap_behind.strip() and not behind.written[0].isupper()
        verbs = PERSONS_VERBS if word.key in MASS else PERSONS_VERBS | BE
        return is_followed and behind is not None and behind.key in verbs

    def _is_addressed(self, word: _Word, titles: Collection[str]) -> bool:
        """Return whether a sign or one of these words is before the word, as in @he and Mr. He."""
        before = self._words[word.first - 1] if word.first else None
        gap = self._text[before.end : word.start] if before else self._text[: word.start]
        return gap.endswith("@") or (before is not None and not gap.strip(" .") and before.key in titles)

    def _is_determined(self, word: _Word) -> bool:
        """Return whether a word such as "the" precedes the name, or a number is beside it: the Roman, in May, 5 May."""
        near = [self._words[place] for place in (word.first - 1, word.last + 1) if 0 <= place < len(self._words)]
        before = self._words[word.first - 1] if word.first else None
        is_dated = word.key in MASS and any(one.key[:1].isdigit() for one in near)
        return is_dated or (before is not None and before.key in DETERMINERS and self._are_adjacent(before, word))

    def _is_thing(self, word: _Word) -> bool:
        """Return whether the word is in lower case and has an article before it, as in "the team"."""
        before = self._words[word.first - 1] if word.first else None
        is_behind = before is not None and before.key in ARTICLES and self._are_adjacent(before, word)
        return word.written.islower() and is_behind

    def _is_somebody_else(self, word: _Word) -> bool:
        """Return whether a name that is not the person's follows the word, as in Mark Twain."""
        if word.last + 1 >= len(self._words):
            return False
        near = self._words[word.last + 1]
        is_name = near.written[0].isupper() and len(near.key) > 1 and not self._is_shouted
        return is_name and self._are_adjacent(word, near) and not self._parts_called(near, self._index)[1]


def _is_as_much(mine: NamePart, other: NamePart) -> bool:
    """Return whether the word is at least as likely to be the other person's name as this person's."""
    return other.is_base or not mine.is_base


def _of_one_name(parts: Sequence[NamePart], others: Sequence[NamePart]) -> bool:
    return any(a.name == b.name and a.place != b.place for a in parts for b in others)


@cache
def _words() -> re.Pattern[str]:
    return re.compile(rf"{letter()}(?:[{INVISIBLE}]*{letter()})*")
