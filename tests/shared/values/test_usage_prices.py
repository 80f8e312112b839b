"""The costs of model calls by the price list."""

from datetime import UTC, datetime, timedelta

import pytest

from shared.base.model_call import ModelCall
from shared.values.usage import PRICES, Price, cost_of, price_of, set_prices
from shared.wiring.settings.model_functions import LITE, TickSettings

NOW = datetime(2026, 11, 21, tzinfo=UTC)
FLASH = "gemini-3.8-flash"


@pytest.mark.parametrize("name", [FLASH, f"models/{FLASH}", f"{FLASH}-001"])
def test_a_version_costs_what_its_model_does(name: str) -> None:
    assert price_of(name, NOW) == PRICES[FLASH][0]


def test_a_models_number_is_no_version_of_another() -> None:
    costs = {name: cost_of([ModelCall(model=name, prompt_tokens=1_000_000)], NOW) for name in PRICES}
    assert (costs["gemini-embedding-2"], costs["gemini-embedding-001"]) == (0.20, 0.15)


@pytest.mark.parametrize(
    "name",
    [
        "scripted",
        "",
        " ",
        "models/",
        "gemini-3.8",
        f"{FLASH}-x",
        f"{FLASH}-2",
        f"{FLASH}-latest",
        f"{FLASH}-preview-09-2026",
        f" {FLASH}",
        f"{FLASH}\n",
        FLASH.upper(),
        f"publishers/google/models/{FLASH}",
        f"models/models/{FLASH}",
        "tunedModels/mine-123",
        "projects/p/locations/l/endpoints/123",
        "gemini-embedding-003",
        "gemini-9",
    ],
)
def test_an_unknown_models_price_is_none_and_so_is_its_cost(name: str) -> None:
    assert price_of(name, NOW) is None
    known, unknown = ModelCall(model=FLASH, prompt_tokens=5), ModelCall(model=name, prompt_tokens=5)
    assert cost_of([known, unknown], NOW) is None


def test_a_price_is_given_by_the_name_that_is_asked_however_that_is_spelt() -> None:
    set_prices({"models/gemini-next": Price(1.0, 1.0, 2.0)})
    try:
        assert price_of("gemini-next", NOW) == price_of("models/gemini-next", NOW) == Price(1.0, 1.0, 2.0)
    finally:
        set_prices({})


def test_a_price_that_ends_is_followed_by_the_next() -> None:
    first, second = PRICES[FLASH]
    assert first.until is not None
    assert price_of(FLASH, first.until - timedelta(seconds=1)) == first
    assert price_of(FLASH, first.until) == second
    assert all(prices[-1].until is None for prices in PRICES.values())


def test_cached_tokens_are_cheaper_and_thoughts_are_paid_like_words() -> None:
    call = ModelCall(
        model=FLASH, prompt_tokens=1_000_000, cached_tokens=400_000, output_tokens=100_000, thought_tokens=60_000
    )
    assert cost_of([call], NOW) == pytest.approx(0.6 * 0.75 + 0.4 * 0.075 + 0.16 * 3.75)
    assert cost_of([call, call], NOW) == pytest.approx(2 * (0.6 * 0.75 + 0.4 * 0.075 + 0.16 * 3.75))
    assert cost_of([], NOW) == 0


def test_the_models_that_are_used_unless_somebody_chooses_have_a_price() -> None:
    usual = str(TickSettings.model_fields["model"].default)
    assert price_of(usual, NOW)
    assert price_of(LITE, NOW)
