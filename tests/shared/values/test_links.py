"""Addresses in texts, and the addresses that count as the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.text import Entity, EntityType
from shared.values.links import addresses_in, host_of, linked_addresses, normal_address
from tests.shared.examples import PROPERTY


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("see https://a.example/b?c=d#e.", "https://a.example/b?c=d#e"),
        ("[b](https://a.example/b)", "https://a.example/b"),
        ("[b](https://a.example/b_(c))", "https://a.example/b_(c)"),
        ("**https://a.example/**", "https://a.example/"),
        ("<https://a.example>", "https://a.example"),
        ("HTTPS://A.example/B!", "HTTPS://A.example/B"),
    ],
)
def test_an_address_is_found_where_it_stands(text: str, address: str) -> None:
    assert address in addresses_in(text)


@PROPERTY
@given(st.text())
def test_whatever_is_written_has_addresses_or_none(text: str) -> None:
    assert all(found in text for found in addresses_in(text))
    assert isinstance(normal_address(text), str)
    assert isinstance(host_of(text), str)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://A.example", "https://a.example/"),
        ("https://a.example/b#c", "https://a.example/b"),
        ("https://a.example:443/?", "https://a.example:443/?#"),
    ],
)
def test_two_spellings_of_one_address_are_the_same(one: str, other: str) -> None:
    assert normal_address(one) == normal_address(other) != ""


@pytest.mark.parametrize(
    "other",
    [
        "http://a.example/b",
        "https://a.example/B",
        "https://a.example/b/",
        "https://a.example/b?",
        "https://a.example/b?c=secret",
        "https://x@a.example/b",
        "https://a.example.evil.example/b",
    ],
)
def test_another_address_is_not_the_same(other: str) -> None:
    assert normal_address(other) != normal_address("https://a.example/b")


@pytest.mark.parametrize("text", ["", "a.example", "ftp://a.example/", "https://", "https://[", "javascript:alert(1)"])
def test_what_is_no_address_of_the_web_is_the_same_as_nothing(text: str) -> None:
    assert normal_address(text) == ""


def test_a_message_links_by_its_text_and_behind_its_words() -> None:
    behind = Entity(type=EntityType.TEXT_LINK, offset=0, length=4, url="https://b.example/")
    bare = Entity(type=EntityType.URL, offset=5, length=9)
    found = list(linked_addresses("here c.example", (behind, bare)))
    assert found == ["https://b.example/", "https://c.example", "http://c.example"]
