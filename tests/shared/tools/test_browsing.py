"""The browsing state of a plan."""

import pytest

from shared.tools.browsing import Browsing


def test_an_address_is_known_word_for_word() -> None:
    browsing = Browsing()
    browsing.learn_written(["https://a.example/b?c=1", "no address"])
    browsing.learn_from("See [d](https://D.example/e) and https://f.example.")
    assert len(browsing.known) == 3
    for known in (
        "https://a.example/b?c=1",
        "https://A.example/b?c=1#top",
        "https://d.example/e",
        "https://f.example/",
    ):
        assert browsing.knows(known)


@pytest.mark.parametrize(
    "composed",
    [
        "https://a.example/b",
        "https://a.example/b?c=12",
        "https://a.example/b?c=1&d=secret",
        "http://a.example/b?c=1",
        "https://secret.a.example/b?c=1",
        "https://secret@a.example/b?c=1",
        "https://a.example:8443/b?c=1",
        "https://a.example/B?c=1",
        "",
        "a.example/b?c=1",
    ],
)
def test_one_that_is_composed_of_it_is_not(composed: str) -> None:
    browsing = Browsing()
    browsing.learn(["https://a.example/b?c=1"])
    assert not browsing.knows(composed)
    assert not Browsing().knows(composed)
