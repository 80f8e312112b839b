"""Headings of tasks: ids and options are found, and no other word is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.planning.format.markdown_text import HeadingArguments, heading_arguments
from tests.shared.planning.format.plans import PROPERTY

SIGNS = st.sampled_from(["id", "=", ":", " ", "5", "12345", "#", '"', "[", ",", "tea", "]", "\\"])


def read(heading: str) -> HeadingArguments:
    return heading_arguments(heading, lambda name: name in {"id", "depends_on", "reply_to"})


@pytest.mark.parametrize(
    "heading",
    [
        "12345",
        "#12345",
        "12345:",
        "message 12345",
        "(reply to #12345)",
        "→ 12345",
        "**12345**",
        "In reply to message 12345:",
        "message_id=12345",
    ],
)
def test_a_number_alone_is_an_id(heading: str) -> None:
    assert read(heading) == HeadingArguments("12345")


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("id=tea depends_on=a,b", HeadingArguments("", {"id": "tea", "depends_on": ["a", "b"]})),
        ("12345 id: 1, depends_on: a, b", HeadingArguments("12345", {"id": "1", "depends_on": ["a", "b"]})),
        ('id="a b" depends_on=["x, y", "z]"]', HeadingArguments("", {"id": "a b", "depends_on": ["x, y", "z]"]})),
        ("id=tea Hello there", HeadingArguments("", {"id": "tea"}, "Hello there")),
        ("12345 id=tea Hello", HeadingArguments("12345", {"id": "tea"}, "Hello")),
    ],
)
def test_options_are_read_before_words_too(heading: str, said: HeadingArguments) -> None:
    assert read(heading) == said


@pytest.mark.parametrize("heading", ["", " :", "##", "—", "** "])
def test_marks_alone_say_nothing(heading: str) -> None:
    assert read(heading.replace("—", "-")) == HeadingArguments()


@pytest.mark.parametrize(
    "prose",
    [
        *("Hello there", "x = 5 is the answer", "id = 5 is the answer", "Here it is:", "3 apples are left", "👍", "C#"),
        *(
            "https://a.b/?id=5",
            "Note: this",
            "id",
            "In 2024",
            "$5",
            "5%",
            "-5",
            "12:30",
            "Hello id=tea",
            "12.5 is more",
            "Привіт = hi",
            "مرحبا: 5 x",
        ),
    ],
)
def test_words_are_the_texts(prose: str) -> None:
    assert read(prose) == HeadingArguments("", {}, prose)


def test_a_long_number_before_words_is_an_id() -> None:
    assert read("12345 Hello") == read("#12345: Hello") == HeadingArguments("12345", {}, "Hello")
    assert read("#5 Hello") == HeadingArguments("5", {}, "Hello")


@PROPERTY
@given(
    st.lists(st.sampled_from(["id", "=", ":", " ", "5", "12345", "#", '"', "[", ",", "tea", "]", "\\"])).map("".join)
)
def test_any_heading_is_read(heading: str) -> None:
    said = read(heading)
    assert heading.rstrip(" \t").endswith(said.prose)


@pytest.mark.parametrize("unit", [" ", "id=", "id=a ", "a,", "message ", "#", "[", '"', "\\"])
def test_what_a_model_repeats_for_ever_is_read_to_its_end(unit: str) -> None:
    read(unit * (60_000 // len(unit)) + "x")
