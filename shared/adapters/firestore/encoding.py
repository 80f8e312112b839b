"""Documents as Firestore's protobuf messages.

The official client can do this too, by way of a wrapper around each message, which takes ten times as long: it was a
tenth of a tick's processor time. What it does with field paths and with values that the server fills in is left to it.
"""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

from google.api_core.datetime_helpers import DatetimeWithNanoseconds
from google.cloud.firestore_v1.field_path import FieldPath
from google.cloud.firestore_v1.types import Write

_MESSAGE: Any = Write.pb()
_LEAST, _MOST = -(2**63), 2**63 - 1
#: a bool is an int, too, so it comes first
_SCALARS = (
    (bool, "boolean_value"),
    (int, "integer_value"),
    (float, "double_value"),
    (str, "string_value"),
    (bytes, "bytes_value"),
)


def whole_write(name: str, document: Mapping[str, Any]) -> Any:
    """A write of a whole document, without a condition. Raises TypeError for what no document holds.

    `name` is the document's full one, with its project and database.
    """
    message = _MESSAGE()
    message.update.name = name
    for field, value in document.items():
        _put(message.update.fields[field], value)
    return message


def holdable(value: Any) -> Any:
    """The value with each whole number in it as the nearest one that a document holds."""
    match value:
        case int():
            return value if _LEAST <= value <= _MOST else nearest(value)
        case dict():
            return {name: holdable(inner) for name, inner in value.items()}
        case list():
            return list(map(holdable, value))
    return value


def nearest(number: int) -> int:
    """The nearest number of 64 bits, which is what a document holds: a larger one would end the chat for good."""
    return min(max(number, _LEAST), _MOST)


def name_fields(message: Any, document: Mapping[str, Any]) -> None:
    """Have a write change these fields alone, each as a whole. They are names, no paths."""
    message.update_mask.field_paths.extend(FieldPath(field).to_api_repr() for field in document)


def expect(message: Any, *, exists: bool | None = None, version: Any = None) -> None:
    """Have a write fail unless there is a document, or none, or one that was last written at `version`."""
    if exists is not None:
        message.current_document.exists = exists
    if version is not None:
        _put_time(message.current_document.update_time, version)


def _put(message: Any, value: Any) -> None:
    """Fill a value's message in."""
    match value:
        case None:
            message.null_value = 0
        case datetime():
            _put_time(message.timestamp_value, value)
        case dict():
            message.map_value.SetInParent()  # also when it is empty
            for field, inner in value.items():
                _put(message.map_value.fields[field], inner)
        case list() | tuple():
            message.array_value.SetInParent()
            for inner in value:
                _put(message.array_value.values.add(), inner)
        case int() if not _LEAST <= value <= _MOST:
            message.integer_value = nearest(value)
        case _:
            setattr(message, _field_for(value.__class__), value)


@cache
def _field_for(kind: type) -> str:
    """The field of a value's message that holds values of a type."""
    try:
        return next(field for scalar, field in _SCALARS if issubclass(kind, scalar))
    except StopIteration:
        raise TypeError(f"no document holds a {kind.__name__}") from None


def _put_time(message: Any, moment: datetime) -> None:
    if isinstance(moment, DatetimeWithNanoseconds):
        message.CopyFrom(moment.timestamp_pb())  # type: ignore[no-untyped-call]
    else:
        message.FromDatetime(moment)
