"""What a search found."""

from shared.models.search_result import Found, SearchResult


def test_nothing_found_is_an_answer_too() -> None:
    assert Found(results=()).shown_with == ()
    assert SearchResult(title="A", url="https://a.example").snippet == ""
