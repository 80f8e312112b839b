"""The budget of a prompt: what each layer may take of it, in characters. Pure numbers."""

from collections.abc import Mapping, Sequence
from enum import StrEnum


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
