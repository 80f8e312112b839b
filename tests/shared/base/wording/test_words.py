"""The messages of a language."""

import pytest

from shared.base.wording.words import SILENCE, Catalogue, Words, catalogue, join_phrases, words_in

OF_TEST = Catalogue(
    language="uk",
    is_right_to_left=False,
    messages={
        "greeting": "Вітаю, {name}",
        "room": {"one": "{count} знак", "few": "{count} знаки"},
    },
    plural=catalogue("en").plural,
    categories=("one", "few"),
)


def test_the_first_language_that_is_named_is_taken() -> None:
    assert words_in("", "en-GB", "tlh").language == "en"
    assert words_in().language == words_in("", "").language == "en"


def test_a_language_without_a_catalogue_is_answered_in_english() -> None:
    assert words_in("tlh", "uk").language == "en"


def test_values_are_put_in_once_and_as_they_are() -> None:
    assert Words(OF_TEST).say("greeting", name="{name} {0} %s") == "Вітаю, {name} {0} %s"


@pytest.mark.parametrize(("count", "text"), [(1, "1 знак"), (3, "3 знаки")])
def test_a_count_chooses_the_plural_form(count: int, text: str) -> None:
    assert Words(OF_TEST).say("room", count=count) == text


def test_a_value_in_another_direction_is_isolated() -> None:
    assert Words(OF_TEST).say("greeting", name="سارة") == "Вітаю, \u2068سارة\u2069"


def test_phrases_are_joined() -> None:
    first, second = Words(OF_TEST).say("greeting", name="Ann"), Words(OF_TEST).say("room", count=1)
    assert join_phrases(first, SILENCE, second) == "Вітаю, Ann 1 знак"
