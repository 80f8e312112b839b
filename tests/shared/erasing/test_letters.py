"""Words as they are compared."""

import pytest

from shared.erasing.letters import key_of, plain_of


@pytest.mark.parametrize(
    ("word", "key"),
    [
        ("O’Brien", "obrien"),
        ("Jose\u0301", "josé"),
        ("İPEK", "ipek"),
        ("Пётр", "петр"),
        ("مُحَمَّد", "محمد"),
        ("Ze\u00add", "zed"),
    ],
)
def test_a_word_is_compared_without_what_is_written_in_several_ways(word: str, key: str) -> None:
    assert key_of(word) == key


def test_marks_of_latin_letters_may_be_left_out_and_those_of_others_not() -> None:
    assert (plain_of("łódź"), plain_of("й")) == ("lodz", "й")
