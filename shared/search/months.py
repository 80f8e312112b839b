"""Months by their names, whole and in short, in the languages that recall knows; and whether a word is one."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from shared.search.stemming import stem
from shared.wording.catalogue import catalogue, languages

#: a word with the marks that are vowels in it, as Devanagari has them
WORD: Final = re.compile(r"(?:[^\W\d_]|[\u0900-\u0963\u064b-\u065f])+")
#: names of months that are words as well, and what stands before them where they are months
_WORDS_TOO: Final = frozenset({"may", "march", "mars", "mai", "août", "marzo", "set"})
_LEADS_TO_MONTH: Final = re.compile(
    r"\b(?:in|on|of|between|from|and|during|since|until|by|before|after|last|this|early|mid|late|im|seit|en|de|au|a|em|di)[\s-]+\Z",
    re.IGNORECASE,
)
#: months as they are written in short; what only some languages write so is a month in these, beside a day or a year
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
#: of them, words of other languages: of English ones, and such as stand behind a number
_OTHER_WORDS: Final = frozenset({"set", "out", "ago", "mag", "gen", "ara", "kas", "tem", "des", "sie", "nis", "avg"})
#: people's names too
_NAMES_TOO: Final = frozenset({"jan", "jun", "mar"})
#: what stands behind one of them where it is a verb
_VERB: Final = re.compile(r"\s+(?:i|we|you|he|she|they|it|be|not|have)\b")


@dataclass(frozen=True)
class Month:
    """A month as a word names it."""

    number: int
    is_short: bool = False
    #: whether it is a word of the language that is spoken rather, unless a year stands beside it
    is_another: bool = False


def month_named(word: str, told: str) -> Month | None:
    """Return which month a word names in any of the languages; `told`: the one that the text is in, if it tells."""
    number = _months().get(word, 0) or (0 if word.isascii() else _month_stems().get(_stem(word), 0))
    if number:
        return Month(number)
    spoken = _short_months().get(word)
    if spoken is None:
        return None
    is_another = word in _OTHER_WORDS and told in {"", "en"}
    return Month(spoken.get(told) or next(iter(spoken.values())), is_short=True, is_another=is_another)


def is_month(text: str, word: re.Match[str], month: Month, *, is_dated: bool, has_day: bool) -> bool:
    """Whether a word that may be another one is a month.

    `is_dated`: a day stands before it, or behind it with its ending; `has_day`: or a number at least.
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
    return {"май": 5, "мае": 5, "маю": 5} | {
        name.lower(): number
        for language in reversed(languages())
        for number, name in enumerate(catalogue(language).calendar.months, 1)
    }


@cache
def _month_stems() -> Mapping[str, int]:
    """Of languages that inflect them: `мая`, `мае`; `травня`, `травні`."""
    return {_stem(name): number for name, number in _months().items() if not name.isascii() and len(name) > 2}


@cache
def _short_months() -> Mapping[str, Mapping[str, int]]:
    """Of each month in short, which one it is in which languages."""
    found: dict[str, dict[str, int]] = {}
    for line in _SHORT_MONTHS.strip().splitlines():
        language, *months = line.replace(":", "").split()
        for number, names in enumerate(months, 1):
            for name in names.split(","):
                found.setdefault(name, {})[language] = number
    return found
