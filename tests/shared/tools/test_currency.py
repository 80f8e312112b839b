"""`currency`: amounts by the ECB's rates, with their day; and no rate where there is none."""

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.errors import ToolFailed
from shared.tools.currency import TOOL
from shared.tools.tool import ToolContext
from tests.services.ecb import RATES
from tests.services.world import World
from tests.shared.examples import JSON_VALUES, PROPERTY


async def asked(looking: ToolContext, amount: object, have: object, want: object, **more: object) -> str:
    found = await TOOL.run({"amount": amount, "from": have, "to": want, **more}, looking)
    assert isinstance(found, str)
    return found


@pytest.mark.parametrize(
    ("amount", "have", "want", "answer"),
    [
        (
            100,
            "USD",
            "EUR",
            "100 USD = 84.64 EUR (1 USD = 0.846382 EUR: the ECB's reference rate of Friday 2026-02-27).",
        ),
        (19.99, "eur", "usd", "19.99 EUR = 23.62 USD (1 EUR = 1.1815 USD: "),
        (1_234_567, "USD", "JPY", "1,234,567 USD = 192,410,637 JPY (1 USD = 155.853 JPY: "),
        (1, "IDR", "GBP", "1 IDR = 0.0000443123 GBP (1 IDR = 0.0000443123 GBP: "),
        (5, "CHF", "CHF", "5 CHF = 5.00 CHF (1 CHF = 1 CHF: "),
        (-3, "EUR", "EUR", "-3 EUR = -3.00 EUR (1 EUR = 1 EUR: "),
    ],
)
async def test_amounts_are_told_with_the_rate_and_its_day(
    looking: ToolContext, amount: float, have: str, want: str, answer: str
) -> None:
    assert (await asked(looking, amount, have, want)).startswith(answer.removesuffix("."))


async def test_a_day_of_the_past_has_the_rates_of_the_last_working_day(looking: ToolContext, services: World) -> None:
    assert "of Friday 2026-01-02)" in await asked(looking, 1, "USD", "EUR", date="2026-01-04")
    assert "7.5365 HRK" in await asked(looking, 1, "EUR", "HRK", date="2022-12-30")
    with pytest.raises(ToolFailed, match="had no rate for one of the two currencies then"):
        await asked(looking, 1, "EUR", "HRK", date="2025-01-04")
    assert len(services.ecb.asked) == 3


async def test_what_is_quoted_no_more_or_never_was_is_told(looking: ToolContext) -> None:
    with pytest.raises(ToolFailed, match="no rate for RUB since 2022-03-01"):
        await asked(looking, 1, "EUR", "RUB")
    with pytest.raises(ToolFailed, match="It quotes: CHF, EUR, GBP"):
        await asked(looking, 1, "UAH", "EUR")


async def test_all_rates_are_asked_for_once_a_day(looking: ToolContext, services: World) -> None:
    for code in RATES:
        await asked(looking, 1, "EUR", code)
    await asked(replace(looking, now=looking.now + timedelta(hours=2)), 1, "EUR", "USD")
    assert len(services.ecb.asked) == 1


@pytest.mark.parametrize(
    ("amount", "have", "want", "more"),
    [
        ("x", "USD", "EUR", {}),
        ("nan", "USD", "EUR", {}),
        (1e30, "USD", "EUR", {}),
        (None, "USD", "EUR", {}),
        (1, "US$", "EUR", {}),
        (1, "dollar", "EUR", {}),
        (1, "USD", "EUR", {"date": "yesterday"}),
        (1, "USD", "EUR", {"date": "2027-01-01"}),
        (1, "USD", "EUR", {"date": "1998-12-31"}),
    ],
)
async def test_what_cannot_be_asked_is_told(
    looking: ToolContext, amount: object, have: str, want: str, more: dict[str, str]
) -> None:
    with pytest.raises(ToolFailed, match=r"\.$"):
        await asked(looking, amount, have, want, **more)


async def test_a_bank_that_does_not_answer_is_told(looking: ToolContext, services: World) -> None:
    services.ecb.fails = 503
    with pytest.raises(ToolFailed, match=r"^data-api\.ecb\.europa\.eu answered 503\."):
        await asked(looking, 1, "USD", "EUR")


def test_it_is_declared_in_few_words() -> None:
    jsonschema.Draft202012Validator.check_schema(dict(TOOL.parameters))
    assert TOOL.declaration.characters < 700
    assert (TOOL.stays_in_chat, TOOL.reads_outside) == (True, False)


@PROPERTY
@given(st.dictionaries(st.sampled_from(["amount", "from", "to", "date"]), JSON_VALUES))
async def test_anything_is_an_answer_or_a_sentence(looking: ToolContext, arguments: dict[str, object]) -> None:
    with suppress(ToolFailed):
        assert await TOOL.run(arguments, looking)


@PROPERTY
@given(st.sampled_from(sorted(RATES)), st.sampled_from(sorted(RATES)), st.decimals(1, 10**6, places=2))
async def test_crossing_the_euro_is_the_quotient_of_two_rates(
    looking: ToolContext, have: str, want: str, amount: Decimal
) -> None:
    told = (await asked(looking, str(amount), have, want)).split(" = ")[1].split(" ")[0].replace(",", "")
    assert abs(Decimal(told) - amount * Decimal(RATES[want]) / Decimal(RATES[have])) <= Decimal("0.5")
