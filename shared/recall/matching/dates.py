"""Finds the days, months, years and spans of time that a question names."""

import calendar
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import Final, TypeAlias

from shared.base.language.languages import detect_language
from shared.base.language.stemming import stem
from shared.base.wording.words import catalogue, languages
from shared.recall.matching.days_ago import DayRange, days_in, month_forms, number_in, plain_text, spoken_days
from shared.recall.matching.periods import YEAR_ALONE, Period, days_named, is_month_long, newest_of, whole_year

_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_ISO: Final = re.compile(
    r"\b(?P<year>(?:19|20)\d\d)(?:-(?P<month>\d\d?)(?:-(?P<day>\d\d?))?"
    r"|(?P<sep>[/.])\s?(?P<m>\d\d?)(?P=sep)\s?(?P<d>\d\d?)(?![/.]\d))(?:\b|(?=t\d\d))"
)
_DOTTED: Final = re.compile(r"\b(?P<day>\d\d?)\.\s?(?P<month>\d\d?)\.\s?(?P<year>(?:19|20)\d\d)\b")
_CHARACTERS: Final = "一二三四五六七八九十"
_EAST_ASIAN: Final = re.compile(
    rf"(?:{_YEAR}[年년]\s?)?(?<![\d{_CHARACTERS}])(?P<month>\d\d?|十?[{_CHARACTERS}])[月월]"
    rf"(?:\s?(?P<day>\d\d?|[{_CHARACTERS}]{{1,3}})[日号號일])?"
)
_SLASHED: Final = re.compile(
    r"(?<![\w/.-])(?P<one>\d\d?)(?P<sign>[/-])(?P<two>\d\d?)(?P=sign)(?P<year>(?:19|20)\d\d|\d\d(?![\w/-]))\b"
)
#: a date without a year or with a two-digit year. It counts only after a preposition or a day of the week: `24/7` and
#: `3.11` are not dates
_SHORT: Final = re.compile(
    r"(?:\b(?P<lead>on|am|vom|den|le|el|il|em|op|dnia|в|за|від|с|у)\s+|(?<![\w/.:-]))"
    r"(?!24/7)(?P<one>\d\d?)(?:(?P<dot>\.)|(?P<sign>/))(?P<two>\d\d?)(?(dot)\.(?P<year>\d\d)?)(?![\w/])"
)
_GAP: Final = re.compile(r"[\s,.]*")
_MONTH_YEAR: Final = re.compile(
    r"(?<![\w/.-])(?P<month>0[1-9]|1[0-2]|[1-9](?=/))[/.](?P<year>(?:19|20)\d\d)(?![\w/-]|\.\d)"
)
#: a year alone, and not an amount such as `2000 €`
_YEARS: Final = re.compile(
    rf"(?<![$€£¥₴₽#.,:/-])(?<![$€£¥₴₽#] )\b{_YEAR}\b"
    r"(?!\s?(?:[€$£¥₴₽%]|[.,]\d|euros?|dollars?|usd|eur|грн|руб|people|steps|km|kcal))"
)
_MARK: Final = r"(?:st|nd|rd|th|\.|er|º|-?го|-?е)"
_TO: Final = (
    r"(?:and|to|until|till|through|-|–|und|bis|y|et|e|a|al|au|hasta|até|и|по|до|та|і|й|dan|sampai|en|tot|i|do|و|تا)"
)
#: a day, or a first and a last day
_BEFORE_MONTH: Final = re.compile(
    rf"(?<![\w:.,/])(?P<day>\d\d?){_MARK}?(?:\s*{_TO}\s*(?P<until>\d\d?){_MARK}?)?(?:\s*|[/-]|\s+(?:of|de|di)\s+)\Z"
)
_AFTER_MONTH: Final = re.compile(
    rf"(?:[\s,]*(?:the\s+)?(?P<day>\d\d?)(?P<ordinal>{_MARK})?(?:(?:\s+{_TO}\s+|\s*[-–]\s*)(?P<until>\d\d?){_MARK}?)?"
    rf"(?![\d:]))?(?:(?:[\s,]*(?:(?:of|de|del|di|in)\s+)?|[/-]){_YEAR}(?!\d)|\s+'(?P<short>\d\d)(?!\w))?"
)
_YEAR_BEFORE: Final = re.compile(rf"(?<![\w.,]){_YEAR}[\s,/-]+\Z")
_YEAR_AFTER: Final = re.compile(rf"[\s,]+{_YEAR}(?!\d)")
#: the number of a day before a month that is named as `last month` and the like
_DAY_OF: Final = re.compile(rf"(?<![\w:.,/])(?P<day>\d\d?){_MARK}\s+(?:(?:of|de|del|di|числа)\s+)?\Z")
_RANGE_LEAD: Final = re.compile(
    r"\b(?:between|from|zwischen|vo[nm]|entre|du|de|desde|del|tra|fra|dal|между|со?|між|з|від|dari|antara|van|tussen|od)\s+\Z"
)
_RANGE_BETWEEN: Final = re.compile(rf"[\s,]*{_TO}[\s,]*(?:(?:the|le|il|el|o|zum)\s+)?")


#: the start and end of a date in a text, and the periods that the date may mean, the likeliest first
Named: TypeAlias = tuple[tuple[int, int], tuple[Period, ...]]


def periods_in(question: str, today: date) -> tuple[Period, ...]:
    """Return the periods of time that a question names; () if there are none. `today` is the day of the question."""
    text = plain_text(question[:4000])
    relative, found = _days_of(text, today)
    periods = [*_ranges(text, found)]
    used = {one.start for one in relative if one.year and any(one.is_beside(text, *span) for span, _ in found)}
    relative = [*_with_weekdays(text, [one for one in relative if one.start not in used], found, today)]
    periods += [_period(one) for one in relative]
    if not periods and not (_ISO.search(text) or _DOTTED.search(text)):
        periods = [whole_year(int(one["year"])) for one in _YEARS.finditer(text) if int(one["year"]) <= today.year]
    return tuple(dict.fromkeys(periods))


def without_days(question: str, today: date) -> str:
    """Return a question's `plain_text` with its days, months and longer times blanked out. A lone year is kept."""
    text = plain_text(question[:4000])
    relative, found = _days_of(text, today)
    numbers = (match.span() for one in relative if (match := _number_before(text, one)))
    for start, end in (*((one.start, one.end) for one in relative), *(span for span, _ in found), *numbers):
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


@lru_cache(maxsize=16)
def _days_of(text: str, today: date) -> tuple[Sequence[DayRange], Sequence[Named]]:
    """Return the relative days in a plain text, and its dates in the order of the text."""
    relative = tuple(days_in(text, today))
    return relative, sorted(
        (*_numeric_dates(text, today, relative), *_dates_by_month_name(text, today, relative)), key=lambda one: one[0]
    )


def _numeric_dates(text: str, today: date, relative: Sequence[DayRange]) -> Iterator[Named]:
    """Yield the dates in numbers. `5/11/2026` has two readings; the likelier one, with the day first, comes first."""
    for found in (*_ISO.finditer(text), *_DOTTED.finditer(text), *_EAST_ASIAN.finditer(text)):
        said = found.groupdict()
        month, day = (number_in(said[name] or said.get(name[0]) or "0", "zh") for name in ("month", "day"))
        year = int(said["year"] or 0) or _year_beside(relative, text, found.span())
        yield found.span(), tuple(days_named(year, month, day, today))
    for found in _MONTH_YEAR.finditer(text):
        yield found.span(), tuple(days_named(int(found["year"]), int(found["month"]), 0, today))
    for found in (*_SLASHED.finditer(text), *_SHORT.finditer(text)):
        weekday = next(
            (one for one in relative if one.is_weekday and _GAP.fullmatch(text, one.end, found.start())), None
        )
        if weekday is None and not (found.groupdict().get("lead", found[0])):
            continue
        first, second, year = int(found["one"]), int(found["two"]), int(found["year"] or 0)
        year += 2000 if 0 < year < 100 else 0
        orders = [(second, first), (first, second)] if found["sign"] else [(second, first)]
        read = [one for order in orders for one in days_named(year, *order, today)]
        if weekday is not None and found["sign"]:
            read = [one for one in newest_of(read) if one.first.weekday() == weekday.first.weekday()]
        if not read:
            continue
        yield found.span(), tuple([one for one in read if one.first <= today] or read)


def _dates_by_month_name(text: str, today: date, relative: Sequence[DayRange]) -> Iterator[Named]:
    """Yield dates with named months: `8 May 2023`, `May 8`, `Nov 5th`, `in May`, `October last year`, `3 to 10 May`."""
    told = detect_language(WORD.findall(text))
    for word in WORD.finditer(text):
        month = month_named(word.group(), told)
        if not month or any(one.start <= word.start() < one.end for one in relative):
            continue
        after = _AFTER_MONTH.match(text, word.end() + (month.is_short and text[word.end() : word.end() + 1] == "."))
        if after and after["day"] and any(one.start == after.start("day") for one in relative):
            after = None  # the number belongs to the next words, such as `2 years ago`
        before = _BEFORE_MONTH.search(text, max(0, word.start() - 24), word.start())
        led = _YEAR_BEFORE.search(text, max(0, word.start() - 8), word.start())
        end = after.end() if after and (after["day"] or after["year"] or after["short"]) else word.end()
        span = ((before or led or word).start(), end)
        numbers = before or after
        day, until = (int(numbers[name] or 0) if numbers else 0 for name in ("day", "until"))
        if not day and (spoken := _spoken_day(text, word)):
            day = int((spoken.lastgroup or "")[1:])
            if spoken.end() <= word.start():
                before = spoken
            else:
                later = _YEAR_AFTER.match(text, spoken.end())
                led, span = later or led, (span[0], (later or spoken).end())
        short = f"20{after['short']}" if after and after["short"] else ""
        year = int((after and after["year"]) or short or (led and led["year"]) or _year_beside(relative, text, span))
        is_dated = bool(before or (after and after["ordinal"]))
        if year or is_month(text, word, month, is_dated=is_dated, has_day=bool(day)):
            days = tuple(days_named(year, month.number, day, today))
            yield span, tuple(_until(one, until) for one in days) if until else days


def _spoken_day(text: str, month: re.Match[str]) -> re.Match[str] | None:
    """Return the day of a month if it is written as a word: `the fifth of May`, `May fifth`."""
    days, name, end = _spoken_days(), month.group(), month.start()
    spoken = [one for one in days if name in map(str.lower, catalogue(one).calendar.months)] or days
    before = next(filter(None, (days[one].search(text, max(0, end - 40), end) for one in spoken)), None)
    return before or _spoken_after().match(text, month.end())


@cache
def _spoken_days() -> Mapping[str, re.Pattern[str]]:
    return {name: re.compile(rf"{days}\s+(?:(?:of|de|di|do)\s+)?\Z") for name, days in spoken_days().items()}


@cache
def _spoken_after() -> re.Pattern[str]:
    return re.compile(rf"\s+(?:the\s+)?(?:{spoken_days()['en']})(?!\w)")


def _year_beside(relative: Sequence[DayRange], text: str, span: tuple[int, int]) -> int:
    """Return the year of `last year` and the like if it belongs to the date in `span`; else 0."""
    return next((one.year for one in relative if one.year and one.is_beside(text, *span)), 0)


def _with_weekdays(text: str, relative: Sequence[DayRange], found: Sequence[Named], today: date) -> Iterator[DayRange]:
    """Yield the relative days. Neighbouring expressions are combined: `Friday two weeks ago`, `Friday, 6 November`."""
    weekdays = [one for one in relative if one.is_weekday or one.first == one.last == today]
    single = [one for one in relative if one.first == one.last and one not in weekdays]
    longer = [one for one in relative if one.first != one.last]
    told: list[DayRange] = []
    for one in longer:
        beside = [n for n in (*weekdays, *single) if one.is_beside(text, n.start, n.end)]
        day = next(filter(None, (_day_in(one, n) for n in beside)), None) or _day_before(text, one)
        told += [replace(one, first=day, last=day) if day else one]
        single = [n for n in single if n not in beside or not day]
    yield from (*told, *single)
    dated = [*(span for span, _ in found), *((one.start, one.end) for one in (*told, *single))]
    yield from (one for one in weekdays if not any(one.is_beside(text, *span) for span in dated))


def _day_in(span: DayRange, day: DayRange) -> date | None:
    """Return the day that neighbouring words select in a week or month: the Friday in `Friday of last week`.

    `day` is the meaning of those words, a weekday or a number. Return None if they select no day.
    """
    if (span.last - span.first).days == 6:
        return span.first + timedelta(days=day.first.weekday())
    is_told = is_month_long(span.first, span.last) and not day.is_weekday and day.first.day <= span.last.day
    return span.first.replace(day=day.first.day) if is_told else None


def _day_before(text: str, span: DayRange) -> date | None:
    """Return the day of a month if its number is written before the month (`the 3rd of last month`); else None."""
    number = _number_before(text, span)
    day = int(number["day"]) if number else 0
    return span.first.replace(day=day) if 1 <= day <= span.last.day else None


def _number_before(text: str, span: DayRange) -> re.Match[str] | None:
    return _DAY_OF.search(text, max(0, span.start - 16), span.start) if is_month_long(span.first, span.last) else None


def _until(first: Period, day: int) -> Period:
    """Return the period from the first day of `first` to the day numbered `day` of the same month."""
    most = calendar.monthrange(first.first.year, first.first.month)[1]
    return replace(first, last=first.first.replace(day=max(first.first.day, min(day, most))))


def _ranges(text: str, found: Sequence[Named]) -> Iterator[Period]:
    """Yield the periods of the dates. Two dates that are written as `between X and Y` become one period."""
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


def _period(days: DayRange) -> Period:
    return Period(first=days.first, last=days.last, weight=YEAR_ALONE if days.year else 1.0)


#: a word, with combining vowel marks such as those of Devanagari
WORD: Final = re.compile(r"(?:[^\W\d_]|[\u0900-\u0963\u064b-\u065f])+")
#: names of months that are also other words, and the words that show, before such a name, that it is a month
_WORDS_TOO: Final = frozenset({"may", "march", "mars", "mai", "août", "marzo", "set"})
_LEADS_TO_MONTH: Final = re.compile(
    r"\b(?:in|on|of|between|from|and|during|since|until|by|before|after|last|this|early|mid|late|im|seit|en|de|au|a|em|di)[\s-]+\Z",
    re.IGNORECASE,
)
#: abbreviated months by language. An abbreviation that only some languages use counts only in these, and beside a day
#: or a year
_SHORT_MONTHS: Final = """
en: jan feb mar apr may jun jul aug sep,sept oct nov dec
de: jan,jän feb mär,mrz apr mai jun jul aug sep,sept okt nov dez
fr: jan,janv fév,févr mars avr mai juin juil août sep,sept oct nov déc
es: ene feb mar abr may jun jul ago sep,sept,set oct nov dic
it: gen feb mar apr mag giu lug ago set,sett ott nov dic
pt: jan fev mar abr mai jun jul ago set out nov dez
nl: jan feb mrt apr mei jun jul aug sep,sept okt nov dec
pl: sty lut mar kwi maj cze lip sie wrz paź lis gru
ru: янв фев,февр мар апр мая июн июл авг сен,сент окт ноя,нояб дек
uk: січ лют бер кві,квіт тра,трав чер,черв лип сер,серп вер,верес жов,жовт лис,лист гру,груд
tr: oca şub mar nis may haz tem ağu eyl eki kas ara
id: jan feb mar apr mei jun jul agu,ags,agt sep okt nov des
uz: yan fev mar apr may iyn iyl avg sen,sent okt noy dek
"""
#: abbreviations that are also words of other languages
_OTHER_WORDS: Final = frozenset({"set", "out", "ago", "mag", "gen", "ara", "kas", "tem", "des", "sie", "nis", "avg"})
#: abbreviations that are also people's names
_NAMES_TOO: Final = frozenset({"jan", "jun", "mar"})
#: words that show, after a month's name, that the name is a verb here
_VERB: Final = re.compile(r"\s+(?:i|we|you|he|she|they|it|be|not|have)\b")


@dataclass(frozen=True)
class NamedMonth:
    """The month that a word in a text may name, by its number (1 to 12)."""

    number: int
    is_short: bool = False
    #: whether the word is more likely an ordinary word of the text's language
    is_another: bool = False


def month_named(word: str, told: str) -> NamedMonth | None:
    """Return the month that a word names in any language; None if it names none. `told` is the language of the text, if
    known.
    """
    number = _months().get(word, 0) or (0 if word.isascii() else _month_stems().get(_stem(word), 0))
    if number:
        return NamedMonth(number)
    spoken = _short_months().get(word)
    if spoken is None:
        return None
    is_another = word in _OTHER_WORDS and told in {"", "en"}
    return NamedMonth(spoken.get(told) or next(iter(spoken.values())), is_short=True, is_another=is_another)


def is_month(text: str, word: re.Match[str], month: NamedMonth, *, is_dated: bool, has_day: bool) -> bool:
    """Return whether a word that can name a month, such as `may`, does so in this text.

    `is_dated`: a day precedes the word, or follows it with an ending such as `5th`. `has_day`: there is a number before
    or after the word, which may be a day.
    """
    if month.is_another:
        return False
    if month.is_short and (is_dated or (has_day and word.group() not in _OTHER_WORDS)):
        return True
    if word.group() in _NAMES_TOO:
        return False
    if word.group() not in _WORDS_TOO and not month.is_short:
        return True
    is_lead = _LEADS_TO_MONTH.search(text, max(0, word.start() - 12), word.start())
    return bool(is_lead or is_dated) and not _VERB.match(text, word.end())


def _stem(word: str) -> str:
    return stem(word, "uk") if any(letter in word for letter in "іїєґ") else stem(word, "ru")


@cache
def _months() -> Mapping[str, int]:
    return {"май": 5, "мае": 5, "маю": 5, **month_forms()} | {
        name.lower(): number
        for language in reversed(languages())
        for number, name in enumerate(catalogue(language).calendar.months, 1)
    }


@cache
def _month_stems() -> Mapping[str, int]:
    """Return the stems of months, for languages that inflect their names: `мая`, `мае`; `травня`, `травні`."""
    return {_stem(name): number for name, number in _months().items() if not name.isascii() and len(name) > 2}


@cache
def _short_months() -> Mapping[str, Mapping[str, int]]:
    """Return, for each abbreviated month, its number by language: an abbreviation may mean different months."""
    found: dict[str, dict[str, int]] = {}
    for line in _SHORT_MONTHS.strip().splitlines():
        language, *months = line.replace(":", "").split()
        for number, names in enumerate(months, 1):
            for name in names.split(","):
                found.setdefault(name, {})[language] = number
    return found
