"""Tests of snippets."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.base.language.terms import query_terms, terms_of
from shared.recall.search import MOST_SHOWN, snippet_of
from shared.values.segment import Segment, SegmentMessage
from tests.shared.examples import NOW


def segment(*texts: str) -> Segment:
    messages = tuple(
        SegmentMessage(
            seq=n, message_id=n, at=NOW + timedelta(days=n), author=n, name=f"P{n}", text=t, terms=" ".join(terms_of(t))
        )
        for n, t in enumerate(texts, 1)
    )
    return Segment(conversation="c", number=1, agent="a", place="a.1", chat="a.1.0", messages=messages)


def test_shows_the_best_message_with_its_author() -> None:
    found = snippet_of(segment("the cat and the dog", "adopting a dog is hard", "well"), query_terms("adopt the dog"))
    assert (found.text, found.message.message_id) == ("P2: adopting a dog is hard", 2)


def test_shows_only_the_requested_people() -> None:
    assert snippet_of(segment("dogs", "well"), query_terms("dog"), (2,)).message.message_id == 2
    assert snippet_of(segment("dogs", "well"), query_terms("dog"), (9,)).message.message_id == 1


@pytest.mark.parametrize(
    ("long", "asked", "inside"),
    [
        ("word " * 200 + "we adopted a dog " + "word " * 200, "adopted dog", "adopted a dog"),
        ("слово " * 200 + "ми були у Львові " + "слово " * 200, "Львів", "Львові"),
        ("あ" * 500 + "東京タワー" + "あ" * 500, "東京", "東京"),
    ],
)
def test_shows_the_matching_part_of_a_long_message(long: str, asked: str, inside: str) -> None:
    found = snippet_of(segment(long), query_terms(asked)).text
    assert inside in found
    assert len(found) <= MOST_SHOWN + 10
    assert found.startswith("P1: …")
    assert found.endswith("…")


@settings(deadline=None)
@given(st.lists(st.text(), min_size=1, max_size=3), st.text())
def test_always_returns_a_snippet(texts: list[str], question: str) -> None:
    found = snippet_of(segment(*texts), query_terms(question))
    assert found.text.startswith(found.message.name)
    assert len(found.text) <= MOST_SHOWN + 10
