"""The prices that costs are computed with."""

from operations.prices import FREE, MORE_PRICES, PRICES
from shared.values.usage import PRICES as GEMINI_PRICES
from shared.wiring.settings.model_functions import LITE


def test_what_is_free_has_a_price_beyond() -> None:
    assert FREE.keys() <= PRICES.keys()
    assert not PRICES.keys() & MORE_PRICES.keys()
    assert all(dollars > 0 for dollars in (*PRICES.values(), *MORE_PRICES.values()))


def test_tokens_have_the_prices_that_calls_are_counted_with() -> None:
    planning, lite = GEMINI_PRICES["gemini-3.8-flash"][0], GEMINI_PRICES[LITE][0]
    assert PRICES["token_in"] * 1e6 == planning.prompt
    assert PRICES["token_cached"] * 1e6 == planning.cached
    assert PRICES["token_out"] * 1e6 == planning.output
    assert PRICES["embedded"] * 1e6 == GEMINI_PRICES["gemini-embedding-2"][0].prompt
    assert (PRICES["judge_in"] * 1e6, PRICES["judge_out"] * 1e6) == (lite.prompt, lite.output)
