"""Dates in a question: the days, months, years and spans that it names."""

import calendar
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Final, TypeAlias

from shared.search.days_ago import Days, days_in, plain
from shared.search.periods import Period
from shared.search.stemming import stem
from shared.wording.catalogue import catalogue, languages

#: what a month of another year than the last one counts, where no year is named
OTHER_YEAR: Final = 0.8
#: what a year alone counts: most of a conversation is of one year
YEAR_ALONE: Final = 0.5

_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_ISO: Final = re.compile(r"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d?)(?:-(?P<day>\d\d?))?\b")
_DOTTED: Final = re.compile(r"\b(?P<day>\d\d?)\.\s?(?P<month>\d\d?)\.\s?(?P<year>(?:19|20)\d\d)\b")
_EAST_ASIAN: Final = re.compile(rf"(?:{_YEAR}[年년]\s?)?(?<!\d)(?P<month>\d\d?)[月월](?:\s?(?P<day>\d\d?)[日号일])?")
_SLASHED: Final = re.compile(
    r"(?<![\w/.-])(?P<one>\d\d?)(?P<sign>[/-])(?P<two>\d\d?)(?P=sign)(?P<year>(?:19|20)\d\d|\d\d(?![\w/-]))\b"
)
#: without a year, or with two digits of it, only behind a word that leads to a day: `24/7` and `3.11` are none
_SHORT: Final = re.compile(
    r"\b(?:on|am|vom|den|le|el|il|em|op|dnia|в|за|від|с|у)\s+"
    r"(?!24/7)(?P<one>\d\d?)(?:(?P<dot>\.)|(?P<sign>/))(?P<two>\d\d?)(?(dot)\.(?P<year>\d\d)?)(?![\w/])"
)
#: a year by itself; an amount is none
_YEARS: Final = re.compile(
    rf"(?<![$€£¥₴₽#.,:/-])(?<![$€£¥₴₽#] )\b{_YEAR}\b"
    r"(?!\s?(?:[€$£¥₴₽%]|[.,]\d|euros?|dollars?|usd|eur|грн|руб|people|steps|km|kcal))"
)
_MARK: Final = r"(?:st|nd|rd|th|\.|er|º|-?го|-?е)"
_AFTER_MONTH: Final = re.compile(
    rf"[\s,]*(?:(?P<day>\d\d?)(?P<ordinal>{_MARK})?(?![\d:]))?[\s,]*(?:(?:of|de|del|di|in)\s+)?(?:{_YEAR})?"
)
_TO: Final = (
    r"(?:and|to|until|till|through|-|–|und|bis|y|et|e|a|al|au|hasta|até|и|по|до|та|і|й|dan|sampai|en|tot|i|do|و|تا)"
)
#: a day, or the first and the last one
_BEFORE_MONTH: Final = re.compile(
    rf"(?<![\d:.,/])(?P<day>\d\d?){_MARK}?(?:\s*{_TO}\s*(?P<until>\d\d?){_MARK}?)?\s+(?:(?:of|de|di)\s+)?\Z"
)
#: between a date and the year that is told beside it
_BESIDE: Final = re.compile(r"[\s,]*(?:(?:of|in|im|en|em|de|del|do|des|dell'|d'|l'|в|у|no|nel|من)\s*){0,2}[\s,]*")
_RANGE_LEAD: Final = re.compile(
    r"\b(?:between|from|zwischen|vo[nm]|entre|du|de|desde|del|tra|fra|dal|между|со?|між|з|від|dari|antara|van|tussen|od)\s+\Z"
)
_RANGE_BETWEEN: Final = re.compile(rf"[\s,]*{_TO}[\s,]*(?:(?:the|le|il|el|o|zum)\s+)?")
#: names of months that are words as well, and what stands before them where they are months
_WORDS_TOO: Final = frozenset({"may", "march", "mars", "mai", "août", "marzo", "set"})
_LEADS_TO_MONTH: Final = re.compile(
    r"\b(?:in|on|of|between|from|and|during|since|until|by|before|after|last|this|early|mid|late|im|seit|en|de|au|a|em|di)[\s-]+\Z",
    re.IGNORECASE,
)
#: what stands behind one of them where it is a verb
_VERB: Final = re.compile(r"\s+(?:i|we|you|he|she|they|it|be|not|have)\b")
_WORD: Final = re.compile(r"[^\W\d_]+")


#: where in a text something stands, and the spans that it may be, the likeliest first
Named: TypeAlias = tuple[tuple[int, int], tuple[Period, ...]]


def periods_in(question: str, today: date) -> tuple[Period, ...]:
    """The spans that a question names, as somebody who asks on that day means them; none: it names none."""
    text = plain(question[:4000])
    relative = [*days_in(text, today)]
    found = sorted((*_numbered(text, today), *_named(text, today, relative)), key=lambda one: one[0])
    periods = [*_ranges(text, found)]
    used = {one.start for one in relative if one.year and any(_is_of_year(text, *span, one) for span, _ in found)}
    periods += [_period(one) for one in relative if one.start not in used]
    if not periods and not (_ISO.search(text) or _DOTTED.search(text)):
        periods = [_year(int(one["year"])) for one in _YEARS.finditer(text) if int(one["year"]) <= today.year]
    return tuple(dict.fromkeys(periods))


def _numbered(text: str, today: date) -> Iterator[Named]:
    """Dates in numbers. Of `5/11/2026`, which may be read in two ways, the day comes first, and both may be meant."""
    for found in (*_ISO.finditer(text), *_DOTTED.finditer(text), *_EAST_ASIAN.finditer(text)):
        year, month, day = (int(found[name] or 0) for name in ("year", "month", "day"))
        yield found.span(), tuple(_of(year, month, day) if year else _of_any_year(month, day, today))
    for found in (*_SLASHED.finditer(text), *_SHORT.finditer(text)):
        first, second, year = int(found["one"]), int(found["two"]), int(found["year"] or 0)
        year += 2000 if 0 < year < 100 else 0
        orders = [(second, first), (first, second)] if found["sign"] else [(second, first)]
        read = [one for order in orders for one in (_of(year, *order) if year else _of_any_year(*order, today))]
        yield found.span(), tuple([one for one in read if one.first <= today] or read)


def _named(text: str, today: date, relative: Sequence[Days]) -> Iterator[Named]:
    """Months by their names: `8 May 2023`, `May 8`, `in May`, `в мае`, `October last year`, `3 to 10 May`."""
    for word in _WORD.finditer(text):
        month = _month(word.group())
        if not month:
            continue
        after = _AFTER_MONTH.match(text, word.end())
        before = _BEFORE_MONTH.search(text, max(0, word.start() - 24), word.start())
        end = after.end() if after and (after["day"] or after["year"]) else word.end()
        span = (before.start() if before else word.start(), end)
        day, until = int((before and before["day"]) or (after and after["day"]) or 0), before and before["until"]
        said = next((one.year for one in relative if one.year and _is_of_year(text, *span, one)), 0)
        year = int((after and after["year"]) or said)
        if (
            word.group() not in _WORDS_TOO
            or year
            or _is_month(text, word, bool(before or (after and after["ordinal"])))
        ):
            days = tuple(_of(year, month, day) if year else _of_any_year(month, day, today))
            yield span, tuple(_until(one, int(until)) for one in days) if until else days


def _is_month(text: str, word: re.Match[str], has_day: bool) -> bool:
    """Whether a word that may be a verb is a month."""
    is_lead = _LEADS_TO_MONTH.search(text, max(0, word.start() - 12), word.start())
    return bool(is_lead or has_day) and not _VERB.match(text, word.end())


def _until(first: Period, day: int) -> Period:
    """From a day to another one of the same month."""
    most = calendar.monthrange(first.first.year, first.first.month)[1]
    return replace(first, last=first.first.replace(day=max(first.first.day, min(day, most))))


def _is_of_year(text: str, start: int, end: int, year: Days) -> bool:
    """Whether `last year` stands beside a date without one."""
    between = text[end : year.start] if year.start >= end else text[year.end : start]
    return bool(_BESIDE.fullmatch(between))


def _ranges(text: str, found: Sequence[Named]) -> Iterator[Period]:
    """The periods, where two with `to` or `and` between them and `between` before them are one."""
    left = list(found)
    while left:
        (start, end), periods = left.pop(0)
        begins = bool(left) and bool(_RANGE_LEAD.search(text[max(0, start - 10) : start]))
        if begins and _RANGE_BETWEEN.fullmatch(text[end : left[0][0][0]]):
            _, others = left.pop(0)
            later = [one for one in others if one.last >= periods[0].first] if periods else []
            if later:
                yield replace(periods[0], last=min(later, key=lambda one: one.last).last)
                continue
            yield from others
        yield from periods


def _period(days: Days) -> Period:
    return Period(first=days.first, last=days.last, weight=YEAR_ALONE if days.year else 1.0)


def _of(year: int, month: int, day: int) -> Iterator[Period]:
    if not 1 <= month <= 12:
        return
    most = calendar.monthrange(year, month)[1]
    if day > most:
        return
    yield Period(first=date(year, month, day or 1), last=date(year, month, day or most))


def _of_any_year(month: int, day: int, today: date) -> Iterator[Period]:
    """Of the last year in which it was, and less so of the years before."""
    newest = today.year if (month, day or 1) <= (today.month, today.day) else today.year - 1
    for year in range(newest, newest - 4, -1):
        weight = 1.0 if year == newest else OTHER_YEAR
        yield from (Period(first=p.first, last=p.last, weight=weight) for p in _of(year, month, day))


def _year(year: int) -> Period:
    return Period(first=date(year, 1, 1), last=date(year, 12, 31), weight=YEAR_ALONE)


def _month(word: str) -> int:
    """Which month a word names, in any of the languages that lull speaks; 0: none."""
    return _months().get(word, 0) or (0 if word.isascii() else _month_stems().get(_stem(word), 0))


def _stem(word: str) -> str:
    return stem(word, "uk") if any(letter in word for letter in "іїєґ") else stem(word, "ru")


@cache
def _months() -> Mapping[str, int]:
    return {"май": 5, "мае": 5, "маю": 5} | {
        name.lower(): number
        for language in reversed(languages())
        for number, name in enumerate(catalogue(language).calendar.months, 1)
    }


@cache
def _month_stems() -> Mapping[str, int]:
    """Of languages that inflect them: `мая`, `мае`; `травня`, `травні`."""
    return {_stem(name): number for name, number in _months().items() if not name.isascii() and len(name) > 2}
