"""Texts that repeat a person's words, and texts that do not."""

from datetime import timedelta

import pytest

from shared.privacy.deletion.repeats import PersonWords, texts_in
from tests.shared.examples import NOW


def said(*texts: str) -> PersonWords:
    found = PersonWords()
    for text in texts:
        found.add_text(text, NOW)
    return found


@pytest.mark.parametrize(
    "text",
    [
        "Ann has a violet bicycle with bells!",
        "So it is A VIOLET\nBICYCLE, then",
        "the number is 7431907x",
        "call (044) 000-11-22",
        "his phone is 0440001122",
        "the card is 4149439322100987",
        "mail to Li@QQ.com.",
    ],
)
def test_some_words_in_a_row_are_a_repetition_and_so_is_a_code(text: str) -> None:
    here = said("I have a violet bicycle with bells", "my code: 7431907x", "+380 44 000 11 22", "li@qq.com")
    here.add_text("4149 4393 2210 0987", NOW)
    assert here.is_repeated_in("well", text)


@pytest.mark.parametrize(
    "text",
    [
        "28 November 2026",
        "Saturday, 28 November",
        "28 листопада 2026 року",
        "28.11.2026 10:30",
        "2026-11-28",
        "1 2 3 4 5 6 7 8 9 10",
        "10 000 000 000",
        "10-20",
    ],
)
def test_dates_and_counts_are_nobodys(text: str) -> None:
    assert not said(text).is_repeated_in(f"well, {text}, then")


def test_of_an_address_the_page_is_theirs_and_not_where_it_is() -> None:
    here = said("look: https://en.wikipedia.org/wiki/Grey_heron, https://github.com/ or en.wikipedia.org/wiki/Tea")
    for text in (
        "https://en.wikipedia.org/wiki/Kettle",
        "see https://github.com/lull/lull.",
        "en.wikipedia.org/wiki/X",
    ):
        assert not here.is_repeated_in(text)
        assert here.without_links((text,)) == (text,)
    for text in (
        "(https://EN.wikipedia.org/wiki/Grey_heron)",
        "en.wikipedia.org/wiki/Grey_heron.",
        "so wiki: https://en.wikipedia.org/wiki/Tea",
    ):
        assert here.is_repeated_in(text)
    assert said("the heron.The marmalade biscuit").is_repeated_in("heron the marmalade")


def test_a_number_that_somebody_else_gave_is_theirs() -> None:
    here = said("+380 44 000 11 22")
    here.add_others_text("044 000 11 22")
    assert not here.is_repeated_in("0440001122")


def test_a_title_of_somebody_elses_words_is_theirs_and_so_is_a_number_beside_theirs() -> None:
    here = said("bells")
    here.add_others_text("/title Bells")
    here.person = 1_100_000_001
    assert not here.has("Bells")
    assert here.without_names("1100000001 and 11000000017", "-") == "- and 11000000017"


def test_what_others_wrote_in_lower_case_before_they_were_so_called_is_a_word() -> None:
    here = PersonWords()
    here.add_others_words("more samovar, tomorrow?", NOW - timedelta(days=1))
    here.add_others_words("zedrick, more lantern", NOW)
    here.add_names("Zedrick Samovar Lantern", at=NOW)
    assert here.without_names("samovar and lantern with zedrick, Samovar said", "-") == "samovar and - with -, - said"
    here.add_others_words("lantern", NOW - timedelta(days=1))
    here.settle()
    assert here.without_names("samovar and lantern", "-") == "samovar and lantern"


def test_what_is_spoken_tells_which_forms_a_short_text_may_have() -> None:
    here = PersonWords()
    here.add_names("Robert", at=NOW)
    assert here.without_names("Urodziny Roberta", "-") == "Urodziny Roberta"
    here.set_surroundings((), "pl")
    assert here.without_names("Urodziny Roberta", "-") == "Urodziny -"


@pytest.mark.parametrize("text", ["", "a bicycle", "I have a", "violet tea with milk", "it is as it is"])
def test_single_words_and_what_everybody_says_are_none(text: str) -> None:
    assert not said("I have a violet bicycle", "so it is as it was, as it is").is_repeated_in(text)


def test_a_title_is_theirs_when_they_gave_it() -> None:
    here = said("/title Bells", "short")
    assert (here.has("Bells"), here.has("bells!"), here.has("Short"), here.has("Whistles")) == (
        True,
        True,
        True,
        False,
    )


def test_names_are_replaced_where_they_stand_as_words() -> None:
    here = PersonWords()
    here.add_names("Ann", "ann_a", "", at=NOW)
    here.add_names("Ann Lee", at=NOW)
    assert here.without_names("Ann Lee asks Annabel; Ann, @ann_a!", "-") == "- asks Annabel; -, @-!"
    assert here.without_names("nobody", "-") == "nobody"


def test_what_was_written_before_they_said_it_repeats_nothing() -> None:
    here, earlier = said("as soon as possible", "code 7431907x"), NOW - timedelta(hours=1)
    here.add_names("Olena", at=NOW)
    assert here.is_repeated_in("as soon as possible, yes", at=NOW)
    assert not here.is_repeated_in("as soon as possible, yes", "7431907x", at=earlier)
    assert here.without_names("wait for Olena", "-", earlier) == "wait for Olena"
    assert here.without_names("wait for Olena", "-", NOW) == "wait for -"
    here.add_text("as soon as possible", earlier)
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
    here.add_others_text(common)
    assert not here.is_repeated_in(fact)


@pytest.mark.parametrize(
    "text",
    ["Good morning everyone!", "Thanks, see you tomorrow", "Доброго ранку всім", "Guten Morgen alle", "good day"],
)
def test_what_everybody_says_each_day_is_nobodys(text: str) -> None:
    assert not said(text).is_repeated_in(f"{text} The kettle is on.")


@pytest.mark.parametrize("text", ["nobody is allergic to it", "this is a lot of the same", "і тому що це так"])
def test_small_words_in_a_row_are_no_repetition(text: str) -> None:
    assert not said("what is allergic to what; it is a lot of the same; тому що це так").is_repeated_in(text)


def test_words_of_scripts_without_spaces_are_repeated_by_their_letters() -> None:
    here = said("密码是苍鹭果酱饼干七号")
    assert here.is_repeated_in("他说过：密码是苍鹭果酱饼干。")
    assert not here.is_repeated_in("苍鹭飞走了", "密码是什么")
    assert here.is_repeated_in("他说过：密码是苍鹭，果酱，饼干。")


@pytest.mark.parametrize(
    ("words", "repeated", "other"),
    [
        ("우리 금고 비밀번호는 왜가리 잼", "금고 비밀번호는 왜가리래요, 금고 비밀번호는 왜가리", "금고는 왜가리"),
        ("mật khẩu két sắt là chim diệc", "Ừ, mật khẩu két sắt là chim diệc.", "mật khẩu là gì"),
        (
            "our wedding is 28 november in Lviv",
            "The wedding is 28 november in Lviv.",
            "The dentist is 28 november at ten",
        ),
        ("my cat ate a pie at six", "So my cat ate a pie at six", "my cat ate it"),
    ],
)
def test_short_words_are_repeated_by_more_of_them(words: str, repeated: str, other: str) -> None:
    here = said(words)
    assert here.is_repeated_in(repeated)
    assert not here.is_repeated_in(other)
