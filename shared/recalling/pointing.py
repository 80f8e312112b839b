"""Pointing: whether a question points at what is not shown, by a test over its words that costs no call.

It holds for any language: what counts is a question mark, or a word that looks back, and words that the conversation
as it is shown does not have.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from shared.search.asking import QUESTION_MARKS
from shared.search.terms import AskedTerm

#: words and beginnings of words that ask for what was, or that look back, in the languages that lull speaks and some
_LOOKING_BACK: Final = re.compile(
    r"""(?<!\w)(?:
    re(?:member|call)|remind\ me\ (?:what|who|when|where|which|how)|earlier|previously
    |last\ (?:time|week|month|year|spring|summer|autumn|fall|winter)
    |we\ (?:said|decided|agreed|discussed|talked)
    |(?:have|did)\ (?:i|we|you)\ (?:say|tell|told|said|mention|decide|agree)
    |(?:i|you|we|he|she|they)\ (?:told|said|mentioned)
    |erinner|neulich|letzte[nsmr]?\ (?:mal|woche|monat|jahr)|hatten?\ (?:ich|wir)|sagte
    |recuerd|acuerd|la\ última\ vez|dijiste|dijimos|habíamos|quedamos
    |souvien|rappelle|la\ dernière\ fois|avons-nous|as-tu\ dit|avait\ dit
    |ricord|l'ultima\ volta|avevamo|abbiamo\ detto|hai\ detto
    |lembra|da\ última\ vez|disseste|dissemos|combinamos|você\ disse
    |помн|вспомн|напомни|в\ прошлый|в\ прошлом|раньше|мы\ (?:решили|говорили|договор)|говорил
    |пам['’ʼ]ята|згада|нагада|минул(?:ого|ої)|раніше|ми\ (?:вирішили|домовил|говорили)|казав|казала|казали
    |hatırl|geçen\ (?:sefer|hafta|ay|yıl)|demiştik|konuşmuştuk
    |ingat|waktu\ itu|minggu\ lalu|bulan\ lalu
    |esla|o'tgan
    |pamięta|ostatnio|zeszł
    )""",
    re.VERBOSE | re.IGNORECASE,
)
#: the same of scripts in which no space stands before a word, or whose beginnings are joined with others
_LOOKING_BACK_ANYWHERE: Final = re.compile(
    "覚えて|思い出|前回|先週|先月|この前|この間|以前|记得|記得|上次|上周|上個月|上个月|之前|기억|지난번|지난주|지난달|저번"
    "|تذكر|تتذكر|المرة الماضية|الأسبوع الماضي|قلت|یاد(?:ت|م)? |دفعه قبل|هفته پیش"
    "|याद|पिछल|จำได้|ครั้งที่แล้ว|สัปดาห์ที่แล้ว|זוכר|בפעם שעברה"
)


@dataclass(frozen=True, kw_only=True)
class Pointing:
    """Whether a question points outside of what is shown, and why, in lull's own words."""

    is_outside: bool
    why: str


def pointing_of(question: str, terms: Sequence[AskedTerm], shown: Callable[[], Collection[str]]) -> Pointing:
    """Whether a question points outside.

    `terms`: those of the question; `shown`: those of what is shown, which few questions have need of.
    """
    looks_back = bool(_LOOKING_BACK.search(question) or _LOOKING_BACK_ANYWHERE.search(question))
    if not looks_back and not QUESTION_MARKS.search(question):
        return Pointing(is_outside=False, why="it asks nothing")
    telling = [term for term in terms if not term.is_small]
    if not telling:
        return Pointing(is_outside=False, why="it names nothing")
    if looks_back:
        return Pointing(is_outside=True, why="it looks back")
    known = shown()
    if all(any(variant in known for variant in term.variants) for term in telling):
        return Pointing(is_outside=False, why="what it names is shown")
    return Pointing(is_outside=True, why="it asks about what is not shown")
