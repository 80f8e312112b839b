"""Variables of prompt files: replaced once, and known or refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.agents.files import CHANGING, STABLE, VARIABLES, fill, unknown_variable, variables_in
from tests.shared.values import PROPERTY


def test_a_variable_either_changes_or_does_not() -> None:
    assert VARIABLES == STABLE | CHANGING
    assert not STABLE & CHANGING
    assert len(VARIABLES) == 15


@pytest.mark.parametrize("name", sorted(VARIABLES))
def test_every_variable_is_known_and_replaced(name: str) -> None:
    assert unknown_variable(f"a {{{name}}} b") == ""
    assert fill(f"a {{{name}}} b", {name: "X"}) == "a X b"
    assert fill(f"a {{{name}}} b", {}) == f"a {{{name}}} b"


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("{chatnam}", "chatnam"),
        ("{date} {zone}", "zone"),
        ('{"kind": "send"}', ""),
        ("{{chatnam}}", ""),
        ("{ date }", ""),
        ("{}", ""),
        ("{Date}", ""),
    ],
)
def test_only_a_lone_word_in_braces_is_a_variable(text: str, unknown: str) -> None:
    assert unknown_variable(text) == unknown
    assert unknown or fill(text, dict.fromkeys(VARIABLES, "X")) == text


def test_a_text_names_each_of_its_variables_once() -> None:
    assert variables_in("{time}, {date}, {{userid}}, {time}") == ("time", "date")


@PROPERTY
@given(st.sampled_from(sorted(VARIABLES)), st.text(st.sampled_from("{}abdet{date}{username}")))
def test_what_stands_in_a_value_is_never_replaced(name: str, value: str) -> None:
    assert fill(f"<{{{name}}}>", dict.fromkeys(VARIABLES, value)) == f"<{value}>"
