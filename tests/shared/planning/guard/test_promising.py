"""Phrases that promise to remember something, and phrases that only sound like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.planning.guard.promising import promises_to_remember
from tests.shared.examples import PROPERTY

PROMISES = (
    "Noted, I'll remember that.",
    "Got it! I’ll always remember your birthday.",
    "I will keep that in mind.",
    "Let me make a note of it.",
    "I won't forget.",
    "Ich merke mir das.",
    "Das merke ich mir!",
    "Ich werde es mir merken.",
    "Ich vergesse es nicht.",
    "Je m'en souviendrai.",
    "D'accord, je le retiendrai.",
    "Lo recordaré.",
    "Me acordaré de eso.",
    "Me lo ricorderò.",
    "Vou lembrar disso.",
    "Запам'ятаю, дякую!",
    "Добре, я запам’ятаю це.",
    "Запомню!",
    "Не забуду.",
    "Bunu hatırlayacağım.",
    "Buni eslab qolaman.",
    "Saya akan mengingatnya.",
    "سأتذكر ذلك.",
    "یادم می‌ماند.",
    "मैं यह याद रखूँगा।",
)
OTHERS = (
    "I remember that you like tea.",
    "I'll remind you at nine.",
    "Remember to bring a coat!",
    "Shall I remember that?",
    "Do you want me to keep that in mind?",
    "If you like, I'll remember it.",
    "As far as I remember, it was May.",
    "I'll remember to close the door.",
    "You will remember this day.",
    "Don't forget your keys.",
    "Ich erinnere dich um neun.",
    "Ich erinnere mich, dass du Tee magst.",
    "Merk dir das!",
    "Je me souviens que tu aimes le thé.",
    "Tu t'en souviendras.",
    "Recuerdo que te gusta.",
    "Я пам'ятаю, що ти любиш чай.",
    "Нагадаю о дев'ятій.",
    "Запам'ятати це?",
    "Я помню, ты говорил.",
    "Напомню завтра.",
    "",
)


@pytest.mark.parametrize("text", PROMISES)
def test_a_promise_is_known_as_one(text: str) -> None:
    assert promises_to_remember(text)
    assert promises_to_remember(f"How lovely. {text} And you?")


@pytest.mark.parametrize("text", OTHERS)
def test_other_words_are_none(text: str) -> None:
    assert not promises_to_remember(text)


@PROPERTY
@given(st.text())
def test_any_text_may_be_asked_about(text: str) -> None:
    assert promises_to_remember(text) in (True, False)
