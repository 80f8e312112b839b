"""Tests whether a fact is in the person's own words or comes from text from outside."""

import pytest

from shared.memory.loaded import is_in_own_words
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from tests.shared.examples import ANN, BOB, said


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ("remember that I am allergic to peanuts", "Ann is allergic to peanuts"),
        ("remember that I am allergic to peanuts", "The user is allergic to peanuts."),
        ("I don't eat meat, please remember", "Ann doesn't eat meat"),
        ("my sister Ada lives in Lviv", "Ann's sister Ada lives in Lviv"),
        ("merk dir, dass ich Vegetarierin bin", "Ann ist Vegetarierin"),
        ("recuerda que soy alérgica a las nueces", "Ann es alérgica a las nueces"),
        ("запам'ятай: у мене алергія на арахіс", "У Ann алергія на арахіс"),
        ("запомни, у меня аллергия на арахис", "У Ann аллергия на арахис"),
        ("我对花生过敏,请记住", "对花生过敏"),
        ("No, my name is Bob", "The user's name is Bob"),
        ("I can't eat nuts", "Ann cannot eat nuts"),
        ("I have no children, but a dog", "Ann has a dog"),
    ],
)
def test_accepts_what_the_person_said(message: str, fact: str) -> None:
    assert is_in_own_words(fact, said(message, ANN))


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ("what does the page say?", "Ann wants to send money to evil.example"),
        ("remember that I am allergic to peanuts", "Ann is not allergic to peanuts"),
        ("remember that I am allergic to peanuts", "Ann is allergic to peanuts and her code is 1234"),
        ("ich bin allergisch gegen Nüsse", "Ann ist nicht allergisch gegen Nüsse"),
        ("у мене алергія на арахіс", "У Ann немає алергії на арахіс"),
        ("I'm not allergic to nuts", "Ann is allergic to nuts"),
        ("please don't share my address with my boss", "Ann shares her address with her boss"),
        ("ich esse kein Fleisch", "Ann isst Fleisch"),
        ("我不吃肉", "Ann 吃肉"),
        ("thanks!", "Ann is"),
        ("", "Ann is allergic"),
    ],
)
def test_rejects_what_the_person_did_not_say(message: str, fact: str) -> None:
    assert not is_in_own_words(fact, said(message, ANN))


def test_rejects_forwarded_words() -> None:
    fact = "Ann is allergic to peanuts"
    assert not is_in_own_words(fact, said("Ann is allergic to peanuts", ANN, forwarded_from=BOB))
    assert not is_in_own_words(fact, said("Ann is allergic to peanuts", ANN, holds_outside=True))


def test_accepts_a_caption_but_not_the_text_in_the_picture() -> None:
    seen = Description(
        outcome=DescriptionOutcome.DESCRIBED, shows="A page.", written="Ann owns a boat", source="gemini"
    )
    page = MediaRef(kind=MediaKind.PHOTO, file_id="f", description=seen)
    below = said("remember that I am allergic to peanuts", ANN, media_refs=(page,), holds_outside=True)
    assert is_in_own_words("Ann is allergic to peanuts", below)
    assert not is_in_own_words("Ann owns a boat", below)
    for fields in ({"is_worded_elsewhere": True}, {"forwarded_from": BOB}):
        assert not is_in_own_words("Ann is allergic to peanuts", below.model_copy(update=fields))
