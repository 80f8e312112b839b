"""The pins: what each argument must be and why, and in what a plan or the files differ from them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.infra.pinning.facts import Facts, Place
from tests.infra.pinning.texts import Argument

FOLDER = Path(__file__).parent
#: a deployment's files of pins; what a later one says takes the place of what an earlier one says
FILES: Mapping[str, tuple[str, ...]] = {
    "usual": ("usual",),
    "everything": ("usual", "archive", "everything"),
    "going": ("usual", "archive", "going"),
}


@dataclass(frozen=True)
class Pin:
    """What an argument must be, and why; None: it must not be there."""

    value: Any
    why: str


@cache
def pinned(scenario: str) -> Mapping[Place, Pin]:
    """Every argument that a plan of this deployment has."""
    stored = [_read(name) for name in FILES[scenario]]
    gone = {address for file in stored for address in file.get("gone", [])}
    addresses = [address for file in stored for address in file["resources"] if address not in gone]
    found: dict[Place, Pin] = {}
    for file in stored:
        for group in file["pins"]:
            for pattern, values in _groups(group):
                for address in filter(pattern.fullmatch, addresses):
                    found |= {(address, path): Pin(value, group["why"]) for path, value in values.items()}
    return {place: pin for place, pin in found.items() if pin.value is not None}


def _groups(group: Mapping[str, Any]) -> Iterator[tuple[re.Pattern[str], Mapping[str, Any]]]:
    """A group's resources and values: of all that its pattern fits, and of those with a key in the stars' places."""
    for of in [group["of"]] if isinstance(group["of"], str) else group["of"]:
        yield re.compile(".*".join(map(re.escape, of.split("*")))), group.get("is", {})
    for key, values in group.get("each", {}).items():
        parts = [re.escape(part) for part in group["of"].split("*")]
        filled = [
            piece for pair in zip(parts, [*map(re.escape, str(key).split("|")), ""], strict=True) for piece in pair
        ]
        yield re.compile("".join(filled)), values


@cache
def pinned_texts() -> Mapping[tuple[str, str], Pin]:
    """What the files must say where no plan shows it, by file and place."""
    return {
        (file, place): Pin(text, group["why"])
        for group in _read("texts")["pins"]
        for file, arguments in group["in"].items()
        for place, text in arguments.items()
    }


@cache
def _read(name: str) -> Any:
    return yaml.load((FOLDER / f"{name}.yaml").read_text(), Loader=yaml.CSafeLoader)


def differences(scenario: str, facts: Facts) -> Mapping[Place, str]:
    """In what a plan is not what is pinned, as a sentence for each place."""
    pins = pinned(scenario)
    missing = {place: f"{_said(place)} is missing: {pins[place].why}" for place in pins if place not in facts}
    others = {
        place: f"{_said(place)} is {value!r}, not {pins[place].value!r}: {pins[place].why}"
        for place, value in facts.items()
        if place in pins and value != pins[place].value
    }
    new = {
        place: f"{_said(place)} is {value!r}, which no pin knows" for place, value in facts.items() if place not in pins
    }
    return missing | others | new


def _said(place: Place) -> str:
    return ": ".join(place)


def text_differences(file: str, arguments: Sequence[Argument]) -> list[str]:
    """In what a file is not what is pinned of what no plan shows."""
    pins = {place: pin for (name, place), pin in pinned_texts().items() if name == file}
    said = {argument.place: argument.text for argument in arguments if argument.is_unseen}
    missing = (f"{file}: {place} is missing: {pin.why}" for place, pin in pins.items() if place not in said)
    others = (
        f"{file}: {place} is {text}, not {pins[place].value}: {pins[place].why}"
        for place, text in said.items()
        if place in pins and pins[place].value != text
    )
    new = (f"{file}: {place} is {text}, which no pin knows" for place, text in said.items() if place not in pins)
    return [*missing, *others, *new]
