"""Spans are told by their two greatest units."""

from datetime import timedelta

import pytest

from shared.wording.catalogue import languages
from shared.wording.spans import span_in
from shared.wording.words import words_in


@pytest.mark.parametrize(
    ("span", "told"),
    [
        (timedelta(seconds=10), "1 min"),
        (timedelta(seconds=130), "2 min"),
        (timedelta(minutes=59, seconds=40), "1 h"),
        (timedelta(hours=3, minutes=5), "3 h 5 min"),
        (timedelta(days=2, minutes=4), "2 d"),
        (timedelta(days=2, hours=4, minutes=4), "2 d 4 h"),
    ],
)
def test_a_span_is_told(span: timedelta, told: str) -> None:
    assert span_in(words_in("en"), span) == told


@pytest.mark.parametrize("language", languages())
def test_every_language_tells_them_apart(language: str) -> None:
    words = words_in(language)
    spans = [timedelta(minutes=n) for n in (1, 60, 61, 1440, 1500)]
    assert len({span_in(words, span) for span in spans}) == len(spans)
