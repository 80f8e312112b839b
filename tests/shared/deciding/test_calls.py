"""Texts that address somebody by name, and texts that do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.deciding.calls import asks_one, calls_one, speaks_of_one, surely_calls_one
from shared.deciding.names import fold, names_one
from tests.shared.examples import PROPERTY


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lull, what now", True), ("lull: what", True), ("lull what now", False), ("lull", True), ("lull!", True),
        ("what now, lull?", True), ("what now lull?", False), ("👋 lull — hi", True), ("so ask lull if so", False),
        ("lull、どう", True), ("どう思う、lull？", True), ("lull. what now", True), ("", False), ("ask lull, ok", True),
        ("hey lull, coming?", True), ("good morning lull!", True), ("привіт lull, ти де?", True), ("hey lull?", False),
        ("thanks! lull, what now", True), ("danke 🙏 lull – kommst du?", True), ("and what is lull, again", False),
        ("I see it. hey lull, coming?", True), ("ありがとう！lull、どう", True), ("你好lull，来吗", True),
        ("it's lull.", False), ("what is it? lull: a pause", True), ("we talked; so did lull, too", False),
        ("lull is this true?", True), ("Danke! lull stimmt das?", True), ("lull це правда", False),
        ("lullは何時？", False), ("lull's name?", False), ("lull says nine, is that so?", False), ("lull好吗？", True),
        ("lullさん、行く？", True), ("行く、lullさん？", True), ("lullさん行く？", True), ("lullさんは行く？", False),
        ("lull님, 안녕", True), ("lull says nine. Right?", False), ("is lull in?", False),
        ("who won? lull?", False), ("who won? lull did?", True),
    ],
)  # fmt: skip
def test_a_call_is_set_apart_by_a_pause(text: str, expected: bool) -> None:
    assert calls_one(fold(text), ("lull",)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("is this true lull?", True), ("这是真的吗lull？", True), ("is this true lull?!", True),
        ("what do you think of lull?", False), ("have you tried lull?", False), ("do you know lull?", False),
        ("is this lull", False), ("did lull say so?", False), ("true? ask lull", False), ("?", False),
    ],
)  # fmt: skip
def test_a_question_may_end_with_whom_it_asks(text: str, expected: bool) -> None:
    assert asks_one(fold(text), ("lull",)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bob, what now", True), ("hey Bob, coming?", True), ("what now, Bob?", True), ("Bob what do you say?", True),
        ("привіт Bob, ти де?", True), ("Bobさん、行く？", True), ("thanks Bob", True), ("Bob: look", True),
        ("Danke! Bob, kommst du mit?", True), ("Bob", True), ("so Bob: what now", True),
        ("fyi Bob", True), ("lol Bob", True), ("Bob 😂", True), ("this is for you Bob", True),
        ("ask Bob, he knows", False), ("tell Bob, please", False), ("Bob has one too?", False),
        ("Bob's birthday?", False), ("and for Bob?", False), ("is Bob in?", False),
        ("what about Bob?", False), ("in Bob, a town", False),
    ],
)  # fmt: skip
def test_a_call_beyond_doubt_is_none_of_what_is_only_said_of_somebody(text: str, expected: bool) -> None:
    assert surely_calls_one(fold(text), ("Bob",)) is expected


@PROPERTY
@given(st.text(max_size=60), st.lists(st.text(max_size=6), max_size=4))
def test_who_is_called_is_spoken_of_and_who_is_spoken_of_is_named(text: str, names: list[str]) -> None:
    text = fold(text)
    is_meant = speaks_of_one(text, names)
    assert is_meant or not (calls_one(text, names) or surely_calls_one(text, names) or asks_one(text, names))
    assert names_one(text, names) or not is_meant
