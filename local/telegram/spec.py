"""The machine-readable specification of the Bot API's methods and types, and a check whether values conform to it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parent / "schema" / "bot_api_10.1.json"
_ARRAY = "Array of "
_PLAIN: Mapping[str, type | tuple[type, ...]] = {
    "Integer": int,
    "Float": (int, float),
    "String": str,
    "Boolean": bool,
    "InputFile": object,
}


# Required fields that Telegram does not read in a call: of a mentioned user only the id is used.
_UNREAD = frozenset({("User", "is_bot"), ("User", "first_name")})


@dataclass(frozen=True, kw_only=True)
class Field:
    """A parameter of a method, or a field of a type. A value must have one of the `types`."""

    name: str
    types: tuple[str, ...]
    required: bool


@dataclass(frozen=True, kw_only=True)
class ValueProblem:
    """A problem of a value: the path to the value, the type of the object that contains it, and Telegram's text for the
    problem.
    """

    where: str
    type_: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Spec:
    """All methods by their lower-case names, and all types. A type that has `subtypes` is their union."""

    version: str
    methods: Mapping[str, tuple[Field, ...]]
    names: Mapping[str, str]
    returns: Mapping[str, tuple[str, ...]]
    types: Mapping[str, tuple[Field, ...]]
    subtypes: Mapping[str, tuple[str, ...]]

    def is_plain(self, type_: str) -> bool:
        """Return whether the type is a number, a string, a boolean or a file."""
        return type_ in _PLAIN


@cache
def bot_api() -> Spec:
    """Return the specification of Bot API 10.1."""
    raw = json.loads(_FILE.read_text(encoding="utf-8"))
    methods, types = raw["methods"], raw["types"]
    return Spec(
        version=raw["version"],
        methods={name.lower(): _fields(method) for name, method in methods.items()},
        names={name.lower(): name for name in methods},
        returns={name.lower(): tuple(method["returns"]) for name, method in methods.items()},
        types={name: _fields(type_) for name, type_ in types.items()},
        subtypes={name: tuple(type_["subtypes"]) for name, type_ in types.items() if "subtypes" in type_},
    )


def _fields(raw: Mapping[str, Any]) -> tuple[Field, ...]:
    fields = raw.get("fields") or ()
    return tuple(Field(name=one["name"], types=tuple(one["types"]), required=one["required"]) for one in fields)


def problems(value: object, types: Sequence[str], where: str = "value", *, strict: bool = True) -> list[ValueProblem]:
    """Return the reasons why a JSON value has none of these types. The list is empty if the value has one of the types.

    Unknown fields are problems too. If `strict` is false, they are allowed, as in Telegram. A field that is documented
    as required may then be missing if Telegram does not read it.
    """
    place = ValuePath(where=where, strict=strict)
    return _problems(value, types, place)


def _problems(value: object, types: Sequence[str], place: "ValuePath") -> list[ValueProblem]:
    concrete = [name for type_ in types for name in bot_api().subtypes.get(type_, (type_,))]
    answers = [_problems_as(value, type_, place) for type_ in _likeliest(value, concrete)]
    return [] if any(not answer for answer in answers) else min(answers, key=len)


def _likeliest(value: object, types: Sequence[str]) -> Sequence[str]:
    """Return the object types that define the most fields of the value, so that errors are about the intended type.
    Return all types if one of them is not an object type.
    """
    known = bot_api().types
    if not isinstance(value, dict) or not all(type_ in known for type_ in types):
        return types
    strange = {type_: len(value.keys() - {field.name for field in known[type_]}) for type_ in types}
    return [type_ for type_ in types if strange[type_] == min(strange.values())]


def _problems_as(value: object, type_: str, place: "ValuePath") -> list[ValueProblem]:
    if type_.startswith(_ARRAY):
        if not isinstance(value, list):
            return [place.problem(f"must be of type {_ARRAY.split()[0]}")]
        inner = (type_.removeprefix(_ARRAY),)
        return [problem for at, one in enumerate(value) for problem in _problems(one, inner, place.item(at))]
    if bot_api().is_plain(type_):
        is_right = isinstance(value, _PLAIN[type_]) and isinstance(value, bool) <= (type_ == "Boolean")
        return [] if is_right else [place.problem(f"must be of type {type_}")]
    if not isinstance(value, dict):
        return [place.problem("must be of type Object")]
    return _field_problems(value, type_, place)


def _field_problems(value: Mapping[str, object], type_: str, place: "ValuePath") -> list[ValueProblem]:
    fields = {field.name: field for field in bot_api().types[type_]}
    found: list[ValueProblem] = []
    for name, field in fields.items():
        if name in value:
            found += _problems(value[name], field.types, place.field(type_, name))
        elif field.required and (place.strict or (type_, name) not in _UNREAD):
            found.append(place.field(type_, name).problem("is missing", f'Can\'t find field "{name}"'))
    unknown = [name for name in value if place.strict and name not in fields]
    return found + [place.field(type_, name).problem("is not in the specification") for name in unknown]


@dataclass(frozen=True, kw_only=True)
class ValuePath:
    """A position inside a value: the path that people read, and the type and field that Telegram's text names."""

    where: str
    strict: bool
    type_: str = ""
    name: str = ""

    def field(self, type_: str, name: str) -> "ValuePath":
        """Return the position of the field `name` in the object at this position, which has the type `type_`."""
        return replace(self, where=f"{self.where}.{name}", type_=type_, name=name)

    def item(self, at: int) -> "ValuePath":
        """Return the position of element `at` (from 0) in the array at this position."""
        return replace(self, where=f"{self.where}[{at}]")

    def problem(self, what: str, words: str | None = None) -> ValueProblem:
        """Return a problem at this position. Its reason is `words`, or else a sentence that begins with the field's
        name and ends with `what`.
        """
        reason = words or (f'Field "{self.name}" {what}' if self.name else f"{self.where} {what}")
        return ValueProblem(where=self.where, type_=self.type_, reason=reason)
