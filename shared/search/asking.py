"""Asking: which segments ask what is asked again, and how much of a question's words others have."""

import math
import re
from collections.abc import Collection, Sequence
from typing import Final

from shared.models.segment import Segment
from shared.search.terms import AskedTerm

#: question marks of the scripts (unicode.org/charts: Latin and most others, full width, Arabic, Greek, Armenian,
#: Ethiopic, Limbu, Vai, Bamum)
QUESTION_MARKS: Final = re.compile("[?？؟\u037e՞፧᥅꘏꛷¿⁇⁈⁉‽]")
#: of the words of the same question, as many are in this one; and of those of this one that tell something, in that
LEAST_ALIKE: Final = 0.6
LEAST_FOUND: Final = 0.5
#: a word is as rare as in so many segments at least: in a young chat all words are, and one that is unknown would
#: outweigh all that are found
LEAST_SEGMENTS: Final = 100


def is_asking(segment: Segment, places: Sequence[Sequence[Sequence[int]]], asked: Sequence[AskedTerm]) -> bool:
    """Whether a question's words stand in a segment in the same question alone, and in nothing that answers it.

    `places`: for each message those of the question's words that its terms are.
    """
    telling = {place for place, term in enumerate(asked) if not term.is_small}
    having = [n for n, hits in enumerate(places) if any(not telling.isdisjoint(hit) for hit in hits)]
    is_noted = bool(segment.notes)
    return bool(having) and not is_noted and all(_asks(segment.messages[n].text, places[n], telling) for n in having)


def _asks(text: str, hits: Sequence[Sequence[int]], telling: Collection[int]) -> bool:
    found = {place for hit in hits for place in hit if place in telling}
    is_alike = sum(map(bool, hits)) >= LEAST_ALIKE * len(hits) and len(found) >= LEAST_FOUND * len(telling)
    return is_alike and bool(QUESTION_MARKS.search(text))


def shares_of(
    asked: Sequence[AskedTerm], segments: int, matches: Sequence[int | None], found: Sequence[Collection[int]]
) -> list[float]:
    """For each of some segments, which share of what a question says it has, by the rarity of the words.

    `segments`: how many there are in all; `matches`: how many of them have each word, where that was counted.
    """
    total = max(segments, LEAST_SEGMENTS)
    counts = (*matches, *(None,) * len(asked))
    weights = {n: _rarity(total, counts[n]) for n, term in enumerate(asked) if not term.is_small}
    whole = sum(weights.values())
    return [sum(weights.get(place, 0.0) for place in places) / whole if whole else 1.0 for places in found]


def _rarity(total: int, matches: int | None) -> float:
    """A word that is in no segment is as rare as one that is in a single one."""
    count = min(total, max(1, matches if matches is not None else 1))
    return math.log(1 + (total - count + 0.5) / (count + 0.5))
