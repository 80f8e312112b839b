"""Tests of which questions make lull search."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.language.terms import query_terms
from shared.recall.decision import NamedDays, decide_recall


@pytest.mark.parametrize(
    "question",
    [
        "do you remember the name of that bakery",
        "What did we decide about the trip in May?",
        "Erinnerst du dich an das Hotel",
        "Що ми вирішили про поїздку в травні?",
        "ты помнишь, где мы были",
        "前回の会議で何を決めましたか",
        "上次我们去哪里了",
        "ماذا قلت عن الرحلة",
        "geçen hafta ne konuştuk",
    ],
)
def test_searches_for_questions_that_look_back_or_ask_for_something_not_shown(question: str) -> None:
    assert decide_recall(question, query_terms(question), list).is_outside


@pytest.mark.parametrize(
    "question",
    [
        "what was the wifi password", "whats my door code", "when is Anna's birthday", "where did I park the boat",
        "who was the dentist", "how do i open the safe", "so what was the name of the bakery",
        "wie war nochmal das WLAN-Passwort", "wann hat Anna Geburtstag", "was war der Türcode",
        "какой пароль от вайфая", "когда у Ани день рождения", "а где мои ключи", "який пароль від вайфаю",
        "коли в Ані день народження", "cuál era la clave", "dónde dejé las llaves", "quel est le code de la porte",
        "c'est quoi le mot de passe", "qual è la password", "dove ho messo le chiavi", "qual era a senha",
        "onde deixei as chaves", "hangi şifre", "ne zaman geliyor Ayşe", "kapan ulang tahun Ani", "wifi parol nima",
        "qachon keladi Ann", "wat was de code", "kiedy Anna ma urodziny", "我的密码是什么", "パスワードは何だっけ",
        "비밀번호가 뭐였지", "remind me what the code was", "напомни пароль от вайфая",
        "erinnere mich, was wir beschlossen haben", "rappelle-moi le code", "recuérdame la clave de la puerta",
        "erinnerst du dich an morgen", "recuérdame qué dijimos del viaje", "recuérdame el nombre del hotel",
        "recuérdame dónde aparqué el coche", "erinnere mich daran, was wir beschlossen haben",
        "ricordami il codice della porta", "напомни, что мы решили про поездку", "нагадай, як звати мого кота",
        "нагадай пароль від вайфаю", "remind me what we decided on Friday",
    ],
)  # fmt: skip
def test_searches_for_a_question_without_question_mark(question: str) -> None:
    assert decide_recall(question, query_terms(question), list).is_outside


@pytest.mark.parametrize(
    "text",
    [
        "Erinner mich bitte jeden Sonntag an den Müll", "remind me tomorrow to call the dentist",
        "напомни завтра в 5 купить молоко", "нагадай через годину про чай", "rappelle-moi demain d'appeler",
        "recuérdame mañana comprar pan", "ricordami domani di chiamare", "me lembra amanhã de comprar",
        "remind me to call mum", "remind me at noon to eat", "set a reminder to water the plants",
        "erinnere mich daran, Mama anzurufen", "erinnere mich am Freitag um zehn an den Tee",
        "recuérdame llamar a mamá", "recuérdame a las ocho llamar a mamá", "recuérdame el viernes pagar el alquiler",
        "recuérdame que tengo que llamar a mamá", "rappelle-moi de payer le loyer", "rappelle-moi vendredi de payer",
        "ricordami di chiamare mamma", "ricordami venerdì di pagare", "me lembre de ligar para a mamãe",
        "напомни мне позвонить маме", "напомни в пятницу сдать отчёт", "нагадай мені купити хліб",
        "нагадай у пʼятницю здати звіт", "annemi aramamı hatırlat", "ingatkan saya untuk minum obat",
        "suv ichishni eslat", "मुझे दवा लेने की याद दिलाना", "یادم بنداز باید زنگ بزنم",
        "yarın hatırlat", "ingatkan saya besok jam 5", "ertaga eslat", "I was home", "was good, thanks",
        "the house is where I live", "whatever you say", "okay, thank you", "so we left", "and then we left",
        "danke dir", "спасибо", "дякую", "я дома", "merci beaucoup", "ve sonra gittik", "我到家了", "집에 왔어",
        "しまった",
    ],
)  # fmt: skip
def test_ignores_reminder_requests_and_statements(text: str) -> None:
    assert decide_recall(text, query_terms(text), list).why == "the message asks nothing"


@pytest.mark.parametrize(
    ("question", "shown", "why"),
    [
        ("I bought a bicycle", [], "the message asks nothing"),
        ("and the tea?", ["tea", "cup"], "everything that the message names is shown"),
        ("the??", [], "the message names nothing to search for"),
        ("", [], "the message asks nothing"),
    ],
)
def test_ignores_other_messages(question: str, shown: list[str], why: str) -> None:
    found = decide_recall(question, query_terms(question), lambda: shown)
    assert (found.is_outside, found.why) == (False, why)


def test_ignores_matches_inside_other_words() -> None:
    assert decide_recall("disremembering and learlier", query_terms("x"), list).why == "the message asks nothing"


@given(st.text())
def test_gives_a_reason_for_any_text(question: str) -> None:
    assert decide_recall(question, query_terms(question), list).why


@pytest.mark.parametrize(
    "question",
    [
        "what did we do on Friday?",
        "tell me about last Friday",
        "recap yesterday",
        "de qué hablamos ayer",
        "di cosa abbiamo parlato ieri",
        "o czym rozmawialiśmy w poniedziałek",
        "что случилось в понедельник",
        "що було вчора",
        "was war gestern",
        "erzähl von gestern",
        "расскажи про вчера",
        "昨日何があった？",
    ],
)
def test_searches_for_a_named_day_that_is_not_shown(question: str) -> None:
    terms = query_terms(question)
    everything = [variant for one in terms for variant in one.variants]
    assert decide_recall(question, terms, lambda: everything, days=lambda: NamedDays.UNSHOWN).is_outside
    found = decide_recall(question, terms, list, days=lambda: NamedDays.SHOWN)
    assert found.why in {"the day that the message asks about is shown", "the message names nothing to search for"}
    assert not found.is_outside


@pytest.mark.parametrize(
    "text", ["Friday", "on Friday.", "we did it yesterday", "yesterday", "gestern", "remind me on Friday"]
)
def test_ignores_statements_about_a_day(text: str) -> None:
    decision = decide_recall(text, query_terms(text), list, days=lambda: NamedDays.UNSHOWN)
    assert decision.why == "the message asks nothing"
