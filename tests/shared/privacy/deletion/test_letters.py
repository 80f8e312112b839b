"""The normalized form of words."""

import re

import pytest

from shared.privacy.deletion.letters import key_of, plain_of, strip_underscores


@pytest.mark.parametrize(
    ("word", "key"),
    [
        ("O’Brien", "obrien"),
        ("Jose\u0301", "josé"),
        ("İPEK", "ipek"),
        ("Пётр", "петр"),
        ("مُحَمَّد", "محمد"),
        ("Ze\u00add", "zed"),
        ("Оле\u0301на", "олена"),
        ("Z\u0337e\u0337d", "zed"),
        ("ΚΏΣΤΑΣ", "κωστασ"),
    ],
)
def test_a_word_is_compared_without_what_is_written_in_several_ways(word: str, key: str) -> None:
    assert key_of(word) == key


def test_marks_of_latin_letters_may_be_left_out_and_those_of_others_not() -> None:
    assert (plain_of("łódź"), plain_of("й")) == ("lodz", "й")


def test_lines_around_a_word_are_none_of_it() -> None:
    found = [strip_underscores(one) for one in re.finditer(r"\w+", "__Zed__ ___ a_b")]
    assert found == [(2, 5, "Zed"), None, (12, 15, "a_b")]
