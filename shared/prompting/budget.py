"""The budget of a prompt: tokens as estimated from characters, and the share of each layer. Pure numbers."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from math import ceil

#: the estimate for a new chat. Headers are full of ids and times, which take a token for each digit: a group in five
#: languages had 2.1 with headers and 2.8 in the compact format, by the vocabulary of Gemma 4
FIRST_CHARACTERS_PER_TOKEN = 2.0

#: characters per token of a chat of emoji, and of one of long English words. What lies beyond was counted wrong
LEAST, MOST = 0.5, 6.0

#: the weight of a new report against the estimate so far
WEIGHT = 0.5

#: an estimate that is as near as this stays. If it moved with every report, so would the place where a prompt is cut
NEAR = 0.05

#: a shorter prompt tells nothing: most of it is the model's own template
FEWEST_TOKENS = 100


def learned(characters_per_token: float, characters: int, tokens: int) -> float:
    """The new estimate, from the old one and a prompt's characters and the `prompt_tokens` that the model counted.

    The first reports bring in what a script needs (English about 4, Ukrainian 3, Japanese 1.5 characters per token).
    """
    if tokens < FEWEST_TOKENS or characters <= 0:
        return characters_per_token
    seen = min(max(characters / tokens, LEAST), MOST)
    if abs(seen - characters_per_token) <= NEAR * characters_per_token:
        return characters_per_token
    return round(characters_per_token + WEIGHT * (seen - characters_per_token), 3)


def tokens_of(characters: int, characters_per_token: float) -> int:
    """How many tokens so many characters are, rounded up."""
    return ceil(characters / characters_per_token)


def characters_in(tokens: int, characters_per_token: float) -> int:
    """How many characters so many tokens hold, rounded down."""
    return int(tokens * characters_per_token)


class Layer(StrEnum):
    """The layers of a prompt besides the instructions. What one layer leaves unused goes to the first of the others."""

    IMMEDIATE = "immediate"
    SUMMARIES = "summaries"
    FACTS = "facts"
    RELEVANT = "relevant"
    RECENT = "recent"


#: the share of each layer in what the agent's own texts leave; together they are the whole
SHARES: Mapping[Layer, float] = {
    Layer.IMMEDIATE: 0.25,
    Layer.SUMMARIES: 0.15,
    Layer.FACTS: 0.10,
    Layer.RELEVANT: 0.10,
    Layer.RECENT: 0.40,
}


def allotted(needs: Mapping[Layer, int], budget: int, least: int = 0) -> dict[Layer, int]:
    """What each layer gets: what it needs, up to its share, and then from what others left, in the order of the layers.

    The immediate layer gets `least` even if its share is smaller; then the other shares shrink alike.
    """
    first = Layer.IMMEDIATE
    share = max(int(SHARES[first] * budget), min(least, budget))
    scale = (budget - share) / (1 - SHARES[first])
    got = {layer: min(needs.get(layer, 0), int(SHARES[layer] * scale)) for layer in Layer}
    got[first] = min(needs.get(first, 0), share)
    left = budget - sum(got.values())
    for layer in Layer:
        more = min(left, needs.get(layer, 0) - got[layer])
        got[layer] += more
        left -= more
    return got


def level(lengths: Sequence[int], budget: int) -> int:
    """The length to which texts must be cut to fit a budget together. Those that are shorter stay whole."""
    left = budget
    ordered = sorted(lengths)
    for number, length in enumerate(ordered):
        fair = left // (len(ordered) - number)
        if length > fair:
            return max(0, fair)
        left -= length
    return max(ordered, default=0)


def newest_that_fit(texts: Sequence[str], budget: int) -> tuple[str, ...]:
    """As many of the last texts as fit a budget, each with a line end."""
    kept: list[str] = []
    for text in reversed(texts):
        budget -= len(text) + 1
        if budget < 0:
            break
        kept.append(text)
    return tuple(reversed(kept))
