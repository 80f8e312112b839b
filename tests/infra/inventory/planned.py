"""The planned values of each resource, without those that the provider invents and without words for people."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias

from tests.infra.given import optional_settings
from tests.infra.inventory.scenarios import SHOWN
from tests.infra.standin.schema import Attribute, Block, catalogue
from tests.infra.workspace import Plan, Resource

#: counts by type, outputs by name, and values by the resource's address
Inventory: TypeAlias = Mapping[str, Mapping[str, Any]]
#: words for people: a console shows them, and they decide nothing
WORDS = {"description", "display_name", "title", "displayName", "content"}
#: values that differ in each deployment: its suffix, the console's door, hashes and local paths of bundles, and a
#: dashboard's id
OWN = (
    (r"\b[0-9a-f]{24}\b", "DOOR"),
    (r"([-_])[0-9a-f]{6}\b(?!-)", r"\1SUFFIX"),
    (r"[0-9a-f]{64}\.zip", "HASH.zip"),
    (r"/\S*/(?=\w+\.zip)", ""),
    (r"/[0-9a-f]{10}\?", "/ID?"),
)
#: values that the stand-in invents where the configuration sets none
MADE_UP = re.compile(r"^\w+-[0-9a-f]{10}$")


def inventory_of(plan: Plan) -> Inventory:
    """Return the counts, the outputs and every value that follows from the configuration."""
    outputs = plan.told["planned_values"].get("outputs", {})
    return {
        "counts": dict(sorted(Counter(resource.type for resource in plan.resources).items())),
        "outputs": {
            name: _generalize(output["value"]) for name, output in outputs.items() if output.get("value") is not None
        },
        "resources": {_generalize(resource.address): _generalize(_values_of(resource)) for resource in plan.resources},
    }


def _values_of(resource: Resource) -> dict[str, Any]:
    if resource.type == "terraform_data":
        named = {name: resource.values.get(name) for name in ("input", "triggers_replace")}
        return {name: value for name, value in named.items() if value is not None}
    return dict(_arguments(catalogue().resources[resource.type], resource.values))


def _arguments(block: Block, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, attribute in block.attributes.items():
        if _is_argument(attribute) and not _is_made_up(values.get(name)):
            yield name, _show(name, values[name])
    for name, nested in block.blocks.items():
        inner = values.get(name) or []
        items = [inner] if isinstance(inner, Mapping) else inner
        found = [dict(_arguments(nested.block, item)) or "an empty block" for item in items]
        if found:
            yield name, found[0] if len(found) == 1 else found


def _is_argument(attribute: Attribute) -> bool:
    is_made = attribute.is_read_only or (attribute.name == "id" and attribute.is_computed)
    # effective labels are computed, but follow from the configuration
    return attribute.name == "effective_labels" or not (is_made or attribute.name in WORDS)


def _is_made_up(value: Any) -> bool:
    return value in (None, {}, []) or (isinstance(value, str) and bool(MADE_UP.match(value)))


def _show(name: str, value: Any) -> Any:
    if name == "dashboard_json":
        return _without_words(json.loads(value))
    if name == "environment_variables":
        return {setting: given for setting, given in value.items() if setting not in _left_out()}
    return value


def _without_words(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_words(part) for key, part in value.items() if key not in WORDS}
    return [_without_words(part) for part in value] if isinstance(value, list) else value


@cache
def _left_out() -> set[str]:
    return optional_settings().keys() - SHOWN.keys()


def _generalize(value: Any) -> Any:
    if isinstance(value, str):
        for pattern, name in OWN:
            value = re.sub(pattern, name, value)
    if isinstance(value, Mapping):
        return {key: _generalize(one) for key, one in value.items()}
    return [_generalize(one) for one in value] if isinstance(value, list) else value
