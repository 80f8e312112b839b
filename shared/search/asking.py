"""Asking: which segments ask what is asked again, and how much of a question's words others have."""

import re
from collections.abc import Collection, Sequence
from functools import cache
from typing import Final

from shared.models.segment import Segment
from shared.search.terms import AskedTerm, asked_terms, is_unspaced

#: question marks of the scripts (unicode.org/charts: Latin and most others, full width, Arabic, Greek, Armenian,
#: Ethiopic, Limbu, Vai, Bamum)
QUESTION_MARKS: Final = re.compile("[?？؟\u037e՞፧᥅꘏꛷¿⁇⁈⁉‽]")
#: of the words of the same question, as many are in this one; and of those of this one that tell something, in that
LEAST_ALIKE: Final = 0.6
LEAST_FOUND: Final = 0.5
#: words of a question that count at most: of a long one, an answer has few
MOST_COUNTED: Final = 8
#: and pairs of letters, where words have no spaces between them: most are no words
MOST_PAIRS: Final = 4
#: words that only look back, or lead to what is asked, in the languages that recall knows
_LOOKING_BACK: Final = """
en: remember recall remind say says said saying tell tells told telling mention mentioned ask asked asking talk talked
en: discuss discussed again earlier before previously once know knew think thought mean meant please last time thing
en: forget forgot discussion conversation chat spoke speak
de: erinnern erinnerst erinnere erinnert weißt weiß wissen sagen sagte sagtest gesagt erzählt erzählte erzähltest fragte
de: gefragt erwähnt besprochen gesprochen nochmal wieder damals früher neulich vorher bitte mal denn eigentlich sag
es: recuerdas recuerdo recordar acuerdas acuerdo decir dije dijo dijiste dijimos dicho conté contaste preguntó
es: mencioné mencionaste hablamos hablado otra vez antes sabes sabe favor
fr: souviens souvient souvenir rappelle rappelles rappeler dire dit disais raconté parlé demandé mentionné encore avant
fr: fois déjà sais plaît discuté
it: ricordi ricordo ricordare ricorda dire detto disse dicevo raccontato chiesto menzionato parlato ancora prima sai
pt: lembra lembras lembrar lembro dizer disse disseste dissemos dito contei contou perguntei perguntou mencionei falamos
pt: falado outra vez antes sabe sabes favor
nl: herinner herinneren herinnert weet zeggen zei gezegd vertelde verteld vroeg gevraagd genoemd besproken gesproken
nl: nog weer opnieuw eerder toen keer alsjeblieft
pl: pamiętasz pamięta pamiętam przypomnij mówił mówiła mówiłem mówiłam powiedział powiedziała powiedziałem powiedziałam
pl: pytałem pytałam pytał wspomniał rozmawialiśmy znowu wcześniej wiesz proszę
ru: помнишь помните помню помнит вспомни вспомнить напомни напомнить сказал сказала сказали сказать говорил говорила
ru: говорили говорить рассказал рассказала рассказывал спросил спрашивал спрашивала упоминал упоминала обсуждали снова
ru: опять раньше тогда знаешь пожалуйста
uk: пам'ятаєш пам'ятаєте пам'ятаю згадай згадати нагадай нагадати сказав сказала сказали сказати казав казала казали
uk: говорив говорила говорили розповідав розповідала розповів питав питала запитував згадував згадувала обговорювали
uk: знову раніше тоді знаєш ласка
tr: hatırlıyor hatırlıyorsun hatırlıyormusun hatırla hatırlat söylemiştim söyledi söyledim söylemişti demişti dedi dedim
tr: anlatmıştım anlattı sormuştum sordu konuşmuştuk konuştuk tekrar yine önce daha biliyor lütfen
id: ingat mengingat bilang cerita bertanya tanya sebut bahas lagi dulu sebelumnya tahu tolong
uz: eslaysanmi eslaysizmi eslaysan esla aytdim aytdi aytgan aytgandi so'radim so'radi gaplashdik yana avval oldin
ar: تذكر تتذكر أتذكر تذكرين ذكرني قلت قال قالت أخبرتك أخبر سألت سأل تحدثنا مرة أخرى سابقا قبل تعرف
fa: یاد یادت یادته گفتم گفت گفتی پرسیدم پرسید صحبت کردیم دوباره قبلا قبلاً میدانی لطفا
hi: याद कहा बताया बोला पूछा बात फिर दोबारा पहले पता
ja: 覚えてる 覚えて 覚えてる 思い出して 言った 言って 言いました 話した 聞いた 前回 以前 また
zh: 记得 記得 还记得 說過 说过 告诉 提到 问过 之前 以前 再次
ko: 기억해 기억나 기억 말했 말한 얘기 이야기한 물어봤 다시 이전
"""


def is_asking(segment: Segment, places: Sequence[Sequence[Sequence[int]]], asked: Sequence[AskedTerm]) -> bool:
    """Whether a question's words stand in a segment in the same question alone, and in nothing that answers it.

    `places`: for each message those of the question's words that its terms are.
    """
    telling = {place for place, term in enumerate(asked) if not term.is_small}
    having = [n for n, hits in enumerate(places) if any(not telling.isdisjoint(hit) for hit in hits)]
    is_noted = bool(segment.notes)
    return bool(having) and not is_noted and all(_asks(segment.messages[n].text, places[n], telling) for n in having)


def _asks(text: str, hits: Sequence[Sequence[int]], telling: Collection[int]) -> bool:
    found = {place for hit in hits for place in hit if place in telling}
    is_alike = sum(map(bool, hits)) >= LEAST_ALIKE * len(hits) and len(found) >= LEAST_FOUND * len(telling)
    return is_alike and bool(QUESTION_MARKS.search(text))


def shares_of(
    asked: Sequence[AskedTerm], names: Collection[str], common: Collection[int], found: Sequence[Collection[int]]
) -> list[float]:
    """For each of some segments, which share of what a question says it has, from 0 to 1.

    `names`: the terms of the names of people who write here; `common`: the words that many segments have. Names and
    words that look back do not count, and one common word does not by itself, unless the question has no others.
    """
    telling = {place for place, term in enumerate(asked) if not term.is_small}
    counted = {n for n in telling if not looks_back(asked[n]) and set(names).isdisjoint(asked[n].variants)} or telling
    rare = counted.difference(common) or counted
    are_pairs = any(is_unspaced(asked[n].variants[0]) for n in counted)
    most = min(MOST_PAIRS if are_pairs else MOST_COUNTED, len(counted))
    hits = [counted.intersection(places) for places in found]
    if not most:
        return [1.0] * len(found)
    return [min(1.0, len(hit) / most) if len(hit) > 1 or hit & rare else 0.0 for hit in hits]


def looks_back(term: AskedTerm) -> bool:
    """Whether a word tells only that something was said before: `remember`, `told`, `again`."""
    return not _looking_back().isdisjoint(term.variants)


@cache
def _looking_back() -> frozenset[str]:
    lines = (line.partition(": ") for line in _LOOKING_BACK.strip().splitlines())
    words = ((word, language) for language, _, rest in lines for word in rest.split())
    return frozenset(
        variant for word, language in words for term in asked_terms(word, language) for variant in term.variants
    )
