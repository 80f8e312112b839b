"""Terraform's values as bytes: MessagePack, with an extension for unknown values."""

import json
from typing import Any, Final, TypeAlias

import msgpack  # type: ignore[import-untyped]

from tests.infra.standin.protocol import message

#: an object is a dict, a list or set a list; an unset value is None, an unknown one UNKNOWN
Value: TypeAlias = Any
Object: TypeAlias = dict[str, Any]


class _Unknown:
    def __repr__(self) -> str:
        return "<unknown>"


UNKNOWN: Final = _Unknown()


def unpack(wire: Any) -> Value:
    """Read the value of a DynamicValue; None for no value, as for a resource that is to be deleted."""
    if wire.json:
        return json.loads(wire.json)
    if not wire.msgpack:
        return None
    return msgpack.unpackb(wire.msgpack, ext_hook=lambda code, content: UNKNOWN, strict_map_key=False)


def pack(value: Value) -> Any:
    """Make the DynamicValue of a value."""
    return message("DynamicValue", msgpack=msgpack.packb(value, default=_extension))


def _extension(value: object) -> msgpack.ExtType:
    if value is not UNKNOWN:
        raise TypeError(f"Terraform has no value like {value!r}")
    return msgpack.ExtType(0, b"\0")


def has_unknown(value: Value) -> bool:
    """Whether any part of a value is unknown."""
    match value:
        case dict():
            return any(map(has_unknown, value.values()))
        case list():
            return any(map(has_unknown, value))
    return value is UNKNOWN
