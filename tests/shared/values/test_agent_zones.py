"""Time zones by name."""

from datetime import UTC, datetime, timedelta

import pytest

from shared.values.agent import parse_zone


def test_a_zone_knows_its_summer() -> None:
    kyiv = parse_zone("Europe/Kyiv")
    offsets = [datetime(2026, month, 1, tzinfo=kyiv).utcoffset() for month in (1, 7)]
    assert offsets == [timedelta(hours=2), timedelta(hours=3)]


def test_utc_needs_no_database() -> None:
    assert parse_zone("UTC") is UTC


@pytest.mark.parametrize("name", ["", "Mars/Base", "Europe", "../etc/passwd", "/etc/localtime", "a\x00b", "x" * 5_000])
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="unknown time zone"):
        parse_zone(name)
