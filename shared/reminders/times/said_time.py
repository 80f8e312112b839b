"""Finds out when a person wants to be reminded, from their own words. The result is None if there is any doubt.

`said_words.json` has, for each language, the words of times with the tokens that they stand for (`d1`: tomorrow, `w5`:
Friday, `at`), and the wording around a request (see `_Language`). A request must have exactly one time. The time must
be beside the request or at the end: elsewhere it may belong to what the reminder is about.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, cached_property
from pathlib import Path
from typing import Final

from shared.reminders.times.civil import civil_of
from shared.reminders.times.proposal import ResolvedTime, TimeProposal, resolve_time
from shared.reminders.times.said_tokens import MISLEADING, SaidTime, has_clock, is_amount, is_incidental, read_tokens
from shared.values.agent import parse_zone

#: the most characters of a message; a longer message is not read
LONGEST_MESSAGE: Final = 500
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("’‘ʻʼ`´", "'"))
_LETTERS: Final = str.maketrans({"ł": "l", "ß": "ss", "ة": "ه"})
_MENTION: Final = re.compile(r"^\s*(?:@\w+[,:]?\s+)+")
#: the end of a text, and signs between a time and the rest
_END: Final = re.compile(r"[^\w]*$")
_BREAK: Final = re.compile(r"(?:[,;:.!?…。、]+(?=\s|$)|\s+[-–—](?=\s)|\s*\n)\s*")
#: what may stand between the words of one time, such as in `Friday, 27 November`
_JOINT: Final = re.compile(r"(?:(?<=\d)\.)?[\s,]*")
#: tokens that are left out at the end of a time
_TRIMMED: Final = frozenset({"", "the", "at", "and", "in"})
#: numbers in every language, and the tokens that they stand for
_NUMBERS: Final = {
    r"\d{4}-\d\d-\d\d": r"\g<0>",
    r"(\d{1,2})\.(\d{1,2})\.(\d{4})": r"\1 m\2 \3",
    r"(\d{1,2})\.(\d{1,2})\.": r"\1 m\2",
    r"(\d{1,2})[:.](\d\d)\s?([ap])\.?\s?m\b\.?": r"\1:\2 \3m",
    r"(\d{1,2})\s?([ap])\.?\s?m\b\.?": r"\1 \2m",
    r"(\d{1,2})(?::|\s?h\s?)(\d\d)": r"\1:\2",
    r"(\d{1,2})\s?h": r"at \1",
    r"\d{1,2}\.\d\d": r"\g<0>",
    r"(\d{1,3}),(\d)": r"\1.\2",
    r"\d+(?:\.\d)?": r"\g<0>",
}


@dataclass(frozen=True)
class _Run:
    """Neighbouring words of a time in a text, and the tokens that they stand for."""

    start: int
    end: int
    means: str


@dataclass(frozen=True, kw_only=True)
class _Language:
    """The words of times and requests in one language. A request is wording such as `remind me`.

    `order` says where a request may be: anywhere before the time (`lead`), directly before the time (`beside`), only
    directly after the time (`first`), or at the end if the time is at the beginning (`final`). In every language, a
    request may also be directly after the time. `asks` is a pattern of requests. A time may be followed by the words
    `links`, or by text that matches the pattern `infinitive`. `that`: words after a request which show that a time at
    the end belongs to what the reminder is about.

    `vague`: words that change the meaning of a time, and names of times that are in no table. `opens`: words that may
    stand before a time at the beginning; the pattern `after` must match what follows that time, and the words `blocks`
    must not follow it. `joins`: whether words need no spaces between them. `numerals`: numbers written in characters,
    with their digits. `before`: words before a time which show that the sentence needs the time. `day_leads`: a pattern
    of words that introduce the name of a day which is in no table, such as `on Thanksgiving`.
    """

    order: str
    asks: str
    words: Mapping[str, str]
    patterns: Mapping[str, str] = field(default_factory=dict)
    links: str = ""
    infinitive: str = r"(?!)"
    that: str = ""
    vague: str = ""
    opens: str = ""
    after: str = ""
    blocks: str = ""
    numerals: Mapping[str, str] = field(default_factory=dict)
    joins: bool = False
    before: Sequence[str] = ()
    day_leads: str = r"(?!)"

    @cached_property
    def request(self) -> re.Pattern[str]:
        return re.compile(self.asks if self.joins else rf"(?<!\w)(?:{self.asks})(?!\w)")

    @cached_property
    def named_day(self) -> re.Pattern[str]:
        """The pattern of a day's name at the beginning of a text or, with at most three words, at its end."""
        lead = rf"(?<![\w'])(?:{self.day_leads})"
        return re.compile(rf"\W*{lead}\s|.*{lead}(?:\s+[^\W\d][\w'-]*){{1,3}}\W*$", re.DOTALL)

    @cached_property
    def opening(self) -> re.Pattern[str]:
        return re.compile(rf"\s*(?:(?:{self.opens})[\s,]*)*" if self.opens else r"\s*")

    @cached_property
    def _meanings(self) -> Mapping[str, str]:
        return {_fold(form): means for means, said in self.words.items() for form in said.split("|")}

    @cached_property
    def _readers(self) -> Sequence[tuple[re.Pattern[str], str | None]]:
        """The patterns of words and numbers, with their tokens; None as the tokens of words that `_meanings` has."""
        edge = "" if self.joins else r"(?![\w'])"
        words = "|".join(map(re.escape, sorted(self._meanings, key=len, reverse=True)))
        told: dict[str, str | None] = {**self.patterns, words: None, **_NUMBERS}
        return [(re.compile(rf"(?:{source}){edge}"), means) for source, means in told.items()]

    def in_digits(self, text: str) -> str:
        """Return a text in which numbers that are written in characters, as in `九点`, are written in digits."""
        if not self.numerals:
            return text
        named = "|".join(sorted(self.numerals, key=len, reverse=True))
        return re.sub(
            rf"(?<![周期週])(?:{named})(?=[点點时時个個小分天月日号號])", lambda one: self.numerals[one[0]], text
        )

    def runs(self, text: str) -> Iterator[_Run]:
        """Yield each run of neighbouring words that may name a time in a text."""
        found, at = list[_Run](), 0
        while at < len(text):
            word = self.word(text, at)
            if word is None:
                at += 1
                continue
            if found and _JOINT.fullmatch(text, found[-1].end, word.start):
                found.append(word)
            else:
                yield from _join_words(found)
                found = [word]
            at = word.end
        yield from _join_words(found)

    def word(self, text: str, at: int) -> _Run | None:
        before = text[at - 1 : at]
        if before.isdigit() or (not self.joins and (before == "'" or before == "_" or before.isalnum())):
            return None
        for pattern, means in self._readers:
            if found := pattern.match(text, at):
                return _Run(at, found.end(), found.expand(means) if means is not None else self._meanings[found[0]])
        return None


def said_time(text: str, now: datetime, zone: str) -> SaidTime | None:
    """Return when the author of a text asks to be reminded: a time that is still to come.

    None if the words leave any doubt, or belong to no known language.
    """
    plain = _MENTION.sub("", _fold(text)).strip()
    if len(plain) > LONGEST_MESSAGE:
        return None
    here = civil_of(now, parse_zone(zone))
    found = [_read(language, plain, here) for language in _languages() if language.request.search(plain)]
    if not found or found[0] is None or any(one != found[0] for one in found):
        return None
    proposal = TimeProposal(at=found[0].at, after=found[0].after, every=found[0].every)
    return found[0] if isinstance(resolve_time(proposal, now, zone), ResolvedTime) else None


def _read(language: _Language, plain: str, here: datetime) -> SaidTime | None:
    """Return the time of the only request in a text, read in one language; None if there is any doubt."""
    text = language.in_digits(plain)
    requests = list(language.request.finditer(text))
    if len(requests) != 1:
        return None
    start, end = requests[0].span()
    if set(re.findall(r"[\w']+", text[:start])[-1:]) & set(language.vague.split()):
        return None  # such as `don't remind me`
    # the request itself is blanked out: its words name no time
    runs = list(language.runs(text[:start] + "\0" * (end - start) + text[end:]))
    times = [run for run in runs if not is_incidental(run.means) and not is_amount(run.means)]
    if any(one in MISLEADING for run in runs if run not in times for one in run.means.split(" ")):
        return None
    request = _Request(language, text, start, end, any(is_amount(run.means) for run in runs))
    if len(times) == 1:
        return read_tokens(times[0].means, here) if request.has_at_its_place(times[0]) else None
    if len(times) == 2 and request.has_in_two_parts(*times):
        return read_tokens(f"{times[0].means} {times[1].means}", here)
    return None


@dataclass(frozen=True)
class _Request:
    """A request in a text, and the places where its time may be."""

    language: _Language
    text: str
    start: int
    end: int
    has_amount: bool

    def has_at_its_place(self, run: _Run) -> bool:
        """Return whether a time belongs to the request, and not to what the reminder is about."""
        if self._opens(run):
            if not self.text[run.end : self.start].strip():
                return True
            return self.language.order == "final" and self._goes_on_to_request(run)
        if self.language.order not in {"lead", "beside"} or run.start < self.end:
            return False
        if not self.text[self.end : run.start].strip(" ,:"):
            return self._may_follow(run)
        return self.language.order == "lead" and self._is_last(run, self.end) and self._is_certain(run)

    def has_in_two_parts(self, first: _Run, last: _Run) -> bool:
        """Return whether a day after the request and a time of day at the end form one time."""
        is_first = self.language.order == "lead" and not self.text[self.end : first.start].strip()
        is_whole = not has_clock(first.means) and has_clock(last.means)
        return is_first and is_whole and self._may_follow(first) and self._is_last(last, first.end)

    def _opens(self, run: _Run) -> bool:
        begin = self.language.opening.match(self.text)
        return begin is not None and begin.end() == run.start

    def _goes_on_to_request(self, run: _Run) -> bool:
        """Return whether the request ends the text, and the words before it leave the meaning of the time unchanged."""
        if not _END.match(self.text, self.end) or self.start < run.end:
            return False
        rest = self.text[run.end : self.start]
        if self.language.after:
            return re.match(self.language.after, rest) is not None and self._is_certain(run)
        words = rest.split()
        return rest[0].isspace() and words[0] not in self.language.blocks.split() and self._is_certain(run)

    def _may_follow(self, run: _Run) -> bool:
        """Return whether the words that follow a time next to the request leave its meaning unchanged."""
        rest, language = self.text[run.end :], self.language
        if _END.match(rest):
            return True
        if found := _BREAK.match(rest):
            return not rest[found.end() : found.end() + 1].isdigit() and self._is_certain(run)
        word, _, behind = rest.strip().partition(" ")
        if any(run.start == 0 and re.search(r"\d", run.means) for run in language.runs(behind)):
            return False  # such as `at ten to eight`
        word = word.strip(",.:;!?")
        is_linked = word in language.links.split() or re.match(rf"\s+(?:{language.infinitive})(?!\w)", rest) is not None
        return rest[0].isspace() and is_linked and self._is_certain(run)

    def _is_last(self, run: _Run, begin: int) -> bool:
        """Return whether a time ends the text, and the words from `begin` to the time leave its meaning unchanged."""
        before, language = self.text[begin : run.start], self.language
        words = re.findall(r"[\w']+", before)
        if not words or not _END.match(self.text, run.end) or words[0] in language.that.split():
            return False
        is_needed = words[-1] in {*language.before, *language.vague.split()}
        return not is_needed and not self._is_of_named_day(run, begin) and before[-1:] not in {"(", "[", '"', "'"}

    def _is_of_named_day(self, run: _Run, begin: int) -> bool:
        """Return whether the words before a time may name its day: `on Thanksgiving at 5 pm`, `on Easter Monday`."""
        first, named = self.language.word(self.text, run.start), self.language.named_day
        if _names_day(run.means) and not (first and first.means.startswith("w")):
            return False
        return any(named.match(self.text[start : run.start]) for start in (begin, self.start))

    def _is_certain(self, run: _Run) -> bool:
        """Return whether a time is complete: it names day and clock time, or no other word in the text may add one."""
        if has_clock(run.means) and _names_day(run.means):
            return True
        rest, vague = f"{self.text[: run.start]} {self.text[run.end :]}", self.language.vague
        if self.language.joins:
            is_vague = bool(vague) and re.search(vague, rest) is not None
        else:
            is_vague = not {*vague.split()}.isdisjoint(re.findall(r"[\w']+", rest))
        return not is_vague and not self.has_amount


def _names_day(means: str) -> bool:
    return re.search(r"(?<!\S)(?:d\d|[ew]\d|m\d+|every|#\d+|\d{4}-\S+|in)(?!\S)", means) is not None


def _join_words(words: Sequence[_Run]) -> Iterator[_Run]:
    """Yield words as one run, without those at the end that do not belong to a time. If none is left, yield nothing."""
    last = len(words)
    while last and words[last - 1].means in _TRIMMED:
        last -= 1
    if last:
        means = " ".join(one.means for one in words[:last] if one.means)
        yield _Run(words[0].start, words[last - 1].end, means)


def _fold(text: str) -> str:
    """Return a text in lower case without accents, with plain digits and apostrophes.

    Accents are removed only from Latin and Arabic letters and from `ё`. In other scripts they distinguish letters.
    """
    folded, base = list[str](), ""
    small = unicodedata.normalize("NFKD", text.replace("İ", "i").replace("ı", "i").translate(_APOSTROPHES).lower())
    for letter in small:
        if not unicodedata.combining(letter):
            base = letter
        elif unicodedata.name(base, "").startswith(("LATIN", "ARABIC")) or (base, letter) == ("е", "\u0308"):
            continue
        folded.append(str(unicodedata.digit(letter)) if letter.isdecimal() else letter)
    return unicodedata.normalize("NFC", "".join(folded)).translate(_LETTERS)


@cache
def _languages() -> tuple[_Language, ...]:
    folder = Path(__file__).parent
    words = json.loads((folder / "said_words.json").read_text(encoding="utf-8"))
    trimming = json.loads((folder / "trimming.json").read_text(encoding="utf-8"))
    before = {name: tuple(map(_fold, told["before"])) for name, told in trimming.items()}
    return tuple(_Language(**told, before=before.get(name, ())) for name, told in words.items())
