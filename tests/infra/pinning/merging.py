"""Several mutations made at once, in files that more than one of them edits."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from infra.bundle import ROOT
from tests.infra.pinning.literals import Span
from tests.infra.pinning.mutations import Mutation


def groups(mutations: Iterable[Mutation], size: int) -> Iterator[list[Mutation]]:
    """All of them in groups of at most this size, in each of which no two edit the same argument."""
    left = list(mutations)
    while left:
        group: list[Mutation] = []
        later: list[Mutation] = []
        arguments: set[tuple[str, str]] = set()
        taken: dict[str, list[Span]] = defaultdict(list)
        for mutation in left:
            start, end = edit_of(mutation)[0]
            spans, argument = taken[mutation.file], (mutation.file, mutation.place)
            if (
                argument not in arguments
                and len(group) < size
                and all(end < other or start > last for other, last in spans)
            ):
                group.append(mutation)
                arguments.add(argument)
                spans.append((start, end))
            else:
                later.append(mutation)
        yield group
        left = later


@cache
def edit_of(mutation: Mutation) -> tuple[Span, str]:
    """The part of the file that a mutation replaces, and what it writes there."""
    before, after = text_of(mutation.file), mutation.text
    start = _alike(before, after)
    behind = _alike(before[start:][::-1], after[start:][::-1])
    return (start, len(before) - behind), after[start : len(after) - behind]


def _alike(one: str, other: str) -> int:
    """How many characters both begin with."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


@dataclass(frozen=True)
class Merged:
    """Several mutations made at once: the files' texts, and in which of their lines each mutation is."""

    texts: Mapping[str, str]
    lines: Mapping[Mutation, range]


def merged(mutations: Iterable[Mutation]) -> Merged:
    """All of a group made at once."""
    texts: dict[str, str] = {}
    lines: dict[Mutation, range] = {}
    moved: dict[str, int] = defaultdict(int)
    for mutation, ((start, end), new) in sorted(((m, edit_of(m)) for m in mutations), key=lambda made: made[1]):
        text = texts.get(mutation.file) or text_of(mutation.file)
        at = start + moved[mutation.file]
        texts[mutation.file] = text[:at] + new + text[end + moved[mutation.file] :]
        moved[mutation.file] += len(new) - (end - start)
        first = text.count("\n", 0, at) + 1
        lines[mutation] = range(first, first + new.count("\n") + 1)
    return Merged(texts, lines)


def text_of(file: str) -> str:
    """A file of infra as it is."""
    return (ROOT / "infra" / file).read_text()
