"""Queries of the search in conversations: without filters by default."""

from datetime import UTC, datetime

from shared.values.recalled import USUAL_RESULTS, RecallQuery


def test_without_filters_everything_is_looked_for() -> None:
    wanted = RecallQuery(query="tea", now=datetime(2026, 11, 1, tzinfo=UTC), zone=UTC)
    assert (wanted.conversation, wanted.person, wanted.chat) == ("", "", "")
    assert (wanted.since, wanted.until, wanted.shown) == (None, None, None)
    assert wanted.limit == USUAL_RESULTS
