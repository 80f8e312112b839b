"""The measure of limits uses the model's own counts, whether or not its answer was received."""

from datetime import UTC, datetime
from typing import Any

import grpc
import pytest

from benchmarks.budget import LIMIT_USD, ODD, call_of, figures
from benchmarks.firestore_meter import FirestoreMeter
from shared.values.budget import UsageRecord
from shared.values.money import NANO, Amount
from shared.values.usage import cost_of

FLASH = "gemini-3.6-flash"
#: dollars for a million tokens of a prompt
PRICE = 0.75


def exchange(request: str = "", **usage: int) -> dict[str, Any]:
    return {"model": FLASH, "request": request, "usage": usage}


def booked(name: str, usd: float, expired: float = 0.0) -> UsageRecord:
    used, lost = (Amount(nano_usd=round(amount * NANO)) for amount in (usd, expired))
    now = datetime.now(UTC)
    return UsageRecord(id=name, day=f"{now:%Y-%m-%d}", month=f"{now:%Y-%m}", at=now, used=used, expired=lost)


def test_a_call_whose_caller_was_killed_or_that_tells_no_counts_is_counted_as_what_it_asked() -> None:
    assert call_of(exchange(promptTokenCount=7, candidatesTokenCount=2)).output_tokens == 2
    for usage in ({}, *ODD):
        asked = call_of({**exchange("four" * 1_000_000), "usage": usage})
        assert cost_of([asked], datetime.now(UTC)) == PRICE


@pytest.mark.parametrize(
    ("tokens", "books", "told"),
    [
        (100_000, [booked("a", 0.05), booked("b", 0.05, 0.02)], (0.0, 0.0, False)),
        (100_000, [booked("a", 0.05), booked("a", 0.05)], (0.0, 0.025, True)),
        (1_000_000, [booked("a", 1.0)], (round(PRICE - LIMIT_USD, 6), 0.0, True)),
    ],
)
async def test_what_is_above_the_limit_or_in_no_book_is_told(
    tokens: int, books: list[UsageRecord], told: object
) -> None:
    async with grpc.aio.insecure_channel("127.0.0.1:1") as nowhere:
        found = figures([exchange(promptTokenCount=tokens)], books, Amount(), FirestoreMeter(nowhere))
    assert (found["overspent_usd"], found["unbooked_usd"], found["unmet"]) == told
    assert found["calls"] == 1
