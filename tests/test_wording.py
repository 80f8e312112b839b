"""What lull says to people stands in its catalogues, and what stands there is said."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.bundle import ROOT
from shared.wording.catalogue import FALLBACK, catalogue
from tests.shared.wording.test_catalogue import placeholders, texts_of

WORDING = ROOT / "shared" / "wording"
FILES = [
    f for folder in ("shared", "functions") for f in sorted((ROOT / folder).rglob("*.py")) if WORDING not in f.parents
]


def sayings() -> Iterator[tuple[str, str, set[str]]]:
    """Where something is said, the message's id, and the placeholders that are filled."""
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "say":
                place = f"{file.relative_to(ROOT)}:{node.lineno}"
                (first,) = node.args
                yield place, _pattern(first), {keyword.arg or "**" for keyword in node.keywords}


def _pattern(first: ast.expr) -> str:
    """The id that is said; where a part of it is made at run time, `*` stands for that part."""
    match first:
        case ast.Constant(value=str(message_id)):
            return message_id
        case ast.JoinedStr(values=parts):
            return "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in parts)
    return f"unreadable: {ast.unparse(first)}"


SAYINGS = list(sayings())


@pytest.mark.parametrize(("place", "pattern", "filled"), SAYINGS, ids=[f"{p}-{i}" for p, i, _ in SAYINGS])
def test_what_is_said_is_in_the_catalogue_with_what_is_filled_in(place: str, pattern: str, filled: set[str]) -> None:
    english = catalogue(FALLBACK).messages
    found = [english[message_id] for message_id in english if Path(message_id).match(pattern)]
    assert found
    assert all(set.union(*map(placeholders, texts_of(message))) == filled for message in found)


def test_every_message_of_the_catalogue_is_said() -> None:
    patterns = {pattern for _, pattern, _ in SAYINGS}
    unsaid = [i for i in catalogue(FALLBACK).messages if not any(Path(i).match(pattern) for pattern in patterns)]
    assert unsaid == []
