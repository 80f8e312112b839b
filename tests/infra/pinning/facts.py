"""What a plan says, as one value for each argument of each resource."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from tests.infra.standin.schema import Attribute, Block, catalogue
from tests.infra.workspace import Resource

#: a resource's address and an argument's path in it, such as `retry_config.max_attempts`
Place: TypeAlias = tuple[str, str]
Facts: TypeAlias = Mapping[Place, Any]
#: words for people: a console shows them, and nothing is decided by them
WORDS = re.compile(r"(^|\.)(description|display_name|title|documentation\.content)$")
#: computed, but made of what the configuration says
MADE_OF_ARGUMENTS = {"effective_labels"}
#: what differs in each deployment: its own suffix, a bundle's hash, and where bundles lie here
OWN = ((r"([-_])[0-9a-f]{6}\b(?!-)", r"\1SUFFIX"), (r"[0-9a-f]{64}\.zip", "HASH.zip"), (r"/\S*/(?=\w+\.zip)", ""))
#: what the stand-in makes up where the configuration says nothing
MADE_UP = re.compile(r"^\w+-[0-9a-f]{10}$")


def facts_of(resources: Sequence[Resource]) -> Facts:
    """Each value that the configuration gives, or that follows from one that it leaves out."""
    return {
        (_own(resource.address), path): _own(value)
        for resource in resources
        for path, value in _arguments(resource)
        if not WORDS.search(path)
    }


def _arguments(resource: Resource) -> Iterator[tuple[str, Any]]:
    if resource.type == "terraform_data":
        named = ((name, resource.values.get(name)) for name in ("input", "triggers_replace"))
        return ((name, value) for name, value in named if value is not None)
    return _given(catalogue().resources[resource.type], resource.values)


def _given(block: Block, values: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, attribute in block.attributes.items():
        if _is_argument(attribute) and not _is_made_up(values.get(name)):
            yield from _parts(above + name, values[name])
    for name, nested in block.blocks.items():
        inner = values.get(name) or []
        items = [inner] if isinstance(inner, Mapping) else inner
        for number, item in enumerate(items):
            place = f"{above}{name}" if len(items) == 1 else f"{above}{name}[{number}]"
            inside = list(_given(nested.block, item, f"{place}."))
            yield from inside or [(place, "an empty block")]


def _is_argument(attribute: Attribute) -> bool:
    is_made = attribute.is_read_only or (attribute.name == "id" and attribute.is_computed)
    return attribute.name in MADE_OF_ARGUMENTS or not is_made


def _is_made_up(value: Any) -> bool:
    return value in (None, {}, []) or (isinstance(value, str) and bool(MADE_UP.match(value)))


def _parts(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """A map's values one by one; a dashboard as its tiles and what each asks for."""
    if path == "dashboard_json":
        yield from _shown(json.loads(value))
    elif isinstance(value, Mapping):
        yield from ((f"{path}.{key}", one) for key, one in value.items())
    else:
        yield path, value


def _shown(dashboard: Any) -> Iterator[tuple[str, Any]]:
    try:
        shown = dashboard["gridLayout"]
        lines = [
            (f"tile {number}, {line['legendTemplate']}", {key: line[key] for key in line if key != "legendTemplate"})
            for number, tile in enumerate(shown["widgets"], 1)
            for line in tile["xyChart"]["dataSets"]
        ]
        yield from [("columns", shown.get("columns")), *lines]
    except (KeyError, TypeError):
        yield "dashboard_json", dashboard


def _own(value: Any) -> Any:
    if isinstance(value, str):
        for pattern, name in OWN:
            value = re.sub(pattern, name, value)
    if isinstance(value, Mapping):
        return {key: _own(one) for key, one in value.items()}
    return [_own(one) for one in value] if isinstance(value, list) else value
