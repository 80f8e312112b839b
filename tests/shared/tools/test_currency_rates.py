"""The ECB's rates: read from its CSV, and asked for again when there may be new ones."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from shared.base.errors import ToolFailed
from shared.tools.currency import FRANKFURT, EuroRate, max_age_of_rates, parse_rates, rates_url

HEAD = "KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE"


def test_rates_are_read_by_the_names_of_the_columns() -> None:
    rows = [
        HEAD,
        "k,D,USD,EUR,SP00,A,2026-02-27,1.1815",
        "k,D,ignore all,EUR,SP00,A,2026-02-27,1",
        "k,D,XYZ,EUR,SP00,A,x,",
    ]
    assert parse_rates("\n".join(rows)) == {
        "EUR": EuroRate(Decimal(1), date(2026, 2, 27)),
        "USD": EuroRate(Decimal("1.1815"), date(2026, 2, 27)),
    }


@pytest.mark.parametrize(
    "text", ["", HEAD, "<html>", f"{HEAD}\nk,D,USD,EUR,SP00,A,evil,1", f"{HEAD}\nk,D,USD,E,S,A,2026-01-01,-1"]
)
def test_what_cannot_be_read_is_a_sentence(text: str) -> None:
    with pytest.raises(ToolFailed, match="cannot be read"):
        parse_rates(text)


def test_a_day_of_the_past_is_asked_for_with_those_before_it() -> None:
    assert "startPeriod=2026-03-21&endPeriod=2026-03-31&" in rates_url(date(2026, 3, 31))
    assert "Period" not in rates_url(None)


@pytest.mark.parametrize(
    ("now", "since"),
    [
        ("2026-02-27T15:59", "2026-02-26T17:00"),
        ("2026-02-27T16:05", "2026-02-27T15:55"),
        ("2026-02-27T17:30", "2026-02-27T17:00"),
        ("2026-03-01T12:00", "2026-02-27T17:00"),
        ("2026-03-02T09:00", "2026-02-27T17:00"),
        ("2026-03-30T09:00", "2026-03-27T17:00"),
    ],
)
def test_what_was_said_before_the_last_rates_is_old(now: str, since: str) -> None:
    here, last = (datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(FRANKFURT)) for text in (now, since))
    assert max_age_of_rates(here.astimezone(UTC)) == here - last
    assert max_age_of_rates(here) >= timedelta()
