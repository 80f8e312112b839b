"""The inventory as it is stored, one file for each scenario.

A block that stands for several resources (`for_each`, or a module with it) is `block[*]`. Its entry `all` has the
values that they share; `{key}` in it is the key of a resource (`{head}.{tail}`, cut at its first dot). Below it, each
resource has its other values under its key (`a|b`: the module's key and the resource's); those under `alike` have none.
The files of other scenarios are JSON merge patches (RFC 7396) of usual.yaml: null marks a value that is gone.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
USUAL = "usual"
WRITTEN = "# Written by `make inventory`: do not edit.\n"
KEY = re.compile(r'\["?([^"\]]*)"?\]')


@cache
def load_inventory(scenario: str) -> Mapping[str, Any]:
    """Return the inventory of a scenario."""
    told = read_file(scenario)
    parts = {part: _ungroup(values) if part == "resources" else values for part, values in told.items()}
    return parts if scenario == USUAL else _apply_patch(load_inventory(USUAL), parts)


def write_inventories(found: Mapping[str, Mapping[str, Any]]) -> None:
    """Store the inventories of all scenarios."""
    for scenario, inventory in found.items():
        told = inventory if scenario == USUAL else _make_patch(found[USUAL], inventory)
        write_file(scenario, {part: _group(values) if part == "resources" else values for part, values in told.items()})


def read_file(name: str) -> dict[str, Any]:
    """Read a file of this folder."""
    told: dict[str, Any] = yaml.load((FOLDER / f"{name}.yaml").read_text(), Loader=yaml.CSafeLoader)
    return told


def write_file(name: str, told: Mapping[str, Any]) -> None:
    """Write a file of this folder: three levels have their own lines, deeper ones are in braces."""
    (FOLDER / f"{name}.yaml").write_text(WRITTEN + "".join(f"{line}\n" for line in _lines(told)))


def _lines(told: Mapping[str, Any], depth: int = 0) -> Iterator[str]:
    for key, value in sorted(told.items()):
        inside = "  " * depth
        if isinstance(value, Mapping) and value and ((depth == 0 and key != "counts") or "[*]" in key):
            yield f"{inside}{key}:"
            yield from _lines(value, depth + 1)
        else:
            text = yaml.dump({key: value}, Dumper=yaml.CSafeDumper, default_flow_style=True, width=116)
            yield from (inside + line for line in text.strip()[1:-1].splitlines())


def differences(kept: Any, planned: Any, place: Sequence[str] = ()) -> Iterator[str]:
    """Yield a sentence for each place where the stored value is not the planned one."""
    if isinstance(kept, Mapping) and isinstance(planned, Mapping):
        for key in sorted(kept.keys() | planned.keys()):
            yield from differences(kept.get(key), planned.get(key), (*place, key))
    elif kept != planned:
        where = ": ".join((*place[1:2], ".".join(place[2:])) if place[2:] else place)
        was, now = (f"{value!r}" if value is not None else "nothing" for value in (kept, planned))
        yield f"{where}: {was} in the inventory, {now} in the plan"


def _group(resources: Mapping[str, Any]) -> dict[str, Any]:
    blocks: dict[str, dict[str, Any]] = {}
    for address, values in resources.items():
        blocks.setdefault(KEY.sub("[*]", address), {})["|".join(KEY.findall(address))] = values
    return {block: _factor(those) if "[*]" in block else those[""] for block, those in blocks.items()}


def _factor(those: Mapping[str, Any]) -> dict[str, Any]:
    there = [(key, values) for key, values in those.items() if values is not None]
    common = _common(there) if len(there) > 1 else {}
    parts = {
        key: values if values is None else _make_patch(_fill(common, key), values) for key, values in those.items()
    }
    alike = sorted(key for key, values in parts.items() if values == {})
    rest = {key: values for key, values in parts.items() if values != {}}
    return rest | ({"all": common} if common else {}) | ({"alike": alike} if alike else {})


def _common(there: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
    """Return the values that all share, with a resource's own key as `{key}`."""
    found: dict[str, Any] = {}
    (own, first), *_ = there
    for name, value in first.items():
        values: list[tuple[str, Any]] = [(key, those.get(name)) for key, those in there]
        for written in (_replace(value, {part: called for called, part in _names(own).items()}), value):
            if all(_fill(written, key) == one for key, one in values):
                found[name] = written
        if name not in found and all(isinstance(one, Mapping) for _, one in values) and (inner := _common(values)):
            found[name] = inner
    return found


def _names(key: str) -> Mapping[str, str]:
    head, _, tail = key.partition(".")
    return {"{key}": key} | ({"{head}": head, "{tail}": tail} if tail else {})


def _fill(values: Any, key: str) -> Any:
    return _replace(values, _names(key))


def _replace(values: Any, texts: Mapping[str, str]) -> Any:
    if isinstance(values, Mapping):
        return {name: _replace(value, texts) for name, value in values.items()}
    if isinstance(values, list):
        return [_replace(value, texts) for value in values]
    if isinstance(values, str):
        for old, new in texts.items():
            values = values.replace(old, new)
    return values


def _ungroup(blocks: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for block, told in blocks.items():
        those = dict(told) if "[*]" in block else {"": told}
        common = those.pop("all", {})
        those |= {keys: {} for keys in those.pop("alike", [])}
        for keys, values in those.items():
            found[_address(block, keys)] = values if values is None else _merge(_fill(common, keys), values)
    return found


def _address(block: str, keys: str) -> str:
    for key in keys.split("|"):
        block = block.replace("[*]", f"[{key}]" if key.isdigit() else f'["{key}"]', 1)
    return block


def _merge(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    both = {key: _merge(one[key], value) for key, value in other.items() if isinstance(one.get(key), Mapping)}
    return {**one, **other, **both}


def _make_patch(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    gone = {key: None for key in before if key not in after}
    changed = {key: value for key, value in after.items() if key not in before or before[key] != value}
    inner = {
        key: _make_patch(before[key], value)
        for key, value in changed.items()
        if isinstance(value, Mapping) and isinstance(before.get(key), Mapping)
    }
    return {**gone, **changed, **inner}


def _apply_patch(before: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in before.items() if key not in patch}
    return kept | {
        key: _apply_patch(before[key], value)
        if isinstance(value, Mapping) and isinstance(before.get(key), Mapping)
        else value
        for key, value in patch.items()
        if value is not None
    }
