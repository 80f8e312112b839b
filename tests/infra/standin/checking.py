"""The provider's checks of a configuration before a plan."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.infra.standin.protocol import message
from tests.infra.standin.schema import Attribute, Block, Catalogue
from tests.infra.standin.values import UNKNOWN, Object, Value

ERROR = 1


@dataclass(frozen=True)
class Complaint:
    """A mistake with its place."""

    text: str
    place: tuple[str | int, ...] = ()

    def message(self) -> Any:
        """Make the protocol's message of the complaint."""
        steps = [
            message("Step", element_key_int=step) if isinstance(step, int) else message("Step", attribute_name=step)
            for step in self.place
        ]
        path = message("AttributePath", steps=steps) if steps else None
        return message("Diagnostic", severity=ERROR, summary=self.text, attribute=path)


def complaints(catalogue: Catalogue, kind: str, block: Block, config: Object) -> Iterator[Complaint]:
    """Yield all mistakes in the configuration of one resource of this type."""
    yield from _in_block(block, config, ())
    for name, value in config.items():
        yield from _against_facts(catalogue, kind, name, value)
    for group in catalogue.fact("exactly_one_of", kind, ()):
        given = [name for name in group if config.get(name) not in (None, [])]
        if len(given) != 1:
            yield Complaint(
                f"one of {', '.join(group)} must be given, and only one; given: {', '.join(given) or 'none'}"
            )
    for name, other in catalogue.fact("required_with", kind, {}).items():
        if config.get(name) is not None and config.get(other) is None:
            yield Complaint(f"{name} needs {other}")


def _in_block(block: Block, value: Object, place: tuple[str | int, ...]) -> Iterator[Complaint]:
    for name, attribute in block.attributes.items():
        given = value.get(name)
        if given is not None:
            yield from _of_attribute(attribute, given, (*place, name))
    for nested in block.blocks.values():
        for inner, item in nested.items(value):
            yield from _in_block(nested.block, item, (*place, *inner))


def _of_attribute(attribute: Attribute, given: Value, place: tuple[str | int, ...]) -> Iterator[Complaint]:
    if attribute.is_read_only:
        yield Complaint(f'Can\'t configure a value for "{attribute.name}": the provider decides it.', place)
    elif attribute.choices and isinstance(given, str) and given not in (*attribute.choices, ""):
        yield Complaint(f"{attribute.name} must be one of {', '.join(attribute.choices)}, not {given}", place)


def _against_facts(catalogue: Catalogue, kind: str, name: str, given: Value) -> Iterator[Complaint]:
    if given is UNKNOWN or not isinstance(given, str):
        return
    pattern = catalogue.pattern(kind, name)
    if pattern and not re.search(pattern, given):
        yield Complaint(f'{name} "{given}" does not match {pattern}', (name,))
    refused = catalogue.fact("refused", kind, {}).get(name)
    if refused and re.search(refused, given):
        yield Complaint(f"{name} {given} is not supported for this resource", (name,))
