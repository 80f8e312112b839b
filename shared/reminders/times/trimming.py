"""Removes the time from a reminder's text. When the reminder is due, `tomorrow at 9` would mean another day.

`trimming.json` has, for each language, the words of a time with their English equivalents, which `resolve_time` reads.
A time stays in the text if it follows a word in `before` (such a word needs a time after it), or if a word in `after`
follows it (such a word continues the time). `may_lead`: whether a time may be removed from the beginning of a sentence.
"""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final, TypeAlias

from shared.reminders.times.problem import ScheduleProblem
from shared.reminders.times.proposal import ResolvedTime, TimeProposal, is_exact, resolve_time
from shared.reminders.times.rule import read_rule
from shared.values.evolve import evolve
from shared.values.reminder import ReminderSpec

#: the most words of a time at an end of a text, and of one entry of the table
_MOST_WORDS: Final = 9
_MOST_OF_ONE: Final = 4
#: characters around a time, and those that separate it from the rest of a text
_SIGNS: Final = " .,;:!–—-()"
_PARTS_TIME: Final = (",", "–", "—", "-", ":")
#: a time at the end that has no word in it must be separated from the text: `Call mum, 18:00`
_WORD: Final = re.compile(r"[^\W\d]{2}")
#: English days that a comma separates; other days after a comma may be part of a greeting: `Hello, Friday!`
_UNGREETED: Final = re.compile(r"today|tomorrow|(?:the )?day after tomorrow|(?:every|each) .+", re.IGNORECASE)
#: the start of a range: `8 - 9:00`
_RANGE: Final = re.compile(r"\d\s*[-–—]\Z")
#: characters after a time that may close a quotation
_QUOTING: Final = frozenset("\"'`*_~|«»“”„’‘]}>")
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("’‘ʻʼ`", "'"))
#: corrections of the English words in the order of another language
_IN_ORDER: Final = (
    (re.compile(r"(?<=[:.h]\d\d) ?(?:h|o'clock|hours?)(?!\S)"), ""),
    (re.compile(r"\b(?:hours|at) at\b"), "at"),
    (re.compile(r"(?<=\d)h(?= [ap]m)"), ""),
    (re.compile(r"\bat (\d{1,2}) (?:hours?|o'clock)(?!\S)"), r"at \1"),
    (re.compile(r"\b([ap]m) at (\d\S*)"), r"at \2 \1"),
)


@dataclass(frozen=True, kw_only=True)
class _Language:
    """The words of times in one language."""

    name: str
    words: Mapping[str, str]
    before: Sequence[str]
    after: Sequence[str] = ()
    may_lead: bool
    #: pattern of an hour with a suffix: `9'da` is `at 9`
    hour: str = ""

    def in_english(self, said: Sequence[str]) -> str:
        """Return the words of a time in English; "" if they do not name a time, or none of them is in this language."""
        found, at, has_word = list[str](), 0, False
        while at < len(said):
            size, english = self._word(said[at : at + _MOST_OF_ONE])
            if not size:
                return ""
            found.append(english)
            has_word = has_word or english != said[at]
            at += size
        english = " ".join(" ".join(found).split())
        for pattern, instead in _IN_ORDER:
            english = pattern.sub(instead, english)
        return english if has_word else ""

    def _word(self, said: Sequence[str]) -> tuple[int, str]:
        """Return how many leading words form one entry of the table, and that entry's English; (0, "") if none do."""
        for size in range(len(said), 0, -1):
            if (english := self.words.get(" ".join(said[:size]))) is not None:
                return size, english
        if self.hour and (hour := re.fullmatch(self.hour, said[0])):
            return 1, f"at {hour[1]}"
        return (1, said[0]) if said[0][0].isdigit() else (0, "")


#: a language, and the English translation of a time that was read in that language
_Reading: TypeAlias = tuple[_Language, str]


@dataclass(frozen=True)
class _Time:
    """The time of a reminder, and the time at which it is set (`now`)."""

    when: ResolvedTime
    now: datetime

    def readings(self, said: str) -> list[_Reading]:
        """Return a reading for each language in which `said` names this time, with the English translation."""
        said = said.strip(_SIGNS).translate(_APOSTROPHES)
        words = _plain(said).split()
        read = [(one, said if one.name == "en" else one.in_english(words)) for one in (_languages() if words else ())]
        return [(one, english) for one, english in read if english and self._is_said(english)]

    def _is_said(self, english: str) -> bool:
        every = (english, f"{english} at {self.when.start:%H:%M}") if self.when.recurrence is not None else ()
        return any(map(self._is_meant, (TimeProposal(at=english), *(TimeProposal(every=one) for one in every))))

    def _is_meant(self, proposal: TimeProposal) -> bool:
        found, rule = resolve_time(proposal, self.now, self.when.zone), self.when.recurrence
        if isinstance(found, ScheduleProblem) or abs(found.first - self.when.first) >= timedelta(minutes=1):
            return False
        return found.recurrence is None or (rule is not None and found.recurrence.days == rule.days)


def without_when(spec: ReminderSpec, now: datetime) -> ReminderSpec:
    """Return the spec without the time at the beginning and end of its text, if it is exactly the reminder's time.

    `now`: when the reminder is set. If removing the time would change the meaning, the text stays unchanged.
    """
    rule, start = read_rule(spec.rule) if spec.rule else None, datetime.fromisoformat(spec.start)
    time = _Time(ResolvedTime(first=spec.first_at, zone=spec.zone, start=start, recurrence=rule), now)
    return evolve(spec, text=_trimmed_text(spec.text, time), instruction=_trimmed_text(spec.instruction, time))


def _trimmed_text(text: str, time: _Time) -> str:
    return text if not text or time.readings(text) else _without_last(_without_first(text, time), time)


def _without_first(text: str, time: _Time) -> str:
    words = [found.span() for found in re.finditer(r"\S+", text)]
    if words and not any(map(str.isalnum, text[slice(*words[0])])):
        words = words[1:]  # a sign or an emoji stays
    for (_, end), (start, until) in reversed([*pairwise(words)][:_MOST_WORDS]):
        begin, following = words[0][0], text[start:until]
        said, rest = text[begin:end], text[start:].lstrip(_SIGNS)
        found = time.readings(said) if rest and said.count("(") == said.count(")") else []
        sign = following if following in _PARTS_TIME else said[-1]
        is_apart = _sets_apart(sign, found) and (sign in ":," or not rest[:1].isdigit())
        is_greeting = sign == "," and _plain(said) == "morgen"  # in German and Dutch
        if found and (is_apart or _may_lead(found, _plain(following))) and not is_greeting:
            is_dotted = rest[0] == "i" and any(one.name == "tr" for one, _ in found)
            return text[:begin] + ("İ" if is_dotted else rest[0].upper()) + rest[1:]
    return text


def _may_lead(found: Sequence[_Reading], following: str) -> bool:
    """Return whether the sentence is complete without the time at its beginning."""
    goes_on = any(following in one.after for one, _ in found)
    return not goes_on and any(one.may_lead and is_exact(english) for one, english in found)


def _sets_apart(sign: str, found: Sequence[_Reading]) -> bool:
    """Return whether a punctuation mark separates a time from the rest of the text."""
    return sign in _PARTS_TIME and (sign != "," or any(is_exact(one) or _UNGREETED.fullmatch(one) for _, one in found))


def _without_last(text: str, time: _Time) -> str:
    end = max((found.end() for found in re.finditer(r"\w", text)), default=0)
    if _QUOTING & set(text[end:]):
        return text
    for start in [found.start() for found in re.finditer(r"\S*\w\S*", text[:end])][1:][-_MOST_WORDS:]:
        said, before = text[start:end], text[:start].rstrip()
        if found := time.readings(said):
            may_end = _may_end(before, said, found) and not _is_needed(before, found)
            return _join(before, said, text[end:]) if may_end else text
    return text


def _may_end(before: str, said: str, found: Sequence[_Reading]) -> bool:
    """Return whether a time at the end of a text can be removed: it is exact, or punctuation separates it."""
    is_apart = said.startswith("(") or _sets_apart(before[-1:], found)
    if not any(is_exact(english) for _, english in found):
        return is_apart and ":" not in before  # the text after a colon may be a message to pass on
    return is_apart or bool(_WORD.search(said)) or any(one.name != "en" for one, _ in found)


def _is_needed(before: str, found: Sequence[_Reading]) -> bool:
    """Return whether the text before a time needs it: the sentence refers to it, or it is the end of a range, of a
    list, or of a longer time that could not be read.
    """
    last = _plain(before.rpartition("\n")[2]).rpartition(" ")[2]
    is_told = not last or before.endswith(":") or bool(_RANGE.search(before))
    return is_told or any(last in one.before or last in one.words for one, _ in found)


def _join(before: str, said: str, tail: str) -> str:
    """Return the text before a time, joined with what follows the time, such as a closing mark or an emoji."""
    tail = tail.removeprefix(")") if said.startswith("(") else tail
    return before.rstrip(" .,;:–—-") + re.sub(r"[,;:–—-]", "", tail).rstrip()


def _plain(text: str) -> str:
    """Return lower-case words without the punctuation around them."""
    said = unicodedata.normalize("NFC", text).replace("İ", "i").lower().translate(_APOSTROPHES)
    return " ".join(word for word in (one.strip(_SIGNS) for one in said.split()) if word)


@cache
def _languages() -> tuple[_Language, ...]:
    told = json.loads(Path(__file__).with_name("trimming.json").read_text(encoding="utf-8"))
    return tuple(_Language(name=name, **of_language) for name, of_language in told.items())
