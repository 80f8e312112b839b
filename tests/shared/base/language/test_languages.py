"""Detection of a text's language."""

import pytest

from shared.base.language.languages import detect_language, languages_of_script


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("when did we go to the sea and what was it like", "en"),
        ("wann sind wir in den urlaub gefahren und wie war es", "de"),
        ("los perros corren", "es"),
        ("ми були у львові", "uk"),
        ("мы были во львове и это было хорошо", "ru"),
        ("поїздка", "uk"),
        ("dün çok güzel bir yere gittik ve sen yoktun", "tr"),
        ("berlin", ""),
        ("", ""),
    ],
)
def test_it_is_told_by_small_words_and_letters(text: str, language: str) -> None:
    assert detect_language(text.split()) == language


def test_of_two_that_are_as_likely_the_expected_one_is_meant() -> None:
    assert detect_language(["на", "что"], "ru") == "ru"
    assert detect_language(["и", "не", "на"], "uk") in {"ru", "uk"}


def test_a_letter_tells_which_languages_have_it() -> None:
    assert "en" in languages_of_script("a")
    assert languages_of_script("я") == ("ru", "uk", "sr")
    assert languages_of_script("水") == ()
