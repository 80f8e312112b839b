"""Purposes and prices of model calls, in US dollars.

Prices are those of the paid tier on ai.google.dev/gemini-api/docs/pricing, read on 2026-11-21. Prices of models that
speak or draw come from the models' announcements and from other sites that quote that page, read on 2026-11-24.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from itertools import accumulate, pairwise
from typing import Final

from shared.base.model_call import ModelCall
from shared.values.chat_key import ChatKey


class Purpose(StrEnum):
    """The purposes for which models are called. Costs are recorded by purpose."""

    PLAN = "plan"
    JUDGE = "judge"
    COMPRESS = "compress"
    SEARCH = "search"
    DESCRIBE = "describe"
    SPEAK = "speak"
    DRAW = "draw"
    EMBED = "embed"
    ABBREVIATE = "abbreviate"
    SUMMARIZE = "summarize"
    REHEARSE = "rehearse"
    PROBE = "probe"


#: work that nobody waits for; it may use only a part of a limit
BACKGROUND_WORK: Final = frozenset(
    {Purpose.COMPRESS, Purpose.EMBED, Purpose.ABBREVIATE, Purpose.SUMMARIZE, Purpose.PROBE}
)
#: work that no person pays for, since nobody's words caused it: the canary's call, and the description of a sticker
#: of the persona, which belongs to no chat
WITHOUT_PAYER: Final = frozenset({Purpose.PROBE, Purpose.DESCRIBE})


@dataclass(frozen=True, kw_only=True)
class ModelUse:
    """The purpose of a call, and the chat and the people that it is charged to."""

    purpose: Purpose
    #: None if the call belongs to no chat, such as for a sticker of the persona
    chat: ChatKey | None
    #: the person who is answered; 0 for nobody, or, in a tick, for the person whom the tick answers
    person: int = 0
    #: the person's `TrustTier`, if the budget service cannot look it up
    tier: str = ""
    #: by person, how much of the input the person wrote: each pays in proportion. If empty, `person` pays
    writers: Mapping[int, int] = field(default_factory=dict, hash=False)

    @property
    def needs_payer(self) -> bool:
        """Return whether the call needs a payer. If limits apply, such a call is refused while no payer is known."""
        return self.purpose not in WITHOUT_PAYER or (self.purpose is Purpose.DESCRIBE and self.chat is not None)


def split_amount(amount: int, shares: Sequence[int]) -> Sequence[int]:
    """Split an amount into whole parts in proportion to the shares.

    The parts add up to the amount. If all shares are 0, there are no parts.
    """
    whole, ends = sum(shares), list(accumulate(shares, initial=0))
    return [amount * end // whole - amount * begin // whole for begin, end in pairwise(ends)] if whole else []


def can_leave_out(writers: Mapping[int, int], payers: Collection[int]) -> bool:
    """Return whether a call can be made without the words of `payers`, the people whose spending limits are reached.

    True if these people wrote some of the call's words, but not all of them.
    """
    return 0 < len(writers.keys() - payers) < len(writers)


def payer_of(people: Sequence[int]) -> int:
    """Return the person whose limits pay for an answer: the last of the people whom it answers, or 0."""
    return people[-1] if people else 0


@dataclass(frozen=True)
class Price:
    """US dollars for a million tokens: of a prompt, of the prompt's cached part, and of a reply with its thoughts."""

    prompt: float
    cached: float
    output: float
    #: the time at which this price ends; None if no end is known
    until: datetime | None = None
    #: the prices of sound in a prompt and of pictures in a reply, if they differ
    sound: float | None = None
    pictures: float | None = None


_NEW_YEAR = datetime(2027, 1, 1, tzinfo=UTC)
#: prices by model, the price that ends first comes first
PRICES: Mapping[str, Sequence[Price]] = {
    "gemini-3.8-flash": (
        Price(0.75, 0.075, 3.75, until=_NEW_YEAR),
        Price(1.50, 0.15, 7.50),
    ),
    "gemini-3.6-flash": (Price(0.75, 0.075, 3.75),),
    "gemini-3.5-flash-lite": (Price(0.30, 0.03, 2.50),),
    "gemini-3.1-flash-lite": (Price(0.25, 0.025, 1.50, sound=0.50),),
    # speech models: their prompts are not cached, and their output is sound
    "gemini-3.8-flash-tts": (Price(0.50, 0.50, 9.00, until=_NEW_YEAR), Price(1.00, 1.00, 18.00)),
    "gemini-3.8-flash-lite-tts": (Price(0.50, 0.50, 6.00, until=_NEW_YEAR), Price(1.00, 1.00, 12.00)),
    # image models: a picture of 1,024 by 1,024 is 1,120 tokens
    "gemini-nano-banana-2.1": (Price(1.50, 1.50, 7.50, pictures=30.00),),
    "gemini-3.1-flash-image": (Price(0.50, 0.50, 3.00, pictures=60.00),),
    "gemini-3.1-flash-lite-image": (Price(0.25, 0.25, 1.50, pictures=30.00),),
    "gemini-3-pro-image": (Price(2.00, 2.00, 12.00, pictures=120.00),),
    # embedding models, by their whole names: another number is another model, not another version
    "gemini-embedding-2": (Price(0.20, 0.20, 0.0),),
    "gemini-embedding-001": (Price(0.15, 0.15, 0.0),),
}
#: US dollars for one search of Gemini 3. The first 5,000 searches of a month are free, which is ignored here
SEARCH_PRICE = 0.014
#: the suffix of a version behind its model's name
_VERSION = re.compile(r"-\d{3,}\Z", re.ASCII)


#: prices that the deployment sets, by model
_GIVEN: dict[str, Price] = {}


def set_prices(prices: Mapping[str, Price]) -> None:
    """Use these prices in this process instead of those in this module's table."""
    _GIVEN.clear()
    _GIVEN.update({name.removeprefix("models/"): price for name, price in prices.items()})


def price_of(model: str, at: datetime) -> Price | None:
    """Return the price of a model at the time `at`; None if the model is unknown."""
    return _GIVEN.get(model.removeprefix("models/")) or listed_price(model, at)


def listed_price(model: str, at: datetime) -> Price | None:
    """Return the price of a model at the time `at` from the table alone; None if the model is not in the table."""
    name = model.removeprefix("models/")
    prices = PRICES.get(name) or PRICES.get(_VERSION.sub("", name), ())
    return next((price for price in prices if price.until is None or at < price.until), None)


def cheapest_model(models: Iterable[str], chosen: str, at: datetime) -> str:
    """Return the model whose replies cost least. If the price of the `chosen` model is unknown, return `chosen`."""
    prices = {name: price.output for name in (chosen, *models) if (price := price_of(name, at)) is not None}
    return min(prices, key=lambda name: prices[name]) if chosen in prices else chosen


def cost_of(calls: Iterable[ModelCall], at: datetime) -> float | None:
    """Return the cost in dollars of calls that were made at about the same time.

    Return None if a price is unknown, or if the tokens of a call were not counted.
    """
    total = 0.0
    for call in calls:
        price = price_of(call.model, at)
        if price is None or call.is_uncounted:
            return None
        total += call.searches * SEARCH_PRICE * 1e6 + _millionths(call, price)
    return round(total / 1e6, 9)


def _millionths(call: ModelCall, price: Price) -> float:
    """Return the cost of one call's tokens in millionths of a dollar."""
    sound = price.prompt if price.sound is None else price.sound
    cached = min(call.cached_tokens, call.prompt_tokens)
    heard = min(call.sound_tokens, call.prompt_tokens - cached)
    fresh = call.prompt_tokens - cached - heard
    said = max(0, call.output_tokens + call.thought_tokens - call.picture_tokens)
    prompt = fresh * price.prompt + cached * price.cached
    prompt += heard * sound
    if price.prompt:  # some of the sound may be in the cached part
        prompt += min(cached, call.sound_tokens) * price.cached * max(0.0, sound / price.prompt - 1)
    return prompt + said * price.output + call.picture_tokens * (price.pictures or price.output)
