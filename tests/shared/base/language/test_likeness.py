"""Comparison of facts in any script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.language.likeness import has_same_meaning, words_of
from tests.shared.examples import PROPERTY


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann likes tea.", "ann LIKES tea"),
        ("Ann likes tea.", "Ann likes tea?!"),
        ("Ann likes tea", "Ann  likes\ttea…"),
        ("Ａｎｎ likes tea", "Ann likes tea!"),
        ("Енн любить чай.", "енн любить чай"),
        ("安喜欢茶。", "安 喜欢茶"),
        ("Ann’s cat is “Tom”.", "Ann's cat is Tom"),
        ("Ann likes tea, milk; bread.", "Ann likes tea milk bread"),
        ("Ann – a well-known cook – moved.", "Ann, a well known cook, moved"),
        ("В Анни обʼєкт.", "В Анни об'єкт"),
        ("It is −5 °C there.", "it is -5 °c there"),
        ("Ann sends ❤️", "Ann sends ❤"),
        ("Ann pays 5 € (monthly)", "Ann pays 5 €, monthly"),
        ("Ann waits... and waits", "Ann waits and waits"),
    ],
)
def test_case_width_and_punctuation_do_not_matter(one: str, other: str) -> None:
    assert has_same_meaning(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann loves Bob", "Bob loves Ann"),
        ("Her blood type is B+.", "Her blood type is B-."),
        ("Her blood type is B+", "Her blood type is B"),
        ("Her grade was B−", "Her grade was B"),
        ("Ann writes C", "Ann writes C#"),
        ("Ann writes C", "Ann writes C++"),
        ("Ann writes .NET", "Ann writes net"),
        ("The code is -42", "The code is 42"),
        ("The balance is -$20", "The balance is $20"),
        ("The balance is 20 €", "The balance is 20 £"),
        ("The size is 3.5", "The size is 35"),
        ("The size is 3.5", "The size is 3 5"),
        ("She gets up at 10:30", "She gets up at 1030"),
        ("The share is 1/2", "The share is 12"),
        ("The score was 2-3", "The score was 2 3"),
        ("She earns 5%", "She earns 5"),
        ("At least >5 people", "At least <5 people"),
        ("Her emoji is 🐢", "Her emoji is 🐙"),
        ("Her emoji is 🐢", "Her emoji is"),
        ("Her flag is 🇺🇦", "Her flag is 🇵🇱"),
        ("Her thumb is 👍🏽", "Her thumb is 👍🏿"),
        ("Her mood is :)", "Her mood is :("),
        ("The hotel has 4*", "The hotel has 4"),
        ("Her nick is ann_b", "Her nick is ann b"),
        ("Her nick is @annb", "Her nick is annb"),
        ("उसका एक लड़का है", "उसकी एक लड़की है"),
        ("她喜欢茶", "她不喜欢茶"),
        ("Ann eats meat", "Ann doesn't eat meat"),
        ("Ann eats meat", "Ann eats no meat"),
    ],
)
def test_changes_of_meaning_count(one: str, other: str) -> None:
    assert not has_same_meaning(one, other)


@PROPERTY
@given(st.text(), st.text())
def test_any_text_has_words(one: str, other: str) -> None:
    assert has_same_meaning(one, one)
    assert has_same_meaning(one, other) is has_same_meaning(other, one)
    assert all(words_of(one)) or not words_of(one)
