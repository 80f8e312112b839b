"""What counts as repeating somebody's words, and what does not."""

from datetime import timedelta

import pytest

from shared.erasing.repeats import Said, texts_in
from tests.shared.values import NOW


def said(*texts: str) -> Said:
    found = Said()
    for text in texts:
        found.hear(text, NOW)
    return found


@pytest.mark.parametrize(
    "text",
    [
        "Ann has a violet bicycle with bells!",
        "So it is A VIOLET\nBICYCLE, then",
        "the number is 7431907x",
    ],
)
def test_some_words_in_a_row_are_a_repetition_and_so_is_a_code(text: str) -> None:
    assert said("I have a violet bicycle with bells", "my code: 7431907x").is_repeated_in("well", text)


@pytest.mark.parametrize("text", ["", "a bicycle", "I have a", "violet tea with milk", "it is as it is"])
def test_single_words_and_what_everybody_says_are_none(text: str) -> None:
    assert not said("I have a violet bicycle", "so it is as it was, as it is").is_repeated_in(text)


def test_a_title_is_theirs_when_they_gave_it() -> None:
    here = said("/title Bells", "short")
    assert (here.has("Bells"), here.has("bells!"), here.has("Short"), here.has("Whistles")) == (True, True, True, False)


def test_names_are_replaced_where_they_stand_as_words() -> None:
    here = Said()
    here.called("Ann", "ann_a", "", at=NOW)
    here.called("Ann Lee", at=NOW)
    assert here.without_names("Ann Lee asks Annabel; Ann, @ann_a!", "-") == "- asks Annabel; -, @-!"
    assert here.without_names("nobody", "-") == "nobody"


def test_what_was_written_before_they_said_it_repeats_nothing() -> None:
    here, earlier = said("as soon as possible", "code 7431907x"), NOW - timedelta(hours=1)
    here.called("Olena", at=NOW)
    assert here.is_repeated_in("as soon as possible, yes", at=NOW)
    assert not here.is_repeated_in("as soon as possible, yes", "7431907x", at=earlier)
    assert here.without_names("wait for Olena", "-", earlier) == "wait for Olena"
    assert here.without_names("wait for Olena", "-", NOW) == "wait for -"
    here.hear("as soon as possible", earlier)
    assert here.is_repeated_in("as soon as possible, yes", at=earlier)


def test_every_text_of_a_document_is_found_however_deep() -> None:
    assert list(texts_in({"a": ["b", {"c": "d"}, 1, None], "e": "f"})) == ["b", "d", "f"]


@pytest.mark.parametrize(
    ("common", "fact"),
    [
        ("he is allergic to peanuts and penicillin, I think", "Bob is allergic to peanuts and penicillin."),
        ("у мене алергія на арахіс та пеніцилін", "Алергія на арахіс та пеніцилін у Боба."),
        ("我对花生和青霉素过敏，请大家注意", "鲍勃说：我对花生和青霉素过敏。"),
        ("my code: 7431907x", "Bob's code is 7431907x."),
    ],
)
def test_what_somebody_else_said_themselves_is_theirs_whoever_said_it_first(common: str, fact: str) -> None:
    here = said(common)
    assert here.is_repeated_in(fact)
    here.hear_other(common)
    assert not here.is_repeated_in(fact)


@pytest.mark.parametrize("text", ["nobody is allergic to it", "this is a lot of the same", "і тому що це так"])
def test_small_words_in_a_row_are_no_repetition(text: str) -> None:
    assert not said("what is allergic to what; it is a lot of the same; тому що це так").is_repeated_in(text)


def test_words_of_scripts_without_spaces_are_repeated_by_their_letters() -> None:
    here = said("密码是苍鹭果酱饼干七号")
    assert here.is_repeated_in("他说过：密码是苍鹭果酱饼干。")
    assert not here.is_repeated_in("苍鹭飞走了", "密码是什么")
