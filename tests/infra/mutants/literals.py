"""Possible errors in numbers, words and strings."""

import re
from collections.abc import Iterator
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
#: the kind of a mutation, with its new texts and their places
Change: TypeAlias = tuple[str, list[tuple[Span, str]]]
NUMBER = re.compile(r"(?<![\w.$])\d+(?:\.\d+)?")
INTERPOLATED = re.compile(r"\$\{[^}]*\}")
#: words with an opposite, or with another word that is easily written instead
OPPOSITES = {
    "true": "false",
    "==": "!=",
    "&&": "||",
    ">=": "<",
    "<=": ">",
    " > ": " < ",
    ">": "<",
    " AND ": " OR ",
    "ENABLED": "DISABLED",
    "Enabled": "Suspended",
    "RUNNING": "PAUSED",
    "ASCENDING": "DESCENDING",
    "POST": "GET",
    "ALLOW_ALL": "ALLOW_INTERNAL_ONLY",
    "KEEP": "DELETE",
    "ABANDON": "DELETE",
    "enforced": "inherited",
    "COLLECTION_GROUP": "COLLECTION",
    "DELTA": "GAUGE",
    "SUNDAY": "MONDAY",
    "increase": "rate",
    "max(": "min(",
    "startswith": "endswith",
    "objectViewer": "objectAdmin",
    "secretAccessor": "admin",
    "datastore.user": "datastore.owner",
    ".invoker": ".developer",
    ".enqueuer": ".admin",
}
FLIPS = {**{new: old for old, new in OPPOSITES.items()}, **OPPOSITES}
FLIPPED = re.compile("|".join(re.escape(word) for word in sorted(FLIPS, key=len, reverse=True)))


def numbers(span: Span, text: str) -> Iterator[Change]:
    """Halve and double each number outside interpolations."""
    start, end = span
    literal = INTERPOLATED.sub(lambda found: "_" * len(found[0]), text[start:end])
    for found in NUMBER.finditer(literal):
        place = (start + found.start(), start + found.end())
        value = float(found[0])
        more = 2 * value if value else 1
        yield f"doubled ({found[0]})", [(place, f"{more:g}" if more % 1 else str(int(more)))]
        less = value / 2
        if value > 1 or value % 1:
            yield f"halved ({found[0]})", [(place, f"{less:g}" if value % 1 else str(int(less)))]


def words(span: Span, text: str) -> Iterator[Change]:
    start, end = span
    for found in FLIPPED.finditer(text[start:end]):
        yield f"flipped ({found[0].strip()})", [((start + found.start(), start + found.end()), FLIPS[found[0]])]


def string(span: Span, text: str) -> Iterator[Change]:
    start, end = span
    yield from words(span, text)
    yield from numbers(span, text)
    if end - start > 2:
        yield "altered", [((end - 1, end - 1), "x")]
