"""Finds relative days in questions: `yesterday`, `last Friday`, `vor zwei Wochen`, `2 недели назад`.

`days_ago.json` has the patterns of each language: phrases, units, numbers as words, days of the week, weekends, days of
a month in digits and in words, and more forms of months' names. A day of the week alone means the last such day, unless
the words beside it say that a coming day or every such day is meant.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Final

from shared.base.language.languages import detect_language
from shared.recall.matching.periods import UNITS, day_of_month, last_weekday, span_back, weekend_back

_FILE: Final = Path(__file__).with_name("days_ago.json")
#: a letter or a combining vowel mark, which `\w` does not match
_LETTER: Final = r"[\w\u064b-\u065f\u0900-\u097f]"
#: languages that write no spaces between words
_UNSPACED: Final = frozenset({"ja", "ko", "zh"})
#: languages none of whose patterns match a text in ASCII
_OTHER_SCRIPTS: Final = frozenset({"ar", "fa", "hi", "ru", "uk", *_UNSPACED})
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("’‘ʻʼ`", "'"))
#: the letters of the Chinese patterns in their traditional form, and letters that Unicode does not decompose
_ALIKE: Final = str.maketrans("這週個禮兩幾過號後間內時點ıł", "这周个礼两几过号后间内时点il")
#: the order in which the patterns are matched: a phrase that is part of another one comes after it
_ORDER: Final = (
    "range", "of_week_before_last", "of_last_week", "before_last", "last", "weekend", "newest_weekend", "half_year",
    "ago", "phrase", "within", "on", "weekday",
)  # fmt: skip
MOST_BACK: Final = 1000
#: the number that "a few" means
FEW: Final = 3
#: the text that may be between a date and a year or weekday that belongs to it
_BESIDE: Final = re.compile(
    r"(?:'s)?[\s,(]*(?:(?:of|in|im|en|em|de|del|dell[ao]|do|da|des|der|van|dell'|d'|l'|в|у|no|nel|من|の|的|the|on|den|dem|am|le|el|il|op|we?)\s*){0,2}[\s,]*"
)
_WORDS: Final = re.compile(r"[^\W\d]\W+[^\W\d]")
#: the text that may follow a day of the week
_DATED: Final = r"(?:,?\s+(?:(?:the|den|dem|le|el|il|de|dia)\s+)?(?P<day>\d{1,2})(?:st|nd|rd|th|\.|-?го)?(?![\d:/.]))?"


@dataclass(frozen=True, kw_only=True)
class DayRange:
    """A part of a text that names days (from `start` to `end`), and these days (`first` to `last`, inclusive)."""

    start: int
    end: int
    first: date
    last: date
    #: the year, if a whole year is meant
    year: int = 0
    #: whether the text is a day of the week alone, to which a date or week beside it may belong
    is_weekday: bool = False

    def is_beside(self, text: str, start: int, end: int) -> bool:
        """Return whether this range, such as `last year` or `Friday`, belongs to the date between `start` and `end`
        in the text.
        """
        between = text[end : self.start] if self.start >= end else text[self.end : start]
        return bool(_BESIDE.fullmatch(between))


@dataclass(frozen=True)
class _Pattern:
    kind: str
    language: str
    compiled: re.Pattern[str]
    #: for a phrase: the unit, and the number of units that it goes back
    unit: str = ""
    back: int = 0
    is_homograph: bool = False
    #: whether it is a pattern for `bare_letters`
    is_bare: bool = False


def plain_text(text: str) -> str:
    """Return a text in lower case with composed letters and plain apostrophes, as the patterns expect it."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(letter.lower()[:1] or letter for letter in composed).translate(_APOSTROPHES)


def bare_letters(text: str) -> str:
    """Return a plain text as many people type it: without accents, and in simplified Chinese. Its length stays."""
    bare = (unicodedata.normalize("NFD", one)[0] if "\u00c0" <= one <= "\u024f" else one for one in text)
    return "".join(bare).translate(_ALIKE)


def days_in(text: str, today: date) -> Iterator[DayRange]:
    """Yield the days before today that a plain text names. Text that matched one phrase is not matched again."""
    told = detect_language(re.findall(r"[^\W\d_]+", text))
    bare, is_ascii = bare_letters(text), text.isascii()
    for pattern in (*_patterns(), *sorted(_bare_patterns(), key=lambda one: one.language != told)):
        is_foreign = told not in {"", pattern.language}
        if (pattern.is_homograph and is_foreign) or (is_ascii and pattern.language in _OTHER_SCRIPTS):
            continue
        for found in pattern.compiled.finditer(bare if pattern.is_bare else text):
            # one word without its accents, such as `dun`, may be a word of another language
            is_other = pattern.is_bare and is_foreign and pattern.language != "zh" and not _WORDS.search(found[0])
            span = None if is_other or "\0" in text[found.start() : found.end()] else _span(pattern, found, today)
            if span is not None:
                first, last = span
                is_year = (first.month, first.day, last.month, last.day) == (1, 1, 12, 31)
                yield DayRange(
                    start=found.start(), end=found.end(), first=first, last=last, year=first.year * is_year,
                    is_weekday=pattern.kind == "weekday",
                )  # fmt: skip
                blank = chr(0) * (found.end() - found.start())
                text, bare = (f"{one[: found.start()]}{blank}{one[found.end() :]}" for one in (text, bare))


def _span(pattern: _Pattern, found: re.Match[str], today: date) -> tuple[date, date] | None:
    said = found.groupdict()
    match pattern.kind:
        case "of_last_week" | "of_week_before_last":
            weeks = 1 if pattern.kind == "of_last_week" else 2
            day = today - timedelta(days=today.weekday() + 7 * weeks - _weekday(said))
            return day, day
        case "last" | "before_last":
            day = last_weekday(_weekday(said), today) - timedelta(days=7 if pattern.kind == "before_last" else 0)
            return day, day
        case "range" | "weekday":
            days = _range if pattern.kind == "range" else _on_weekday
            return None if said["other"] else days(said, today)
        case "half_year":
            return span_back("month", 6, today)
        case "on":
            return day_of_month(int(said["day"]), today)
        case "ago" | "within":
            return _count_back(pattern, said, today)
    begin = _languages()[pattern.language]["weekend"]
    if pattern.kind == "newest_weekend":
        return weekend_back(begin, int(today.weekday() < begin), today)
    back = weekend_back(begin, pattern.back, today) if pattern.unit == "weekend" else None
    return back or span_back(pattern.unit, pattern.back, today)


def _count_back(pattern: _Pattern, said: Mapping[str, str | None], today: date) -> tuple[date, date] | None:
    """Return the days of "N units ago" or "the last N units". Without a number, "the last days" are a few. The group
    `single` marks words such as "the last week"; "the last day" may be the last day of anything.
    """
    unit, count = next(name for name in UNITS if said.get(f"is_{name}")), said.get("n")
    if "single" in said and unit == "day":
        return None
    is_within = pattern.kind == "within"
    back = (FEW if is_within and "single" not in said else 1) if count is None else number_in(count, pattern.language)
    back = min(back, MOST_BACK)
    return (today - timedelta(days=UNITS[unit] * back), today) if is_within else span_back(unit, back, today)


def _weekday(said: Mapping[str, str | None], group: str = "wd") -> int:
    return next(number for number in range(7) if said.get(f"{group}{number}"))


def _range(said: Mapping[str, str | None], today: date) -> tuple[date, date]:
    """Return the first and last day of the latest range between two days of the week: `from Monday to Wednesday`."""
    last = last_weekday(_weekday(said, "to"), today)
    return last - timedelta(days=(last.weekday() - _weekday(said)) % 7), last


def _on_weekday(said: Mapping[str, str | None], today: date) -> tuple[date, date]:
    """Return the last day that is this day of the week. With a day of the month, return the last day that is both:
    `Friday the 13th`.
    """
    weekday, dated = _weekday(said), day_of_month(int(said["day"] or 0), today)
    return dated if dated and dated[0].weekday() == weekday else (last_weekday(weekday, today),) * 2


@cache
def _languages() -> Mapping[str, Mapping[str, Any]]:
    found: Mapping[str, Mapping[str, Any]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return found


def number_in(said: str, language: str) -> int:
    """Return the value of a number in digits or in words of a language."""
    return int(said) if said.isdecimal() else _numbers(language)[said]


@cache
def _numbers(language: str) -> Mapping[str, int]:
    """Return the number words of a language. `joined` says how it forms numbers such as `twenty-three`."""
    data = _languages()[language]
    ones, tens = {word: one for word, one in data["numbers"].items() if one < 10}, data.get("tens", {})
    every = product(data.get("joined", ()), tens, ones)
    joined = {form.format(ten=ten, one=one): tens[ten] + ones[one] for form, ten, one in every}
    numbers = {**joined, **tens, **data["numbers"]}
    return {**{bare_letters(word): one for word, one in numbers.items()}, **numbers}


def month_forms() -> Mapping[str, int]:
    """Return more forms of months' names, such as `październiku` and `kasımda`, with the months' numbers (1 to 12)."""
    named = (enumerate(data.get("months", ()), 1) for data in _languages().values())
    return {form: number for months in named for number, forms in months for form in forms.split(",") if form}


def spoken_days() -> Mapping[str, str]:
    """Return, for each language, a pattern of the days of a month as words, such as `fifth` and `пятого`. The groups d1
    to d31 have the days' numbers.
    """
    spoken = {language: data["days_of_month"] for language, data in _languages().items() if "days_of_month" in data}
    return {
        language: rf"(?<!{_LETTER})(?:{'|'.join(f'(?P<d{day}>{form})' for day, form in enumerate(forms, 1))})"
        for language, forms in spoken.items()
    }


@cache
def _patterns() -> tuple[_Pattern, ...]:
    found = [one for language, data in _languages().items() for one in _patterns_of(language, data)]
    # "the day before yesterday" is matched before "yesterday", and "minggu kemarin" (last week) before "kemarin"
    return tuple(sorted(found, key=lambda one: (_ORDER.index(one.kind), -one.back, -UNITS.get(one.unit, 0))))


def _patterns_of(language: str, data: Mapping[str, Any]) -> Iterator[_Pattern]:
    units = "|".join(f"(?P<is_{unit}>{pattern})" for unit, pattern in data["units"].items())
    numbers = "|".join(sorted(_numbers(language), key=len, reverse=True))
    # digits after a separator are the end of a longer number, such as `1.5` or `1 000`
    counted = rf"(?P<n>(?<!\d[.,\s])\d{{1,4}}|{numbers})"
    parts = {"{n}": counted, "{unit}": f"(?:{units})", "{one}": f"(?:{units})",
             "{wd}": _days_of_week(data["weekdays"], "wd"), "{day}": r"(?P<day>\d{1,2})"}  # fmt: skip
    for kind in (one for one in _ORDER if one not in {"range", "weekday", "weekend"}):
        for pattern in data.get(kind, ()):
            yield _pattern(kind, language, _fill(pattern, parts))
    yield from _weekday_patterns(language, data)
    for key, phrases in data["phrases"].items():
        unit, back = key.split()
        kind = "weekend" if unit == "weekend" else "phrase"
        plain_ones = [one for one in phrases if one not in data["homographs"]]
        for some, is_homograph in ((plain_ones, False), ([*set(phrases) & set(data["homographs"])], True)):
            if some:
                found = _pattern(kind, language, "|".join(some), unit, int(back))
                yield replace(found, is_homograph=is_homograph)


def _weekday_patterns(language: str, data: Mapping[str, Any]) -> Iterator[_Pattern]:
    """Yield the patterns of a day of the week, and of a range of such days."""
    before = rf"(?P<other>(?:{data['not_behind']})\s*)?"
    after = rf"(?!\s*(?:{data['not_before']}))" if data["not_before"] else ""
    for kind, dated in (("range", ""), ("weekday", _DATED)):
        forms = data.get(f"weekdays_of_{kind}", data["weekdays"])
        parts = {"{wd}": _days_of_week(forms, "wd"), "{to}": _days_of_week(forms, "to")}
        for pattern in data[kind]:
            yield _pattern(kind, language, _fill(f"{before}(?:{pattern}){after}{dated}", parts))


def _days_of_week(patterns: Sequence[str], group: str) -> str:
    return f"(?:{'|'.join(f'(?P<{group}{number}>{pattern})' for number, pattern in enumerate(patterns))})"


def _fill(pattern: str, parts: Mapping[str, str]) -> str:
    for name, part in parts.items():
        pattern = pattern.replace(name, part)
    return pattern


def _pattern(kind: str, language: str, source: str, unit: str = "", back: int = 0) -> _Pattern:
    source = unicodedata.normalize("NFC", source)
    if language not in _UNSPACED:
        source = f"(?<!{_LETTER})(?:{source})(?!{_LETTER})"
    return _Pattern(kind, language, re.compile(source), unit, back)


@cache
def _bare_patterns() -> tuple[_Pattern, ...]:
    """Return the patterns for `bare_letters`, as far as they differ from the others."""
    bare = [(one, bare_letters(one.compiled.pattern)) for one in _patterns() if one.language not in {"ja", "ko"}]
    return tuple(
        replace(one, compiled=re.compile(source), is_bare=True)
        for one, source in bare
        if source != one.compiled.pattern or one.language == "zh"
    )
