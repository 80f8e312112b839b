"""The language of lull's own messages, set by a command."""

import pytest
from babel import Locale

from shared.base.wording.words import catalogue, languages
from shared.commands.command import Audience
from shared.commands.language import AUTO, COMMAND, language_named, press, respond
from shared.values.button_data import read_button
from shared.values.chat_key import ChatKind
from tests.shared.commands.requests import asked

GROUP = ChatKind.SUPERGROUP


def test_in_a_group_it_is_an_administrators() -> None:
    assert COMMAND.audience is Audience.ADMINISTRATORS
    assert COMMAND.is_for(GROUP)
    assert COMMAND.is_for(ChatKind.PRIVATE)


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("uk", "uk"), ("UK", "uk"), ("pt-br", "pt"), ("Ukrainian", "uk"), ("українська", "uk"), ("Українською", "uk"),
        ("ukr", "uk"), ("deutsch", "de"), ("German", "de"), ("allemand", "de"), ("  español ", "es"), ("فارسی", "fa"),
        ("Farsi", "fa"), ("русский", "ru"), ("bahasa indonesia", "id"), ("हिन्दी", "hi"), ("o'zbekcha", "uz"),
        ("Englisch", "en"), ("по-русски", "ru"), ("на русском", "ru"), ("Русский язык", "ru"),
        ("українська мова", "uk"),
        ("auf Deutsch bitte", "de"), ("in German", "de"), ("“German”.", "de"), ("en español", "es"), ("espanol", "es"),
        ("turkce", "tr"), ("TÜRKÇE", "tr"), ("İngilizce", "en"), ("português do Brasil", "pt"), ("pt_BR", "pt"),
        ("Brazilian Portuguese", "pt"), ("po polsku", "pl"), ("bahasa", "id"), ("bahasa Inggris", "en"), ("ua", "uk"),
        ("o‘zbek tili", "uz"), ("Traditional Chinese", "zh"), ("zh-Hant", "zh"), ("繁體中文", "zh"), ("德语", "de"),
        ("ドイツ語", "de"), ("영어", "en"), ("عربي", "ar"), ("الألمانية", "de"), ("🇺🇦", "uk"), ("English 🇬🇧", "en"),
        ("germn", "de"), ("Portugese", "pt"), ("ukranian", "uk"), ("=de", "de"), ("dutch, please!", "nl"),
        ("Javanese", ""), ("Danish", ""), ("bahasa Melayu", ""), ("English to German", ""), ("🙂", ""), ("?", ""),
        ("klingon", ""), ("", ""), ("e", ""), ("xx", ""), ("languages", ""),
    ],
)  # fmt: skip
def test_a_language_is_known_by_its_code_and_its_names(said: str, language: str) -> None:
    assert language_named(" ".join(said.casefold().split())) == language


@pytest.mark.parametrize("language", languages())
def test_each_is_known_by_its_own_names_and_by_those_of_every_other_language(language: str) -> None:
    named = {Locale(other).languages[language] for other in languages()}
    assert {name for name in {*named, *catalogue(language).speech.names} if _known(name) != language} == set()


def _known(said: str) -> str:
    return language_named(" ".join(said.casefold().split()))


def test_it_is_set_and_says_so_itself() -> None:
    response = respond(asked("Deutsch"))
    assert response.changes == {"chosen_language": "de"}
    assert response.text == "Meine Systemnachrichten sind hier jetzt auf Deutsch."


@pytest.mark.parametrize("word", ["auto", "AUTO", "-", "Automatisch", "reset", "авто", "自动"])
def test_it_is_given_up(word: str) -> None:
    response = respond(asked(word, language="de", chosen_language="de"))
    assert response.changes == {"chosen_language": ""}
    assert response.text.startswith("Meine Systemnachrichten richten sich")


def test_without_one_the_languages_are_buttons_and_what_holds_is_marked() -> None:
    told, chosen = respond(asked()), respond(asked(language="uk", chosen_language="uk"))
    assert not told.changes
    assert told.text.startswith("My system messages")
    assert [button.text for button in told.buttons][:2] == ["✓ Automatic", "English"]
    assert "✓ Українська" in [button.text for button in chosen.buttons]
    assert "тут вибрано українську" in chosen.text


def test_each_button_sets_its_language() -> None:
    marks = [read_button(button.data) for button in respond(asked()).buttons]
    assert {name for name, _, _ in marks} == {COMMAND.name}
    assert [argument for _, _, argument in marks] == [AUTO, *languages()]
    assert press(asked("uk")).changes == {"chosen_language": "uk"}
    assert press(asked("uk")).notice.startswith("Тепер мої")
    assert press(asked(AUTO, chosen_language="uk")).changes == {"chosen_language": ""}
    assert not press(asked("xx")).changes


def test_a_language_that_lull_does_not_speak_is_told_with_those_that_it_does() -> None:
    response = respond(asked("Klingon"))
    assert not response.changes
    assert response.text.startswith("I don't know the language “Klingon”.")
    assert len(response.buttons) == len(languages()) + 1
