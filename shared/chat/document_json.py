"""Converts documents to JSON and back. A value that JSON lacks becomes an object with one key that begins with `$`."""

import base64
import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from shared.values.transcript import Vector

TIME, BYTES, NUMBER, VECTOR, MAP = "$time", "$bytes", "$number", "$vector", "$map"


def to_json(value: Any) -> Any:
    """Return a value as JSON. Raises TypeError for types that lull does not store, such as geographic points."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {NUMBER: str(value)}
    if isinstance(value, datetime):
        return {TIME: value.isoformat()}
    if isinstance(value, bytes):
        return {BYTES: base64.b64encode(value).decode()}
    if isinstance(value, Mapping):
        plain = {str(key): to_json(inner) for key, inner in value.items()}
        return {MAP: plain} if any(key.startswith("$") for key in plain) else plain
    return _sequence(value)


def _sequence(value: Any) -> Any:
    if isinstance(value, Vector):
        return {VECTOR: list(value)}
    if isinstance(value, list | tuple):
        return [to_json(inner) for inner in value]
    raise TypeError(f"a document's value of type {type(value).__name__} cannot be archived")


def from_json(value: Any) -> Any:
    """Return the value from which `to_json` made this JSON. Raises ValueError for any other JSON."""
    if isinstance(value, list):
        return [from_json(inner) for inner in value]
    if not isinstance(value, Mapping):
        return value
    if len(value) == 1 and (tag := next(iter(value))).startswith("$"):
        return _from_tag(tag, value[tag])
    return {key: from_json(inner) for key, inner in value.items()}


def _from_tag(tag: str, inner: Any) -> Any:
    match tag, inner:
        case "$time", str():
            return datetime.fromisoformat(inner)
        case "$bytes", str():
            return base64.b64decode(inner, validate=True)
        case "$number", str():
            return float(inner)
        case "$vector", list():
            return Vector(float(number) for number in inner)
        case "$map", Mapping():
            return {key: from_json(value) for key, value in inner.items()}
    raise ValueError(f"unknown tag {tag!r} or a wrong value; expected $time, $bytes, $number, $vector or $map")
