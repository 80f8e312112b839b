"""Tests that segments which repeat the question rank below answers, and that bad results have a low fit."""

from datetime import date

import pytest

from shared.base.language.terms import name_terms, query_terms, terms_of
from shared.recall.matching.questions import asks_of_days, is_looking_back, repeats_question, word_shares
from shared.recall.matching.scoring import Candidate, CorpusStatistics, SearchQuestion, score_candidates
from shared.recall.prompt_recall import LEAST_FIT
from shared.values.segment import Segment, SegmentMessage
from tests.shared.examples import BOB, NOW, SECOND

QUESTION = "what is the password of the boathouse?"
ASKED_BEFORE = (
    "What's the boathouse password?",
    "do you remember the password of the boathouse?",
    "boathouse password??",
)


def segment(*texts: str, number: int = 1) -> Segment:
    messages = tuple(
        SegmentMessage(
            seq=n,
            message_id=n,
            at=NOW + number * SECOND,
            author=BOB.id,
            name="Bob",
            text=text,
            terms=" ".join(terms_of(text)),
        )
        for n, text in enumerate(texts, 1)
    )
    return Segment(conversation=f"conv-{number}", number=1, agent="lull", place="lull.1", chat="p1", messages=messages)


def ranked(*segments: Segment, question: str = QUESTION) -> list[tuple[str, float]]:
    candidates = [Candidate(segment=one, days=frozenset({NOW.date()})) for one in segments]
    asked = SearchQuestion(terms=query_terms(question))
    found = score_candidates(
        candidates, asked, CorpusStatistics(segments=len(segments), matches=(None,) * len(asked.terms))
    )
    return [(one.segment.conversation, one.fit) for one in found]


def test_an_answer_ranks_above_repeated_questions() -> None:
    answer = segment("By the way: the password of our old boathouse by the lake is marmalade now.", number=9)
    asking = [segment(text, "I do not know that.", number=n) for n, text in enumerate(ASKED_BEFORE * 2, 1)]
    assert ranked(*asking, answer)[0][0] == "conv-9"


@pytest.mark.parametrize(
    ("texts", "asks"),
    [
        (ASKED_BEFORE[:1], True),
        ((ASKED_BEFORE[1], "I do not know."), True),
        (("The password of the boathouse is marmalade.",), False),
        ((ASKED_BEFORE[0], "The password is marmalade."), False),
        (("I painted the boathouse, is the old password still marmalade or did you change it with the lock?",), False),
        (("We had soup.",), False),
    ],
)
def test_detects_repeated_questions(texts: tuple[str, ...], asks: bool) -> None:
    asked = query_terms(QUESTION)
    places = {v: n for n, term in enumerate(asked) for v in term.variants}
    one = segment(*texts)
    hits = [[(places[term],) if term in places else () for term in m.terms.split()] for m in one.messages]
    assert repeats_question(one, hits, asked) is asks


def test_the_best_of_bad_results_has_a_low_fit() -> None:
    question = "who is Kim's dentist, and in which street was that practice with the green door again?"
    bad = ranked(segment("the boat needs paint"), segment("the street is loud"), question=question)
    assert all(fit < LEAST_FIT for _, fit in bad)
    good = ranked(segment("Kim's dentist is Dr Reed"), segment("soup again"), question=question)
    assert good[0][1] >= LEAST_FIT


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("do you remember how to open the safe, please, Mortimer?", "the safe opens with heron seven"),
        ("do you remember, for Bob, what the password of the shed was?", "the password of the shed is heron"),
        ("Bob, you know, what did I tell you about that thing with my landlord?", "my landlord wants the keys back"),
        ("what did Bob say?", "Bob: no soup for me"),
        ("what did I say I wanted to be reminded of?", "I want to paint the fence"),
        ("Erinnerst du dich, was ich dir über den Mietvertrag gesagt habe?", "der Mietvertrag endet im März"),
        ("te acuerdas de lo que te dije sobre el garaje?", "el garaje cuesta cien al mes"),
        ("tu te souviens de ce que j'ai dit de la chaudière ?", "la chaudière sera changée jeudi"),
        ("ti ricordi cosa ti avevo detto della caldaia?", "la caldaia perde acqua"),
        ("você lembra o que eu disse sobre a garagem?", "a garagem custa cem por mês"),
        ("помнишь, что я тебе говорил про котёл?", "котёл поменяют в марте"),
        ("пам'ятаєш, що я тобі казала про котел?", "котел замінять у березні"),
        ("pamiętasz, co mówiłem o kotle?", "kotle jest za mało wody"),
        ("kombi hakkında ne söylemiştim, hatırlıyor musun?", "kombi martta değişecek"),
        ("masih ingat apa yang saya bilang soal garasi?", "garasi saya sudah ada di sini"),
        ("ボイラーについて言ったことを覚えてる?", "ボイラーは三月に交換"),
        ("你还记得我说过的锅炉吗?", "锅炉三月换"),
    ],
)
def test_ignores_words_that_only_introduce_the_question(question: str, said: str) -> None:
    (found,) = ranked(segment(said), question=question)
    assert found[1] >= LEAST_FIT


def test_a_long_question_needs_two_matching_words() -> None:
    question = "when does the plumber bring the new boiler for the cellar and the pipes of the kitchen?"
    fits = dict(ranked(segment("the plumber has a boiler"), segment("a cellar", number=2), question=question))
    assert fits["conv-1"] >= LEAST_FIT > fits["conv-2"]


def test_words_that_look_back_do_not_count_as_a_match() -> None:
    question = "do you remember what I told you about the boathouse?"
    fits = dict(ranked(segment("remember what I told you"), segment("a boathouse", number=2), question=question))
    assert fits["conv-2"] >= LEAST_FIT > fits["conv-1"]


def test_one_common_word_is_not_enough() -> None:
    asked = query_terms("baby weight scale")
    assert word_shares(asked, (), {0}, [{0}, {1}, {0, 1}, set()]) == [0, 1 / 3, 2 / 3, 0]
    assert word_shares(asked[:1], (), {0}, [{0}, set()]) == [1, 0]
    assert word_shares(query_terms("the"), (), (), [set()]) == [1]


@pytest.mark.parametrize("word", ["told", "gesagt", "dijiste", "souviens", "detto", "говорил", "казала", "söylemiştim"])
def test_knows_words_that_look_back_in_each_language(word: str) -> None:
    (term,) = query_terms(word)
    assert is_looking_back(term)


@pytest.mark.parametrize("word", ["boat", "soup", "Mietvertrag", "caldaia", "котёл", "kombi", "Wort", "kata"])
def test_content_words_do_not_look_back(word: str) -> None:
    (term,) = query_terms(word)
    assert not is_looking_back(term)


@pytest.mark.parametrize(
    "question",
    [
        "what did we do on Friday?", "What happened on Friday evening?", "what did we talk about yesterday",
        "what was said last weekend?", "what did I tell you on Monday?", "What did we discuss on 11/5?", "Friday?",
        "do you remember what we did the day before yesterday?", "summarize what we said on Friday",
        "what did we talk about over the last two weeks?", "how was Friday?", "what happened on the 27th?",
        "Was haben wir am Freitag gemacht?", "worüber haben wir gestern geredet?", "was war am Wochenende los?",
        "was haben wir in den letzten Tagen besprochen?", "¿Qué hicimos el viernes?", "¿qué pasó anoche?",
        "de qué hablamos el fin de semana", "qu'est-ce qu'on a fait vendredi ?", "que s'est-il passé avant-hier ?",
        "de quoi avons-nous parlé hier soir ?", "cosa abbiamo fatto venerdì?", "cos'è successo ieri?",
        "o que fizemos na sexta-feira?", "o que aconteceu ontem?", "что мы делали в пятницу?", "что было позавчера?",
        "о чём мы говорили на прошлой неделе?", "що ми робили у п'ятницю?", "про що ми говорили вчора?",
        "wat hebben we vrijdag gedaan?", "co robiliśmy w piątek?", "o czym rozmawialiśmy wczoraj",
        "cuma günü ne yaptık?", "dün ne oldu?", "apa yang kita lakukan hari jumat?", "kecha nima bo'ldi?",
        "ماذا فعلنا يوم الجمعة؟", "دیروز چه شد؟", "हमने शुक्रवार को क्या किया?", "27 नवंबर को क्या हुआ?",
        "金曜日に何をしましたか？", "昨日何があった？", "我们星期五做了什么？", "昨天发生了什么？", "금요일에 뭐 했지?",
        "어제 무슨 일이 있었어?",
    ],
)  # fmt: skip
def test_detects_questions_about_days_only(question: str) -> None:
    assert asks_of_days(question, "", date(2026, 11, 29))


@pytest.mark.parametrize(
    "question",
    [
        "what's the weather on Friday?", "what did Ann cook on Friday?", "is Friday a holiday?", "who are you?",
        "what did we do?", "was kostet die Karte am Freitag?", "сколько стоил билет в пятницу?",
        "¿cuánto costó el hotel el viernes?", "星期五的会议在哪里？", "金曜日の会議はどこ？", "", "?",
    ],
)  # fmt: skip
def test_rejects_questions_that_name_anything_else(question: str) -> None:
    assert not asks_of_days(question, "", date(2026, 11, 29))


def test_allows_people_beside_days() -> None:
    today, names = date(2026, 11, 29), name_terms("Ann Lee")
    assert asks_of_days("what did Ann do on Friday?", "", today, names)
    assert not asks_of_days("what did Ann cook on Friday?", "", today, names)
    assert not asks_of_days("what did Ann do?", "", today, names)
