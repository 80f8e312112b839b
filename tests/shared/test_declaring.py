"""Settings by the type of their field: what is right is read, and what is wrong is told by name."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest

from shared.declaring import Between, Secret, Spelled, declared_settings, is_lulls, meant_by, read_from, setting
from shared.errors import SettingsWrong


class Size(StrEnum):
    SMALL = "small"
    LARGE = "large"


def halves(text: str) -> tuple[str, str]:
    if text.count("/") != 1:
        raise ValueError("write two halves")
    left, right = text.split("/")
    return left, right


@dataclass(frozen=True, kw_only=True)
class Example:
    word: str = setting("WORD", "a word", "w")
    is_open: bool = setting("IS_OPEN", "a switch", "yes", True)
    hidden: Secret = setting("HIDDEN", "a secret", "s", Secret(""), unless="is_open")
    count: Annotated[int, Between(1, 9)] = setting("COUNT", "a number", "2", 2)
    part: Annotated[float, Between(0, 1, is_above=True)] = setting("PART", "a part", "0.5", 0.5)
    size: Size = setting("SIZE", "a size", "large", Size.SMALL)
    form: Literal["long", "short"] = setting("FORM", "a form", "long", "short")
    both: Annotated[tuple[str, str] | None, Spelled(halves)] = setting("BOTH", "two halves", "a/b", None)
    perhaps: int | None = setting("PERHAPS", "a number", "3", None)


@pytest.mark.parametrize(
    ("name", "text", "field", "value"),
    [
        ("IS_OPEN", "No", "is_open", False),
        ("IS_OPEN", "TRUE", "is_open", True),
        ("IS_OPEN", "off ", "is_open", False),
        ("IS_OPEN", "Y", "is_open", True),
        ("IS_OPEN", "f", "is_open", False),
        ("IS_OPEN", "Disabled", "is_open", False),
        ("IS_OPEN", " ", "is_open", True),
        ("WORD", " w2\r", "word", "w2"),
        ("WORD", '"', "word", '"'),
        ("COUNT", "9\r", "count", 9),
        ("SIZE", "Large ", "size", Size.LARGE),
        ("FORM", "LONG", "form", "long"),
        ("HIDDEN", "hush\n", "hidden", Secret("hush")),
        ("COUNT", "9", "count", 9),
        ("PART", "1", "part", 1.0),
        ("SIZE", "large", "size", Size.LARGE),
        ("FORM", "long", "form", "long"),
        ("BOTH", "a/b", "both", ("a", "b")),
        ("BOTH", "", "both", None),
        ("PERHAPS", "4", "perhaps", 4),
        ("HIDDEN", "hush", "hidden", Secret("hush")),
    ],
)
def test_a_value_is_read_by_its_type(name: str, text: str, field: str, value: Any) -> None:
    found = read_from(Example, {"WORD": "w", "HIDDEN": "x", name: text})
    assert getattr(found, field) == value


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("IS_OPEN", "perhaps", "write `yes` or `no`"),
        ("COUNT", "10", "write a number from 1 to 9"),
        ("COUNT", "2.5", "write a whole number"),
        ("PART", "0", "write a number above 0 to 1"),
        ("PART", "nan", "write a number"),
        ("SIZE", "huge", "write `small` or `large`"),
        ("FORM", "longest", "write `long` or `short`"),
        ("WORD", '"w"', "write it without quotes"),
        ("WORD", "'w'", "write it without quotes"),
        ("HIDDEN", '"hush"', "write it without quotes"),
        ("COUNT", '"3"', "write a whole number"),
        ("BOTH", "a", "write two halves"),
    ],
)
def test_what_is_wrong_is_told_by_name_purpose_and_example(name: str, text: str, said: str) -> None:
    with pytest.raises(SettingsWrong) as caught:
        read_from(Example, {"WORD": "w", name: text})
    (declared,) = (s for s in declared_settings(Example).values() if s.name == name)
    assert (
        str(caught.value) == f"{name} is wrong ({said}): it is {declared.purpose}. Example: {name}={declared.example}"
    )


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("LULL_QUIET_PRIVAT_S", "LULL_QUIET_PRIVATE_S"),
        ("LULL_QUITE_PRIVATE_S", "LULL_QUIET_PRIVATE_S"),
        ("LULL_QUIET_PRIVATE", "LULL_QUIET_PRIVATE_S"),
        ("lull_quiet_private_s", "LULL_QUIET_PRIVATE_S"),
        ("LULL_MODELL", "LULL_MODEL"),
        ("LUL_MODEL", "LULL_MODEL"),
        ("LULL_COLOUR", ""),
        ("LULL_", ""),
    ],
)
def test_what_a_misspelt_name_is_likely_to_mean_is_known(name: str, meant: str) -> None:
    assert meant_by(name, ("LULL_QUIET_PRIVATE_S", "LULL_MODEL", "LULL_DATA")) == meant
    assert is_lulls(name)
    assert not is_lulls("PATH")


def test_all_that_is_missing_is_told_at_once_and_a_condition_counts() -> None:
    for env, missing in (
        ({}, ["WORD"]),
        ({"IS_OPEN": "no"}, ["WORD", "HIDDEN"]),
        ({"IS_OPEN": "perhaps", "WORD": "w"}, ["IS_OPEN"]),
    ):
        with pytest.raises(SettingsWrong) as caught:
            read_from(Example, env)
        assert [line.split()[0] for line in str(caught.value).splitlines()] == missing


def test_a_secret_does_not_show() -> None:
    shown = read_from(Example, {"WORD": "w", "HIDDEN": "hush"})
    assert "hush" not in f"{shown!r} {shown} {shown.hidden}"
