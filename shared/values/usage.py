"""What one call of the model took, and what calls cost, in US dollars.

Prices are those of ai.google.dev/gemini-api/docs/pricing, paid, read on 2026-11-21; of models that speak or draw as
their announcements and other readers of that page told them, read on 2026-11-24.
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
    """What a model is called for."""

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
    PROBE = "probe"


#: what nobody waits for: of a day and a month it may take a share
BACKGROUND_WORK: Final = frozenset(
    {Purpose.COMPRESS, Purpose.EMBED, Purpose.ABBREVIATE, Purpose.SUMMARIZE, Purpose.PROBE}
)
#: what no person pays for, since nobody's words caused it: the canary's call, and, where it belongs to no chat, the
#: description of a sticker that the persona has
WITHOUT_PAYER: Final = frozenset({Purpose.PROBE, Purpose.DESCRIBE})


@dataclass(frozen=True, kw_only=True)
class ModelUse:
    """What a model is called for, and in which chat: what a call is counted under."""

    purpose: Purpose
    #: none: for no chat, such as a sticker of the persona's
    chat: ChatKey | None
    #: who is answered; 0: nobody, or whoever else is answered in the same tick
    person: int = 0
    #: how far the agent trusts them, a `TrustTier`, where what pays for the call cannot find that out
    tier: str = ""
    #: who wrote what it is made of, each with how much of it: they pay by their share; none: who is named above pays
    writers: Mapping[int, int] = field(default_factory=dict, hash=False)

    @property
    def needs_payer(self) -> bool:
        """Whether it is refused, where limits hold, unless it is known who pays."""
        return self.purpose not in WITHOUT_PAYER or (self.purpose is Purpose.DESCRIBE and self.chat is not None)


def split_amount(amount: int, shares: Sequence[int]) -> Sequence[int]:
    """An amount in whole parts that are as the shares are, and together the amount; 0 where a share is 0."""
    whole, ends = sum(shares), list(accumulate(shares, initial=0))
    return [amount * end // whole - amount * begin // whole for begin, end in pairwise(ends)] if whole else []


def can_leave_out(writers: Mapping[int, int], payers: Collection[int]) -> bool:
    """Whether somebody is left to pay for a call that these can't pay for: it may be made without their words."""
    return 0 < len(writers.keys() - payers) < len(writers)


def payer_of(people: Sequence[int]) -> int:
    """Of the people whom one answer is for, from whose limits it is paid: the last of them; 0: nobody's."""
    return people[-1] if people else 0


@dataclass(frozen=True)
class Price:
    """US dollars for a million tokens: of a prompt, of what of it was cached, of a reply with its thoughts."""

    prompt: float
    cached: float
    output: float
    #: the price holds for calls before this moment; none: as far as is known
    until: datetime | None = None
    #: where they cost something else: sound in a prompt, pictures in a reply
    sound: float | None = None
    pictures: float | None = None


_NEW_YEAR = datetime(2027, 1, 1, tzinfo=UTC)
#: by model, the price that ends first standing first
PRICES: Mapping[str, Sequence[Price]] = {
    "gemini-3.8-flash": (
        Price(0.75, 0.075, 3.75, until=_NEW_YEAR),
        Price(1.50, 0.15, 7.50),
    ),
    "gemini-3.6-flash": (Price(0.75, 0.075, 3.75),),
    "gemini-3.5-flash-lite": (Price(0.30, 0.03, 2.50),),
    "gemini-3.1-flash-lite": (Price(0.25, 0.025, 1.50, sound=0.50),),
    # these speak: nothing of their prompts is cached, and what they write is sound
    "gemini-3.8-flash-tts": (Price(0.50, 0.50, 9.00, until=_NEW_YEAR), Price(1.00, 1.00, 18.00)),
    "gemini-3.8-flash-lite-tts": (Price(0.50, 0.50, 6.00, until=_NEW_YEAR), Price(1.00, 1.00, 12.00)),
    # these draw: a picture of 1,024 by 1,024 is 1,120 tokens
    "gemini-nano-banana-2.1": (Price(1.50, 1.50, 7.50, pictures=30.00),),
    "gemini-3.1-flash-image": (Price(0.50, 0.50, 3.00, pictures=60.00),),
    "gemini-3.1-flash-lite-image": (Price(0.25, 0.25, 1.50, pictures=30.00),),
    "gemini-3-pro-image": (Price(2.00, 2.00, 12.00, pictures=120.00),),
    # these make vectors, and write nothing; by their whole names, since one's number is no version of another
    "gemini-embedding-2": (Price(0.20, 0.20, 0.0),),
    "gemini-embedding-001": (Price(0.15, 0.15, 0.0),),
}
#: US dollars for one search of Gemini 3; the first 5,000 of a month are free, which is not known here
SEARCH_PRICE = 0.014
#: what a version has behind its model's name
_VERSION = re.compile(r"-\d{3,}\Z", re.ASCII)


#: prices that the deployment gave, by model
_GIVEN: dict[str, Price] = {}


def set_prices(prices: Mapping[str, Price]) -> None:
    """Use these prices besides those of the table, and before them, in this process."""
    _GIVEN.clear()
    _GIVEN.update({name.removeprefix("models/"): price for name, price in prices.items()})


def price_of(model: str, at: datetime) -> Price | None:
    """The price of a model at a moment; None for one that is neither in the table nor given."""
    return _GIVEN.get(model.removeprefix("models/")) or listed_price(model, at)


def listed_price(model: str, at: datetime) -> Price | None:
    """The price of a model at a moment by the table alone; None for one that is not in it."""
    name = model.removeprefix("models/")
    prices = PRICES.get(name) or PRICES.get(_VERSION.sub("", name), ())
    return next((price for price in prices if price.until is None or at < price.until), None)


def cheapest_model(models: Iterable[str], chosen: str, at: datetime) -> str:
    """Of some models the one whose replies cost least; the chosen one, where that is not known to cost more."""
    prices = {name: price.output for name in (chosen, *models) if (price := price_of(name, at)) is not None}
    return min(prices, key=lambda name: prices[name]) if chosen in prices else chosen


def cost_of(calls: Iterable[ModelCall], at: datetime) -> float | None:
    """Dollars for calls of about one moment; none when the price of one of them is not known, or what it took."""
    total = 0.0
    for call in calls:
        price = price_of(call.model, at)
        if price is None or call.is_uncounted:
            return None
        total += call.searches * SEARCH_PRICE * 1e6 + _millionths(call, price)
    return round(total / 1e6, 9)


def _millionths(call: ModelCall, price: Price) -> float:
    """Millionths of a dollar for the tokens of one call; no part of it is negative."""
    sound = price.prompt if price.sound is None else price.sound
    cached = min(call.cached_tokens, call.prompt_tokens)
    heard = min(call.sound_tokens, call.prompt_tokens - cached)
    fresh = call.prompt_tokens - cached - heard
    said = max(0, call.output_tokens + call.thought_tokens - call.picture_tokens)
    prompt = fresh * price.prompt + cached * price.cached
    prompt += heard * sound
    if price.prompt:  # what was cached may be sound, too
        prompt += min(cached, call.sound_tokens) * price.cached * max(0.0, sound / price.prompt - 1)
    return prompt + said * price.output + call.picture_tokens * (price.pictures or price.output)
