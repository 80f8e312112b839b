"""Classifies questions and segments.

It decides whether a segment only repeats the question, what share of the question's words a segment contains, and
whether a question is only about days.
"""

import re
from collections.abc import Collection, Sequence
from datetime import date
from functools import cache
from typing import Final

from shared.base.language.terms import QueryTerm, is_unspaced, query_terms
from shared.recall.matching.dates import periods_in, without_days
from shared.values.segment import Segment

#: the question marks of all scripts (unicode.org/charts: Latin and most others, full width, Arabic, Greek, Armenian,
#: Ethiopic, Limbu, Vai, Bamum)
QUESTION_MARKS: Final = re.compile("[?？؟\u037e՞፧᥅꘏꛷¿⁇⁈⁉‽]")
#: a message repeats a question if this share of the message's words comes from the question ...
LEAST_ALIKE: Final = 0.6
#: ... and the message contains this share of the question's significant words
LEAST_FOUND: Final = 0.5
#: a question with more characters than this is not only about days
LONGEST_OF_DAYS: Final = 160
#: how many words of a question count at most: an answer contains few words of a long question
MOST_COUNTED: Final = 8
#: the same for pairs of letters in scripts without spaces, since most pairs are not words
MOST_PAIRS: Final = 4
#: words that only refer to the past or only introduce the question, by language
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
#: words that only ask what happened, by language. A question with only these and a day is about the day
_DONE_AT_ALL: Final = """
en: do did done doing happen happened happening go went gone going up write wrote summarize summarise recap anything
en: everything something here over day morning afternoon evening night noon midday early late
de: machen machte machten machtest gemacht tun tat taten getan passieren passiert passierte geschah geschehen los
de: lief gelaufen gegangen ging war waren wart warst gewesen geredet geschrieben hab hatten hatte hattest habt
de: worüber wovon worum gab gegeben zusammen zusammenfassen fass zusammenfassung alles etwas morgen vormittag mittag
de: nachmittag abend nacht früh ende anfang mitte
es: hacer hice hiciste hizo hicimos hicieron hecho pasar pasó pasado ocurrió sucedió fue fui fuimos era estuve
es: estuvimos estaba habló hablé escribí escribiste resume resumir resumen cuéntame cuenta día había hubo algo todo
es: nos noche tarde mañana
fr: faire fait fais faisait passer passe passé arrivé était étais étions été avons avait avais eu écrit écrivait
fr: résume résumer résumé raconte jour quoi s'est qu'est qu'on qu'est-ce discutions tout de ces t matin soir nuit
it: fare fatto fatti facevamo facevo successo accaduto capitato era ero eravamo stato stati abbiamo avevamo scritto
it: riassumi riassunto racconta giorno cos'è cosa c'era tutto negli nei mattina mattino pomeriggio sera notte
pt: fazer fiz fizeste fez fizemos fizeram feito acontecer aconteceu aconteceram ocorreu passou foi fui fomos era
pt: estava estávamos esteve escrevi escreveu resume resumo resumir conta feira dia houve tinha tudo sobre rolou
pt: gente manhã tarde noite
nl: doen deed deden gedaan gebeuren gebeurd gebeurde was waren geweest ging gingen hadden gehad geschreven gepraat
nl: samenvatten vat vertel waarover dag alles ochtend middag avond nacht
pl: robić robiłem robiłam robił robiła robiliśmy robiłyśmy zrobiliśmy zrobiłem zrobiłam działo dzieje stało
pl: wydarzyło zdarzyło był była było byliśmy byłem byłam pisałem pisałam pisaliśmy opowiedz podsumuj czym co dzień
pl: rano wieczorem wieczór popołudniu noc
ru: делать делал делала делали сделал сделала сделали случиться случилось произошло происходило происходит было был
ru: была были писал писала писали рассказывай расскажи рассказали опиши подведи итог итоги день чем о об что всё
ru: утром вечером днём днем ночью занимались занимался
uk: робити робив робила робили зробив зробила зробили трапилося трапилось сталося сталось відбулося відбувалося було
uk: був була були писав писала писали розкажи опиши підсумуй день чим про що все вранці ввечері вдень вночі
uk: займалися
tr: yapmak yaptık yaptım yaptın yaptı yapıyorduk oldu olmuş olmuştu vardı neler gün günü konuştu yazdım yazdı özetle
tr: özet anlat hakkında geçti sabah akşam gece öğleden sonra
id: lakukan melakukan kami kita terjadi hari pada ada apa saja rangkum ceritakan tulis membahas bicarakan bicara
id: kerjakan yang telah sudah pagi siang sore malam ngapain
uz: qildik qildim qilgan qilgandik bo'ldi bo'lgan bo'lgandi kuni kun nima nimalar haqida gaplashgandik yozdim yozgan
uz: ayt edi ertalab kechqurun oqshom
ar: فعل فعلنا فعلت عمل عملنا حدث حصل جرى كان كنا كنت يوم ماذا ما الذي عن كتبت كتبنا لخص تكلمنا صباح صباحا مساء ليلا
ar: قلنا قلتم
fa: کردیم کردم کردی کرد شد شده بود بودیم بودم بودی روز چه چی چکار کار اتفاق افتاد افتاده نوشتم نوشت گفتیم خلاصه در
fa: مورد درباره صبح عصر شب
hi: किया किए की करते क्या हुआ हुई हुए था थी थे को हम हमने मैंने आपने तुमने दिन में लिखा कब कुछ बारे बातें हो सुबह
hi: शाम रात
ja: に何をしましたか 何をした 何した 何してた 何をしていました 何があった 何がありました は何を話した 話しましたか
ja: について のことを私たち たちは何を どうだった 何が起きた どこにいた まとめて 教えて の朝の夜に 夕方 午前 午後
zh: 我们做了什么 你做了什么 我做了什么 干了什么 发生了什么 发生什么 聊了什么 谈了什么 说了什么 说什么 有什么事
zh: 怎么样 我们聊了 我們做了什麼 發生了什麼 聊了什麼 說了什麼 的时候 那天 总结一下 在哪里 都做 们都 早上 晚上 下午
zh: 上午 中午
ko: 동안 에 뭐 했지 뭐했어 뭘 했더라 무슨 일이 있었어 있었지 있었나 우리 우리가 무엇을 했어 했나요 했습니까 말을
ko: 얘기했지 얘기했어 에는 어땠어 요약해 날 아침에 저녁에 밤에 오후에 오전에
"""
#: those of these words that ask for the time or the day itself
_OF_CALENDAR: Final = (
    "en: time day\nes: día\nfr: jour\nit: giorno\npt: dia\nnl: dag\npl: dzień\nru: день\nuk: день\ntr: gün\nid: hari\n"
    "uz: kun\nar: يوم\nfa: روز\nhi: दिन"
)


def repeats_question(segment: Segment, places: Sequence[Sequence[Sequence[int]]], asked: Sequence[QueryTerm]) -> bool:
    """Return whether a segment only repeats a question and does not answer it.

    `places`: for each term of each message, the indexes of the terms in the question (`asked`) that match this term.
    """
    telling = {place for place, term in enumerate(asked) if not term.is_small}
    having = [n for n, hits in enumerate(places) if any(not telling.isdisjoint(hit) for hit in hits)]
    is_noted = bool(segment.notes)
    return bool(having) and not is_noted and all(_asks(segment.messages[n].text, places[n], telling) for n in having)


def _asks(text: str, hits: Sequence[Sequence[int]], telling: Collection[int]) -> bool:
    found = {place for hit in hits for place in hit if place in telling}
    is_alike = sum(map(bool, hits)) >= LEAST_ALIKE * len(hits) and len(found) >= LEAST_FOUND * len(telling)
    return is_alike and bool(QUESTION_MARKS.search(text))


def word_shares(
    asked: Sequence[QueryTerm], names: Collection[str], common: Collection[int], found: Sequence[Collection[int]]
) -> list[float]:
    """Return for each segment the share (0 to 1) of the question's words that the segment contains.

    `names` are the terms of the authors' names. `common` are the indexes of words that many segments contain. Names,
    words that refer to the past, and a single common word do not count, unless the question has no others.
    """
    telling = {place for place, term in enumerate(asked) if not term.is_small}
    counted = {
        n for n in telling if not is_looking_back(asked[n]) and set(names).isdisjoint(asked[n].variants)
    } or telling
    rare = counted.difference(common) or counted
    are_pairs = any(is_unspaced(asked[n].variants[0]) for n in counted)
    most = min(MOST_PAIRS if are_pairs else MOST_COUNTED, len(counted))
    hits = [counted.intersection(places) for places in found]
    if not most:
        return [1.0] * len(found)
    return [min(1.0, len(hit) / most) if len(hit) > 1 or hit & rare else 0.0 for hit in hits]


def asks_of_days(question: str, language: str, today: date, names: Collection[str] = ()) -> bool:
    """Return whether a question is only about days, and perhaps about people on these days: `what did we do on
    Friday?`.

    `names` are the terms of people's names.
    """
    if len(question) > LONGEST_OF_DAYS or not periods_in(question, today):
        return False
    return all(not set(names).isdisjoint(one.variants) for one in terms_besides_days(question, language, today))


def terms_besides_days(question: str, language: str, today: date) -> tuple[QueryTerm, ...]:
    """Return the terms of a question that name anything other than days, without small words such as "the"."""
    rest = query_terms(without_days(question, today), language)
    return tuple(one for one in rest if not one.is_small and _words_beside_days().isdisjoint(one.variants))


def asks_of_now(question: str, language: str, today: date) -> bool:
    """Return whether a question is about today itself, not about what was said before: `What time is it today?`."""
    if any(one.first != today for one in periods_in(question, today)):
        return False
    return all(_past_words().isdisjoint(one.variants) for one in query_terms(without_days(question, today), language))


def is_looking_back(term: QueryTerm) -> bool:
    """Return whether a word only refers to the past, without a subject: `remember`, `told`, `again`."""
    return not _looking_back().isdisjoint(term.variants)


@cache
def _looking_back() -> frozenset[str]:
    return _variants(_LOOKING_BACK)


@cache
def _words_beside_days() -> frozenset[str]:
    return _looking_back() | _variants(_DONE_AT_ALL)


@cache
def _past_words() -> frozenset[str]:
    return _words_beside_days() - _variants(_OF_CALENDAR)


def _variants(table: str) -> frozenset[str]:
    lines = (line.partition(": ") for line in table.strip().splitlines())
    words = ((word, language) for language, _, rest in lines for word in rest.split())
    return frozenset(
        variant for word, language in words for term in query_terms(word, language) for variant in term.variants
    )
