"""How settings are declared, and read from an environment: by the type of their field.

Plain dataclasses and no validation library: that takes a tenth of the webhook's start, for which somebody waits.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, dataclass, field, fields
from enum import Enum
from math import isfinite
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from shared.errors import SettingsWrong

T = TypeVar("T")

#: how a switch is written
SWITCHES = dict.fromkeys(("true", "t", "yes", "y", "1", "on", "enabled"), True) | dict.fromkeys(
    ("false", "f", "no", "n", "0", "off", "disabled"), False
)
#: how much two names have in common of which one is a misspelling; no two settings of lull's have so much
ALIKE = 0.9


@dataclass(frozen=True)
class Secret:
    """A value that no `repr` and no log shows."""

    _value: str = field(repr=False)

    def get_secret_value(self) -> str:
        """The value itself."""
        return self._value


@dataclass(frozen=True)
class Between:
    """In an annotation: a number from `least` to `most`; `is_above`: the least itself is too small."""

    least: float
    most: float
    is_above: bool = False

    def check(self, number: float) -> None:
        """Raises ValueError for a number outside."""
        if not self.least <= number <= self.most or (self.is_above and number == self.least):
            above = "above" if self.is_above else "from"
            raise ValueError(f"write a number {above} {self.least:g} to {self.most:g}")


@dataclass(frozen=True)
class Spelled:
    """In an annotation: what reads the value, raising ValueError with words that repeat nothing of it."""

    read: Callable[[str], Any]


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A setting as it is declared. `default` is MISSING where it is required, unless the other setting is true."""

    name: str
    purpose: str
    example: str
    default: Any
    unless: str = ""

    @property
    def is_required(self) -> bool:
        """Whether it has to be set, whatever else is."""
        return self.default is MISSING

    def complaint(self, problem: str) -> str:
        """What is wrong with it, with what it is for and an example."""
        return f"{self.name} {problem}: it is {self.purpose}. Example: {self.name}={self.example}"


def setting(name: str, purpose: str, example: str, default: Any = MISSING, *, unless: str = "") -> Any:
    """A field read from the environment variable `name`; without a default it is required.

    `unless` names a field before this one: where it is false, the setting is required in spite of its default.
    """
    declared = Setting(name=name, purpose=purpose, example=example, default=default, unless=unless)
    return field(default=default, metadata={"setting": declared})


def declared_settings(kind: type[Any]) -> dict[str, Setting]:
    """The settings of a class by the names of their fields."""
    return {f.name: f.metadata["setting"] for f in fields(kind)}


def is_lulls(name: str) -> bool:
    """Whether a name is meant to be lull's own, however it is spelt."""
    return name.upper().startswith("LUL")


def meant_by(name: str, known: Collection[str], likeness: float = 0.8) -> str:
    """Return the setting that a misspelt name is likely to mean; empty if none is so much like it."""
    import difflib  # only for what is misspelt: a start that somebody waits for does without

    close = difflib.get_close_matches(name.upper(), known, n=1, cutoff=likeness)
    return close[0] if close else ""


def told_misspelt(kind: type[Any], env: Mapping[str, str]) -> list[str]:
    """Return a sentence for each name of an environment that is likely to be a setting of this class, misspelt.

    Other settings may be there, too: one that is not very much like one of these is not told.
    """
    known = {one.name for one in declared_settings(kind).values()}
    given = {name for name, value in env.items() if value}
    meant = {name: meant_by(name, known - given, ALIKE) for name in sorted(given - known) if is_lulls(name)}
    ignored = "is not a setting of this function and is ignored."
    return [f"{name} {ignored} Did you mean {one}?" for name, one in meant.items() if one]


def read_from(kind: type[T], env: Mapping[str, str]) -> T:
    """The settings of a class. An empty value is none; blanks and line ends around one do not count.

    Raises SettingsWrong with one line for each that is missing or wrong; no line repeats a value: it may be a secret.
    """
    hints = get_type_hints(kind, include_extras=True)
    found: dict[str, Any] = {}
    wrong: list[str] = []
    for name, declared in declared_settings(kind).items():
        text = env.get(declared.name, "").strip()
        try:
            found[name] = _value(hints[name], text) if text else _default(declared, found)
        except ValueError as problem:
            wrong.append(declared.complaint(f"is wrong ({problem})"))
        except LookupError:
            wrong.append(declared.complaint("is not set"))
    if wrong:
        raise SettingsWrong("\n".join(wrong)) from None
    return kind(**found)


def _default(declared: Setting, found: Mapping[str, Any]) -> Any:
    """Raises LookupError where there has to be a value. A condition that is itself wrong asks for nothing."""
    if declared.is_required or (declared.unless and not found.get(declared.unless, True)):
        raise LookupError(declared.name)
    return declared.default


def _value(kind: Any, text: str) -> Any:
    """The value of a type. Raises ValueError."""
    if get_origin(kind) is Annotated:
        return _annotated(*get_args(kind), text=text)
    if isinstance(kind, UnionType):
        (kind,) = (one for one in get_args(kind) if one is not NoneType)
        return _value(kind, text)
    if get_origin(kind) is Literal or issubclass(kind, Enum):
        return _choice(kind, text)
    if kind is bool:
        return _switch(text)
    if kind in {int, float}:
        return _number(kind, text)
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        raise ValueError("write it without quotes")
    return kind(text)


def _annotated(kind: Any, *marks: Any, text: str) -> Any:
    for mark in marks:
        if isinstance(mark, Spelled):
            return mark.read(text)
    value = _value(kind, text)
    for mark in marks:
        if isinstance(mark, Between):
            mark.check(value)
    return value


def _number(kind: type[int] | type[float], text: str) -> float:
    try:
        number = kind(text)
    except ValueError:
        raise ValueError("write a whole number" if kind is int else "write a number") from None
    if not isfinite(number):
        raise ValueError("write a number")
    return number


def _switch(text: str) -> bool:
    try:
        return SWITCHES[text.casefold()]
    except KeyError:
        raise ValueError("write `yes` or `no`") from None


def _choice(kind: Any, text: str) -> Any:
    known = get_args(kind) or tuple(kind)
    for one in known:
        if text.casefold() == str(getattr(one, "value", one)).casefold():
            return one
    names = [f"`{getattr(one, 'value', one)}`" for one in known]
    raise ValueError(f"write {' or '.join(names)}")
