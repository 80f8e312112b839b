"""The possible errors in a declaration that Terraform reads, value by value."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import yaml

from tests.infra.inventory.files import WORDS
from tests.infra.mutants.literals import Change, Span, numbers, words

#: the keys of functions.yaml that only Python reads; test_functions.py checks them
OF_PYTHON = {"settings", "wiring"}


def changes_of_yaml(node: Any, place: str, text: str) -> Iterator[tuple[str, Change]]:
    """Yield each change of a node's values, with its place."""
    if isinstance(node, yaml.ScalarNode):
        yield from ((place, change) for change in _of_scalar(node, text))
        return
    if isinstance(node, yaml.MappingNode):
        entries = [(key.value, key, value) for key, value in node.value if key.value not in WORDS | OF_PYTHON]
    else:
        entries = [(str(number), item, item) for number, item in enumerate(node.value)]
    for name, first, last in entries:
        yield f"{place}/{name}", ("removed", [(_yaml_entry(node, first, last, text), "")])
        yield from changes_of_yaml(last, f"{place}/{name}", text)
    for (name, _, one), (next_name, _, other) in pairwise(entries):
        if isinstance(one, yaml.ScalarNode) and isinstance(other, yaml.ScalarNode):
            spans = [_span(one), _span(other)]
            texts = [text[start:end] for start, end in spans]
            yield f"{place}/{name}", (f"swapped with {next_name}", [(spans[0], texts[1]), (spans[1], texts[0])])


def _yaml_entry(node: Any, first: Any, last: Any, text: str) -> Span:
    start, end = first.start_mark.index, last.end_mark.index
    if node.flow_style:
        comma = re.compile(r",\s*").match(text, end)
        return start, comma.end() if comma else end
    line = text.rfind("\n", 0, start) + 1
    return (line, end) if not text[line:start].strip("- ") and isinstance(node, yaml.SequenceNode) else (start, end)


def _of_scalar(node: yaml.ScalarNode, text: str) -> Iterator[Change]:
    start, end = _span(node)
    changes = [*words((start, end), text), *numbers((start, end), text)]
    before_quote = end - (text[end - 1] in "\"'")
    yield from changes or [("altered", [((before_quote, before_quote), "x")])]


def _span(node: yaml.Node) -> Span:
    return node.start_mark.index, node.end_mark.index
