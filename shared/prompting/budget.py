"""The budget of a prompt: tokens estimated from characters, and what each layer may take of them. Pure numbers."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from math import ceil

#: of a chat that nothing is known of yet. Ids and times, of which headers are full, take a token for each digit: a
#: group in five languages had 2.1 with headers and 2.8 in the compact format, by the vocabulary of Gemma 4
FIRST_CHARACTERS_PER_TOKEN = 2.0

#: a chat of emoji, and one of long English words: what lies beyond was counted wrong
LEAST, MOST = 0.5, 6.0

#: how much a report weighs against what was believed before
WEIGHT = 0.5

#: an estimate that is so near stays as it is: if it moved with every report, so would the place where a prompt is cut
NEAR = 0.05

#: shorter prompts are mostly what the model's own template adds
FEWEST_TOKENS = 100


def learned(characters_per_token: float, characters: int, tokens: int) -> float:
    """The new estimate, from the old one and a prompt of so many characters that the model counted as so many tokens.

    `tokens` are the model's `prompt_tokens`, and `characters` those of the prompt that it counted. What a script needs
    (English about 4, Ukrainian 3, Japanese 1.5) comes in with the first reports.
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
    """What a prompt shows besides what the agent is; those first in line for what others leave stand first."""

    IMMEDIATE = "immediate"
    SUMMARIES = "summaries"
    FACTS = "facts"
    RELEVANT = "relevant"
    RECENT = "recent"


#: what each layer may count on, of what the agent's own texts leave; together they are the whole
SHARES: Mapping[Layer, float] = {
    Layer.IMMEDIATE: 0.25,
    Layer.SUMMARIES: 0.15,
    Layer.FACTS: 0.10,
    Layer.RELEVANT: 0.10,
    Layer.RECENT: 0.40,
}


def allotted(needs: Mapping[Layer, int], budget: int, least: int = 0) -> dict[Layer, int]:
    """What each layer gets: its need, if that is within its share; and of what others leave, the first in line first.

    `least` goes to what is to be answered even where its share is smaller; the other shares shrink alike.
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
    """The length to which all must be cut so that together they are within a budget; the short ones stay whole."""
    left = budget
    ordered = sorted(lengths)
    for number, length in enumerate(ordered):
        fair = left // (len(ordered) - number)
        if length > fair:
            return max(0, fair)
        left -= length
    return max(ordered, default=0)


def newest_that_fit(texts: Sequence[str], budget: int) -> tuple[str, ...]:
    """The last texts that are within a budget, each with a line's end; all of them, if they can be."""
    kept: list[str] = []
    for text in reversed(texts):
        budget -= len(text) + 1
        if budget < 0:
            break
        kept.append(text)
    return tuple(reversed(kept))
