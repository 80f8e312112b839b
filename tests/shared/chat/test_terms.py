"""The terms of a session."""

from datetime import UTC, datetime, timedelta

from shared.chat.terms import SessionTerms


def test_a_stop_request_is_looked_for_well_within_a_lease() -> None:
    terms = SessionTerms(
        owner="t", lease=timedelta(seconds=60), window_entries=1, clock=lambda: datetime(2026, 11, 1, tzinfo=UTC)
    )
    assert timedelta(seconds=terms.look_s) < terms.lease / 2
