"""The costs of single model calls, by what they take and make."""

from datetime import UTC, datetime

import pytest

from shared.base.model_call import ModelCall
from shared.values.usage import cost_of


def test_a_call_comes_back_from_its_document() -> None:
    call = ModelCall(
        model="gemini", prompt_tokens=10, cached_tokens=4, thought_tokens=1, output_tokens=3, ms=70, problem="p"
    )
    assert ModelCall.model_validate(call.model_dump()) == call


def test_a_search_costs_besides_its_tokens() -> None:
    call = ModelCall(model="gemini-3.8-flash", searches=2)
    assert cost_of([call], datetime(2026, 11, 23, tzinfo=UTC)) == 0.028


AUTUMN, JANUARY = datetime(2026, 11, 24, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("model", "at", "usd"),
    [
        ("gemini-3.8-flash-lite-tts", AUTUMN, 0.00155),
        ("gemini-3.8-flash-lite-tts", JANUARY, 0.0031),
        ("gemini-3.8-flash-tts", AUTUMN, 0.0023),
        ("models/gemini-3.8-flash-tts", JANUARY, 0.0046),
    ],
)
def test_ten_seconds_of_speech_are_two_hundred_and_fifty_tokens(model: str, at: datetime, usd: float) -> None:
    assert cost_of([ModelCall(model=model, prompt_tokens=100, output_tokens=250)], at) == usd


@pytest.mark.parametrize(
    ("model", "usd"),
    [
        ("gemini-3.1-flash-image", 0.0672 + 0.00005 + 0.00003),
        ("gemini-nano-banana-2.1", 0.0336 + 0.00015 + 0.000075),
        ("gemini-3-pro-image", 0.1344 + 0.0002 + 0.00012),
        # without a price for pictures, their tokens cost as much as other tokens
        ("gemini-3.5-flash-lite", 0.00003 + 1130 * 2.5e-6),
    ],
)
def test_of_what_is_drawn_the_picture_has_a_price_of_its_own(model: str, usd: float) -> None:
    call = ModelCall(model=model, prompt_tokens=100, output_tokens=1130, picture_tokens=1120)
    assert cost_of([call], AUTUMN) == pytest.approx(usd)


@pytest.mark.parametrize(
    ("model", "usd"), [("gemini-3.1-flash-lite", 0.0005 + 0.00005), ("gemini-3.5-flash-lite", 0.0003 + 0.00006)]
)
def test_sound_in_a_prompt_may_cost_more_than_words(model: str, usd: float) -> None:
    assert cost_of([ModelCall(model=model, prompt_tokens=1200, sound_tokens=1000)], AUTUMN) == pytest.approx(usd)


def test_what_is_cached_is_no_sound_that_is_paid_in_full() -> None:
    call = ModelCall(model="gemini-3.1-flash-lite", prompt_tokens=1000, cached_tokens=1000, sound_tokens=1000)
    assert cost_of([call], AUTUMN) == pytest.approx(0.00005), (
        "it may be what was cached, which is dearer than words then"
    )


def test_nobody_knows_what_a_call_costs_that_counts_nothing() -> None:
    calls = [ModelCall(model="gemini-3.8-flash", prompt_tokens=100, is_uncounted=one) for one in (False, True)]
    assert cost_of(calls[:1], AUTUMN)
    assert cost_of(calls, AUTUMN) is None
