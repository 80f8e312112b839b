import pytest
from hypothesis import given
from hypothesis import strategies as st

from local.telegram.detection import find_entities
from local.telegram.entities import LocalEntity, utf16_length, utf16_slice


def spans(text: str) -> list[tuple[str, str]]:
    return [(one.type, utf16_slice(text, one.offset, one.length)) for one in find_entities(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("hi @marvin_bot!", [("mention", "@marvin_bot")]),
        ("mail@marvin_bot", []),
        ("@ab and @abc", [("mention", "@abc")]),
        ("/start now", [("bot_command", "/start")]),
        ("/summary@marvin_bot 24h", [("bot_command", "/summary@marvin_bot")]),
        ("a/b and //x and /x/y", []),
        ("#lunch #42 #2nd", [("hashtag", "#lunch"), ("hashtag", "#2nd")]),
        ("pay $USD not $usd", [("cashtag", "$USD")]),
        ("see https://example.com/a(b)c, please", [("url", "https://example.com/a(b)c")]),
        ("(https://example.com/x)", [("url", "https://example.com/x")]),
        ("go to example.com/path?x=1.", [("url", "example.com/path?x=1")]),
        ("version 1.2.3 of file.txt", []),
        ("write to ann.b+c@mail.example.org", [("email", "ann.b+c@mail.example.org")]),
        ("😀 @marvin_bot", [("mention", "@marvin_bot")]),
    ],
)
def test_what_telegram_finds(text: str, found: list[tuple[str, str]]) -> None:
    assert spans(text) == found


def test_nothing_is_found_inside_code() -> None:
    code = LocalEntity(type="code", offset=0, length=11)
    assert find_entities("@marvin_bot and @marvin_bot", [code]) == (
        code,
        LocalEntity(type="mention", offset=16, length=11),
    )


def test_a_bold_mention_is_both() -> None:
    bold = LocalEntity(type="bold", offset=0, length=11)
    assert {one.type for one in find_entities("@marvin_bot", [bold])} == {"bold", "mention"}


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
def test_what_is_found_lies_inside_the_text(text: str) -> None:
    assert all(0 <= one.offset < one.end <= utf16_length(text) for one in find_entities(text))
