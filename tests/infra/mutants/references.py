"""The possible errors in references, conditions, collections and clauses of filters."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from infra.bundle import ROOT
from tests.infra.mutants.literals import Change, Span

REFERENCE = re.compile(r"\b(?:local|var|module|each|google_\w+|terraform_data|data)(?:\.[a-z_]\w*)+")
INTERPOLATION = re.compile(r"\$\{[^}]*\}")
JOINT = re.compile(r" AND | OR | and | or | && | \|\| ")
KEY = re.compile(r'(?<=\w)\["(\w+)"\]')
VARIABLE = re.compile(r'variable "(\w+)" \{(?:\n .*|\n)*?\n  type += (.+)')
#: two names of the same thing, of which most places take only one
ALIKE = {"id": "name", "name": "id", "email": "member", "member": "email"}
QUOTED = re.compile(r'\\"([^"\\$]+)\\"')


def renamed(span: Span, text: str) -> Iterator[Change]:
    """Replace each reference by the next one in the file that differs only in its last name."""
    start, end = span
    for found in REFERENCE.finditer(text, start):
        if found.end() > end:
            return
        family = found[0].rpartition(".")[0]
        siblings = sorted({one[0] for one in REFERENCE.finditer(text) if one[0].rpartition(".")[0] == family})
        other = siblings[(siblings.index(found[0]) + 1) % len(siblings)]
        yield f"renamed ({found[0]})", [(found.span(), other)]


def exchanged(span: Span, text: str) -> Iterator[Change]:
    """Replace each reference by one of the same type from another family, and each key by another key of the file."""
    start, end = span
    others = sorted({found[0] for found in REFERENCE.finditer(text)})
    for found in REFERENCE.finditer(text, start, end):
        family, _, name = found[0].rpartition(".")
        alike = [one for one in others if one.rpartition(".")[2] == name and one.rpartition(".")[0] != family]
        same_type = _next_of_type(found[0], others)
        same_thing = [f"{family}.{ALIKE[name]}"] if name in ALIKE and family.count(".") else []
        for other in dict.fromkeys([*alike, *same_type, *same_thing]):
            yield f"exchanged ({found[0]}, {other})", [(found.span(), other)]
    keys = sorted({found[1] for found in KEY.finditer(text)})
    for found in KEY.finditer(text, start, end):
        for other in keys:
            if other != found[1]:
                yield f"exchanged ({found[1]}, {other})", [(found.span(1), other)]


def _next_of_type(reference: str, others: list[str]) -> list[str]:
    types = variable_types()
    of_type = [one for one in others if one in types and types[one] == types.get(reference)]
    return [of_type[(of_type.index(reference) + 1) % len(of_type)]] if len(of_type) > 1 else []


@cache
def variable_types() -> Mapping[str, str]:
    """Map the reference to each variable to the variable's type."""
    files = sorted((ROOT / "infra").rglob("variables*.tf"))
    return {f"var.{name}": kind for file in files for name, kind in VARIABLE.findall(file.read_text())}


def in_string(span: Span, text: str) -> Iterator[Change]:
    """Change references in interpolations of a string, clauses of a filter, and its quoted words."""
    start, end = span
    for found in INTERPOLATION.finditer(text, start, end):
        yield from renamed(found.span(), text)
        yield from exchanged(found.span(), text)
    joints = list(JOINT.finditer(text, start, end))
    for number, joint in enumerate(joints):
        last = joints[number + 1].start() if number + 1 < len(joints) else end - 1
        yield f"clause {number + 2} removed", [((joint.start(), last), "")]
    if joints:
        yield "clause 1 removed", [((start + 1, joints[0].end()), "")]
    for found in QUOTED.finditer(text, start, end):
        yield f"misspelt ({found[1]})", [((found.end(1), found.end(1)), "x")]


def negated(span: Span, text: str) -> Iterator[Change]:
    """Negate the condition of a `for`."""
    start, end = span
    condition = text[start:end].removeprefix("if").strip()
    yield "negated", [(span, f"if !({condition})")]


def emptied(span: Span, text: str) -> Iterator[Change]:
    """Empty a list or an object."""
    start, end = span
    yield "emptied", [(span, text[start] + text[end - 1])]
