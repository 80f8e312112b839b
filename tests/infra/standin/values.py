"""Terraform's values on the wire: MessagePack, in which a value that is not known yet is an extension."""

import json
from typing import Any, Final, TypeAlias

import msgpack  # type: ignore[import-untyped]

from tests.infra.standin.protocol import message

#: an object is a dict, a list or set a list; what is unset is None, what is not known yet is UNKNOWN
Value: TypeAlias = Any
Object: TypeAlias = dict[str, Any]


class _Unknown:
    def __repr__(self) -> str:
        return "<unknown>"


UNKNOWN: Final = _Unknown()


def unpack(wire: Any) -> Value:
    """The value of a DynamicValue; None for nothing, as of a resource that is to be deleted."""
    if wire.json:
        return json.loads(wire.json)
    if not wire.msgpack:
        return None
    return msgpack.unpackb(wire.msgpack, ext_hook=lambda code, content: UNKNOWN, strict_map_key=False)


def pack(value: Value) -> Any:
    """The DynamicValue of a value."""
    return message("DynamicValue", msgpack=msgpack.packb(value, default=_extension))


def _extension(value: object) -> msgpack.ExtType:
    if value is not UNKNOWN:
        raise TypeError(f"Terraform has no value like {value!r}")
    return msgpack.ExtType(0, b"\0")


def has_unknown(value: Value) -> bool:
    """Whether anything in a value is not known yet."""
    match value:
        case dict():
            return any(map(has_unknown, value.values()))
        case list():
            return any(map(has_unknown, value))
    return value is UNKNOWN
