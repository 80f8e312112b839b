"""The costs of photos, and the numbers behind them."""

import re

import pytest

from infra.bundle import ROOT
from infra.functions import declared_functions
from operations.costs_of_media import (
    DAYS_STORED,
    DECODING_GIB,
    DESCRIBING_GIB,
    PHOTO_TOKENS,
    WORDS_IN,
    WORDS_OUT,
    media,
    showing_costs,
)
from shared.values.usage import PRICES
from shared.wiring.settings.model_functions import LITE, TickSettings


def test_each_photo_costs_the_same() -> None:
    one, many = media(1), media(1_000)
    assert many == {name: pytest.approx(1_000 * dollars) for name, dollars in one.items()}
    assert all(dollars > 0 for dollars in one.values())
    assert showing_costs(1_000) == pytest.approx(1_000 * showing_costs(1))


def test_the_model_that_describes_is_paid_for_and_costs_most() -> None:
    # by default, the price is that of the default model for descriptions
    assert TickSettings.model_fields["media_model"].default == LITE
    (price,) = PRICES[LITE]
    paid = ((PHOTO_TOKENS + WORDS_IN) * price.prompt + WORDS_OUT * price.output) / 1e6
    dollars = media(1)
    assert dollars["model"] == pytest.approx(paid)
    assert max(dollars, key=dollars.__getitem__) == "model"


def test_the_model_that_answers_pays_for_the_picture_itself() -> None:
    assert showing_costs(1) == pytest.approx(PHOTO_TOKENS * PRICES["gemini-3.8-flash"][0].prompt / 1e6)


def test_sizes_and_times_are_those_of_the_deployment() -> None:
    default = re.search(
        r'variable "media_days" \{.*?default\s+= (\d+)', (ROOT / "infra" / "variables-data.tf").read_text(), re.DOTALL
    )
    assert default
    assert int(default[1]) == DAYS_STORED
    memory = {name: declared_functions()[name].limits.memory for name in ("describe_media", "reader")}
    assert memory == {"describe_media": f"{DESCRIBING_GIB * 1024:.0f}Mi", "reader": f"{DECODING_GIB:.0f}Gi"}
