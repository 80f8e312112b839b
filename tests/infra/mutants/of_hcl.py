"""The possible errors in a file of Terraform, argument by argument."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations, pairwise
from typing import Any, TypeAlias

from lark import Tree

from tests.infra.inventory.files import WORDS
from tests.infra.mutants.literals import Change, Span, numbers, string, words
from tests.infra.mutants.references import emptied, exchanged, in_string, negated, renamed

#: a change with its place
Placed: TypeAlias = tuple[str, Change]
LITERALS: dict[str, Callable[[Span, str], Iterable[Change]]] = {
    "int_lit": numbers,
    "float_lit": numbers,
    "literal_value": words,
    "binary_operator": words,
    "string": lambda span, text: chain(string(span, text), in_string(span, text)),
}
JOINING = {"&&", "||", "*", "+", "-", "/"}
OF_A_RIGHT = {"role", "member"}
#: errors of a whole expression, besides those of its parts
WHOLES: dict[str, Callable[[Span, str], Iterable[Change]]] = {
    "get_attr_expr_term": lambda span, text: chain(renamed(span, text), exchanged(span, text)),
    "index_expr_term": exchanged,
    "for_cond": negated,
    "tuple": emptied,
    "object": emptied,
}


def changes_of_hcl(node: Any, place: str, text: str) -> Iterator[Placed]:
    """Yield each change of an argument in a syntax tree, with its place."""
    if node.data in ("attribute", "object_elem", "block"):
        place = f"{place}/{_name(node, text)}".lstrip("/")
        if place.rpartition("/")[2] in WORDS:
            return
        yield place, ("removed", [(_entry(node, text), "")])
    if literal := LITERALS.get(node.data):
        yield from ((place, change) for change in literal(_span(node), text))
        return
    if whole := WHOLES.get(node.data):
        yield from ((place, change) for change in whole(_span(node), text))
    if node.data == "conditional":
        _, this, other = _trees(node)
        yield place, ("flipped", _swap(this, other, text))
        yield place, ("always the first", [(_span(node), _text(this, text))])
        yield place, ("always the second", [(_span(node), _text(other, text))])
    if node.data == "binary_op":
        yield from ((place, change) for change in _of_operands(node, text))
    is_list = node.data == "tuple"
    yield from _of_list(node, place, text) if is_list else _of_neighbours(node, place, text)
    for child in _trees(node):
        yield from changes_of_hcl(child, place, text)


def _of_operands(node: Any, text: str) -> Iterator[Change]:
    """Leave out one of two conditions, or one of two numbers."""
    one, term = _trees(node)[:2]
    operator, other = (child for child in term.children if not _is_space(child))
    if _text(operator, text) in JOINING:
        whole = (_span(one)[0], _span(other)[1])
        yield "clause 1 removed", [(whole, _text(other, text))]
        yield "clause 2 removed", [(whole, _text(one, text))]


def _is_space(node: Any) -> bool:
    return not isinstance(node, Tree) or node.data == "new_line_or_comment"


def changes_of_bindings(root: Any, text: str) -> Iterator[Placed]:
    """Exchange the role and the member of each right with those of every other right in the file."""
    bindings = [node for node in root.find_data("block") if "_iam_member " in _name(node, text)]
    for one, other in combinations(bindings, 2):
        theirs = {_name(argument, text): argument for argument in other.find_data("attribute")}
        for argument in one.find_data("attribute"):
            name = _name(argument, text)
            if name in OF_A_RIGHT & theirs.keys():
                swapped = _swap(_trees(argument)[-1], _trees(theirs[name])[-1], text)
                yield f"{_name(one, text)}/{name}", (f"exchanged with {_name(other, text)}", swapped)


def _of_neighbours(node: Any, place: str, text: str) -> Iterator[Placed]:
    entries = [child for child in _trees(node) if child.data in ("attribute", "object_elem")]
    for one, other in pairwise(e for e in entries if not {_name(e, text)} & WORDS):
        both = f"{place}/{_name(one, text)}".lstrip("/")
        yield both, (f"swapped with {_name(other, text)}", _swap(_trees(one)[-1], _trees(other)[-1], text))


def _of_list(node: Any, place: str, text: str) -> Iterator[Placed]:
    for number, element in enumerate(_trees(node)):
        yield f"{place}[{number}]", ("removed", [(_entry(element, text), "")])
    for number, (one, other) in enumerate(pairwise(_trees(node))):
        yield f"{place}[{number}]", ("swapped with the next", _swap(one, other, text))


def _trees(node: Any) -> list[Any]:
    names = ("identifier", "string") if node.data == "block" else ("new_line_or_comment", "object_elem_key")
    return [c for c in node.children if isinstance(c, Tree) and c.data not in names]


def _name(node: Any, text: str) -> str:
    """Give the words of a block, or the name of an argument."""
    if node.data != "block":
        return _text(node.children[0], text).strip()
    return " ".join(_text(c, text).strip('"') for c in node.children[:3] if isinstance(c, Tree) and c.data != "body")


def _entry(node: Any, text: str) -> Span:
    """Give the span of an argument and the comma behind it."""
    start, end = _span(node)
    comma = re.compile(r"\s*,").match(text, end)
    return start, comma.end() if comma and node.data not in ("attribute", "block") else end


def _span(node: Any) -> Span:
    return node.meta.start_pos, node.meta.end_pos


def _text(node: Any, text: str) -> str:
    start, end = _span(node)
    return text[start:end]


def _swap(one: Any, other: Any, text: str) -> list[tuple[Span, str]]:
    return [(_span(one), _text(other, text)), (_span(other), _text(one, text))]
