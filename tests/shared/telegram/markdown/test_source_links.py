"""Addresses that a message may link to."""

import pytest

from shared.telegram.markdown.render import convert
from shared.telegram.markdown.source import is_linkable, shown_address


@pytest.mark.parametrize(
    "address",
    [
        "http://a.b",
        "HTTPS://a.b:443/x_(y)?z#w",
        "https://ünï.de/ü",
        "http://u:p@a.b/",
        "http://1.2.3.4:64000",
        "tg://user?id=1",
    ],
)
def test_telegram_takes_these(address: str) -> None:
    assert is_linkable(address)


@pytest.mark.parametrize(
    "address",
    [
        *("", "b.md", "#x", "/x", "http://localhost:80", "http://.", "http://.:80", "http://a.b:0", "http://a.b:99999"),
        *("http://a b.c", "https://a.b/ x", "ftp://a.b", "mailto:a@b.c", "javascript:alert(1)", "http://a<b.c"),
    ],
)
def test_telegram_refuses_a_message_for_these(address: str) -> None:
    assert not is_linkable(address)


def test_an_address_is_shown_where_it_says_something_new() -> None:
    assert shown_address("b.md", "text") == " (b.md)"
    assert shown_address("mailto:a@b.c", "a@b.c") == ""
    assert shown_address("tel:+1", "call") == " (+1)"
    assert shown_address("#top", "top") == ""
    assert shown_address("http://localhost", " ") == "http://localhost"


@pytest.mark.parametrize(
    ("markdown", "address"),
    [
        ("[map](https://e.example/maps/Big Ben, London)", "https://e.example/maps/Big%20Ben,%20London"),
        ("[find](https://e.example/search?q=red car)", "https://e.example/search?q=red%20car"),
        ('[named](https://e.example/a "A title")', "https://e.example/a"),
    ],
)
def test_spaces_in_an_address_are_encoded(markdown: str, address: str) -> None:
    assert [one.url for one in convert(markdown).entities] == [address]
