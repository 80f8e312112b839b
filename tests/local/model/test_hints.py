import pytest

from local.model.calls import Json
from local.model.hints import openings

NOW = "It is Friday, 20 November 2026, 10:00."


def asked(lines: str, more: str = "") -> list[Json]:
    return [{"role": "system", "content": "Answer."}, {"role": "user", "content": f"{lines}\n({NOW}{more})"}]


def test_an_answer_is_not_to_begin_as_the_last_lines_do() -> None:
    lines = "old\none\n¿Qué cenamos?\n[media: a photo]\nЯ тут\nso what"
    assert openings(asked(lines)) == ["¿Qué", "¿qué", "Я", "я", "so", "So", "¡", "¿"]


def test_a_greeting_of_one_word_may_be_returned() -> None:
    assert openings(asked("hola")) == []


def test_in_a_group_neither_the_name_nor_the_words_behind_it_begin_an_answer() -> None:
    assert openings(asked("Ann: any soup?", " Answer Ann in English.")) == ["any", "Any", "Ann", "ann", "¡", "¿"]


@pytest.mark.parametrize("text", ["hola, ¿qué tal?", "hola que tal"])
def test_no_answer_can_be_stuck_on_an_opening_sign_whose_words_are_unlikely(text: str) -> None:
    found = openings(asked(text, " Answer in Spanish."))
    assert {"hola", "Hola", "¡", "¿"} <= set(found)


def test_an_answer_in_another_language_is_not_to_begin_in_english() -> None:
    assert "Hi" in openings(asked("hallo, wie geht es dir?", " Answer in German."))
    assert "Hi" not in openings(asked("how are you?", " Answer in English."))
    assert "Hi" not in openings(asked("what is (it) in German."))


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [{"role": "user", "content": "Ann: how are you?\nIs it meant for lull?"}],
        [{"role": "user", "content": "hi"}],
    ],
)
def test_a_request_for_something_else_than_an_answer_stays_as_it_is(messages: list[Json]) -> None:
    assert openings(messages) == []
