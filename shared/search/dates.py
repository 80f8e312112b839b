"""Dates in a question: days, months, years and spans that it names, and how near something is to them."""

import calendar
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Final

from shared.search.stemming import stem
from shared.wording.catalogue import catalogue, languages

#: by how many days after a named day something is half as near to it: people tell of what happened before
HALF_AFTER: Final = 5.0
#: and before it
HALF_BEFORE: Final = 3.0
#: a span of more than a day is blurred so much more
SPAN_BLUR: Final = 1.5
#: what a month of another year than the last one counts, where no year is named
OTHER_YEAR: Final = 0.8
#: what a year alone counts: most of a conversation is of one year
YEAR_ALONE: Final = 0.5

_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_ISO: Final = re.compile(r"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d?)(?:-(?P<day>\d\d?))?\b")
_DOTTED: Final = re.compile(r"\b(?P<day>\d\d?)\.(?P<month>\d\d?)\.(?P<year>(?:19|20)\d\d)\b")
_YEARS: Final = re.compile(rf"\b{_YEAR}\b")
_DAY: Final = r"(?P<day>\d\d?)(?:st|nd|rd|th|\.|er|º|-?го|-?е)?"
_AFTER_MONTH: Final = re.compile(
    rf"[\s,]*(?:{_DAY}(?!\d))?[\s,]*(?:(?:of|de|del|di|in)\s+)?(?:{_YEAR})?", re.IGNORECASE
)
_BEFORE_MONTH: Final = re.compile(rf"{_DAY}\s+(?:(?:of|de|di)\s+)?\Z", re.IGNORECASE)
#: names of months that are words as well, and what stands before them where they are months
_WORDS_TOO: Final = frozenset({"may", "march", "mars", "mai", "août", "marzo", "set"})
_LEADS_TO_MONTH: Final = re.compile(
    r"\b(?:in|of|during|since|until|by|before|after|last|this|early|mid|late|im|seit|en|de|au|a|em|di)[\s-]+\Z",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W\d_]+")
#: phrases for days before now, as people ask
_TABLE: Final = """
day 0: today|heute|hoy|aujourd'hui|oggi|hoje|сегодня|сьогодні|bugün|hari ini|اليوم|امروز|आज|今日
day 1: yesterday|gestern|ayer|hier|ieri|ontem|вчера|вчора|dün|kemarin|أمس|دیروز|कल|昨日
day 2: day before yesterday|vorgestern|anteayer|avant-hier|позавчера|позавчора|evvelsi gün|一昨日
week 0: this week|diese woche|esta semana|cette semaine|questa settimana|на этой неделе|цього тижня|bu hafta
week 1: last week|letzte woche|letzter woche|la semana pasada|la semaine dernière|la settimana scorsa|semana passada
week 1: на прошлой неделе|минулого тижня|geçen hafta|minggu lalu|الأسبوع الماضي|هفته گذشته|पिछले हफ्ते|先週
month 0: this month|diesen monat|este mes|ce mois-ci|questo mese|este mês|в этом месяце|цього місяця|bu ay
month 1: last month|letzten monat|letztem monat|el mes pasado|le mois dernier|il mese scorso|mês passado
month 1: в прошлом месяце|минулого місяця|geçen ay|bulan lalu|الشهر الماضي|ماه گذشته|पिछले महीने|先月
year 1: last year|letztes jahr|letztem jahr|el año pasado|l'année dernière|l'anno scorso|ano passado
year 1: в прошлом году|минулого року|торік|geçen yıl|tahun lalu|السنة الماضية|سال گذشته|पिछले साल|去年
"""
#: a phrase → the unit, and how many of them back
RELATIVE: Final[Mapping[str, tuple[str, int]]] = {
    phrase: (line.split()[0], int(line.split()[1].rstrip(":")))
    for line in _TABLE.strip().splitlines()
    for phrase in line.partition(": ")[2].split("|")
}
_UNITS: Final = """
day: day tag día jour дн ден
week: week woche semana semaine недел тижн
month: month monat mes mois месяц місяц
year: year jahr año an год лет рок рік
"""
#: how the name of a unit begins → the unit
UNITS: Final[Mapping[str, str]] = {
    begin: line.partition(":")[0] for line in _UNITS.strip().splitlines() for begin in line.partition(": ")[2].split()
}
_COUNT: Final = r"(?P<count>\d{1,4})"
#: patterns of a number of units back
AGO: Final = (
    rf"{_COUNT} (?P<unit>day|week|month|year)s? ago",
    rf"vor {_COUNT} (?P<unit>tag|woche|monat|jahr)",
    rf"hace {_COUNT} (?P<unit>día|semana|mes|año)",
    rf"il y a {_COUNT} (?P<unit>jour|semaine|mois|an)",
    rf"{_COUNT} (?P<unit>дн|ден|недел|тижн|месяц|місяц|год|лет|рок|рік)\w* (?:назад|тому)",
)


@dataclass(frozen=True, kw_only=True)
class Period:
    """A span of days that a question names, both ends within it."""

    first: date
    last: date
    #: what being within it counts, at most
    weight: float = 1.0

    def nearness(self, day: date) -> float:
        """How near a day is: `weight` within the span, half as much some days off, towards 0."""
        blur = 1.0 if self.first == self.last else SPAN_BLUR
        if day > self.last:
            return float(self.weight * 0.5 ** ((day - self.last).days / (HALF_AFTER * blur)))
        return float(self.weight * 0.5 ** (max(0, (self.first - day).days) / (HALF_BEFORE * blur)))


def periods_in(question: str, today: date) -> tuple[Period, ...]:
    """The spans that a question names, as somebody who asks on that day means them; none: it names none."""
    text = question[:4000].lower()
    found = [*_numbered(text), *_named(text, today), *_relative(text, today)]
    if not found and not (_ISO.search(text) or _DOTTED.search(text)):
        found = [_year(int(one["year"])) for one in _YEARS.finditer(text)]
    return tuple(dict.fromkeys(found))


def nearness(periods: tuple[Period, ...], day: date) -> float:
    """How near a day is to the nearest of them, from 0 to 1; 0 without any."""
    return max((one.nearness(day) for one in periods), default=0.0)


def _numbered(text: str) -> Iterator[Period]:
    for found in (*_ISO.finditer(text), *_DOTTED.finditer(text)):
        yield from _of(int(found["year"]), int(found["month"]), int(found["day"] or 0))


def _named(text: str, today: date) -> Iterator[Period]:
    """Months by their names: `8 May 2023`, `May 8`, `in May`, `в мае`."""
    for word in _WORD.finditer(text):
        month = _month(word.group())
        if not month:
            continue
        after = _AFTER_MONTH.match(text, word.end())
        before = _BEFORE_MONTH.search(text, max(0, word.start() - 12), word.start())
        day = int((before and before["day"]) or (after and after["day"]) or 0)
        year = int((after and after["year"]) or 0)
        is_sure = day or year or word.group() not in _WORDS_TOO
        if is_sure or _LEADS_TO_MONTH.search(text, max(0, word.start() - 12), word.start()):
            yield from _of(year, month, day) if year else _of_any_year(month, day, today)


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


def _relative(text: str, today: date) -> Iterator[Period]:
    for phrase, (unit, back) in RELATIVE.items():
        if re.search(rf"(?<!\w){phrase}(?!\w)", text):
            yield _back(unit, back, today)
    for pattern in AGO:
        for found in re.finditer(pattern, text):
            yield _back(UNITS[found["unit"]], min(int(found["count"]), 1000), today)


def _back(unit: str, count: int, today: date) -> Period:
    """The day, week, month or year so many before this one."""
    if unit == "day":
        day = today - timedelta(days=count)
        return Period(first=day, last=day)
    if unit == "week":
        monday = today - timedelta(days=today.weekday() + 7 * count)
        return Period(first=monday, last=monday + timedelta(days=6))
    if unit == "month":
        months = today.year * 12 + today.month - 1 - count
        year, month = divmod(max(months, 12), 12)
        return next(_of(year, month + 1, 0))
    return _year(max(1, today.year - count))


def _month(word: str) -> int:
    """Which month a word names, in any of the languages that lull speaks; 0: none."""
    return _months().get(word, 0) or (0 if word.isascii() else _month_stems().get(_plain(word), 0))


def _plain(word: str) -> str:
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
    return {_plain(name): number for name, number in _months().items() if not name.isascii() and len(name) > 2}
