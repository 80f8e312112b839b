"""How a reference, a condition, a collection or a filter's clause can be wrong."""

import re
from collections.abc import Iterator

from tests.infra.pinning.literals import Change, Span

REFERENCE = re.compile(r"\b(?:local|var|module|each|google_\w+|terraform_data|data)(?:\.[a-z_]\w*)+")
INTERPOLATION = re.compile(r"\$\{[^}]*\}")
JOINT = re.compile(r" AND | OR | and | or | && | \|\| ")
QUOTED = re.compile(r'\\"([^"\\$]+)\\"')


def renamed(span: Span, text: str) -> Iterator[Change]:
    """Each reference as its sibling: the next in the file that differs in the last name alone."""
    start, end = span
    for found in REFERENCE.finditer(text, start):
        if found.end() > end:
            return
        family = found[0].rpartition(".")[0]
        siblings = sorted({one[0] for one in REFERENCE.finditer(text) if one[0].rpartition(".")[0] == family})
        other = siblings[(siblings.index(found[0]) + 1) % len(siblings)]
        yield f"renamed ({found[0]})", [(found.span(), other)]


def in_string(span: Span, text: str) -> Iterator[Change]:
    """References in a string's interpolations, the clauses of a filter, and the words that it quotes."""
    start, end = span
    for found in INTERPOLATION.finditer(text, start, end):
        yield from renamed(found.span(), text)
    joints = list(JOINT.finditer(text, start, end))
    for number, joint in enumerate(joints):
        last = joints[number + 1].start() if number + 1 < len(joints) else end - 1
        yield f"clause {number + 2} removed", [((joint.start(), last), "")]
    if joints:
        yield "clause 1 removed", [((start + 1, joints[0].end()), "")]
    for found in QUOTED.finditer(text, start, end):
        yield f"misspelt ({found[1]})", [((found.end(1), found.end(1)), "x")]


def negated(span: Span, text: str) -> Iterator[Change]:
    """The condition of a `for`, as its opposite."""
    start, end = span
    condition = text[start:end].removeprefix("if").strip()
    yield "negated", [(span, f"if !({condition})")]


def emptied(span: Span, text: str) -> Iterator[Change]:
    """A list or an object with nothing in it."""
    start, end = span
    yield "emptied", [(span, text[start] + text[end - 1])]
