"""The parts of each resource: the provider's own schema, with facts from its documentation."""

import fnmatch
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tests.infra.standin.protocol import message
from tests.infra.standin.values import UNKNOWN, Object, Value

HERE = Path(__file__).parent
NESTING = {"single": 1, "list": 2, "set": 3}


@dataclass(frozen=True, kw_only=True)
class Attribute:
    """One attribute; `type` is Terraform's own spelling of a type, as JSON."""

    name: str
    type: Any
    is_required: bool = False
    is_optional: bool = False
    is_computed: bool = False
    is_sensitive: bool = False
    is_write_only: bool = False
    choices: tuple[str, ...] = ()
    default: Value = None

    @property
    def is_read_only(self) -> bool:
        """Whether only the provider gives it a value."""
        return self.is_computed and not self.is_optional


@dataclass(frozen=True, kw_only=True)
class Block:
    """A block with its attributes and inner blocks."""

    attributes: Mapping[str, Attribute]
    blocks: Mapping[str, "NestedBlock"] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class NestedBlock:
    """A block inside another: at least `least` times, at most `most` times (0: any number)."""

    name: str
    nesting: str
    block: Block
    least: int = 0
    most: int = 0

    def items(self, value: Object) -> Iterator[tuple[tuple[str | int, ...], Object]]:
        """Yield each of these blocks in a known value, with its place."""
        found = value.get(self.name)
        if found is None or found is UNKNOWN:
            return
        if self.nesting == "single":
            yield (self.name,), found
            return
        yield from (((self.name, i), item) for i, item in enumerate(found) if isinstance(item, dict))


@dataclass(frozen=True, kw_only=True)
class Catalogue:
    """All types of the provider, and the facts beside its schema."""

    provider: Block
    resources: Mapping[str, Block]
    data_sources: Mapping[str, Block]
    facts: Mapping[str, Any]

    def fact(self, section: str, kind: str, default: Any = None) -> Any:
        """Read the fact about a resource type from a section of facts.json."""
        return self.facts[section].get(kind, default)

    def pattern(self, kind: str, attribute: str) -> str:
        """The pattern that an attribute must match; empty if any value is valid."""
        name = f"{kind}.{attribute}"
        return next((p for key, p in self.facts["pattern"].items() if fnmatch.fnmatch(name, key)), "")

    def is_replaced_by(self, kind: str, name: str) -> bool:
        """Whether a new value of an argument replaces the resource."""
        own, everywhere = self.fact("replaced_when_changed", kind, ()), self.fact("replaced_when_changed", "*")
        found = self.resources[kind].attributes.get(name)
        return name in own or (name in everywhere and (found is None or not found.is_read_only))


@cache
def catalogue() -> Catalogue:
    """Load the catalogue that is stored beside this file."""
    stored = json.loads((HERE / "schema.json").read_text())
    facts = json.loads((HERE / "facts.json").read_text())
    return Catalogue(
        provider=_block(stored["provider"]["block"], (), ()),
        resources={kind: _resource(kind, schema, facts) for kind, schema in stored["resources"].items()},
        data_sources={kind: _block(schema["block"], (), ()) for kind, schema in stored["data_sources"].items()},
        facts=facts,
    )


def _resource(kind: str, schema: Object, facts: Object) -> Block:
    return _block(schema["block"], facts["sensitive"].get(kind, ()), facts["write_only"].get(kind, ()))


def _block(stored: Object, sensitive: tuple[str, ...], write_only: tuple[str, ...]) -> Block:
    attributes = {
        name: Attribute(
            name=name,
            type=a["type"],
            is_required=a.get("required", False),
            is_optional=a.get("optional", False),
            is_computed=a.get("computed", False),
            is_sensitive=name in sensitive,
            is_write_only=name in write_only,
            choices=tuple(a.get("x_enum", ())),
            default=a.get("x_default"),
        )
        for name, a in stored["attributes"].items()
    }
    blocks = {
        name: NestedBlock(
            name=name,
            nesting=b["nesting_mode"],
            block=_block(b["block"], (), ()),
            least=b.get("min_items", 0),
            most=b.get("max_items", 0),
        )
        for name, b in stored.get("block_types", {}).items()
    }
    return Block(attributes=attributes, blocks=blocks)


def schema_message(block: Block) -> Any:
    """Make the protocol's message of a schema."""
    return message("Schema", version=0, block=_block_message(block))


def _block_message(block: Block) -> Any:
    attributes = [
        message(
            "Attribute",
            name=a.name,
            type=json.dumps(a.type).encode(),
            required=a.is_required,
            optional=a.is_optional,
            computed=a.is_computed,
            sensitive=a.is_sensitive,
            write_only=a.is_write_only,
        )
        for a in block.attributes.values()
    ]
    blocks = [
        message(
            "NestedBlock",
            type_name=nested.name,
            block=_block_message(nested.block),
            nesting=NESTING[nested.nesting],
            min_items=nested.least,
            max_items=nested.most,
        )
        for nested in block.blocks.values()
    ]
    return message("Block", version=0, attributes=attributes, block_types=blocks)
