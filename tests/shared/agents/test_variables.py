"""Variables of prompt files: replaced once, and known or refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.agents.variables import VARIABLES, fill, unknown_variable
from tests.shared.values import PROPERTY


@pytest.mark.parametrize("name", sorted(VARIABLES))
def test_every_variable_is_known_and_replaced(name: str) -> None:
    assert unknown_variable(f"a {{{name}}} b") == ""
    assert fill(f"a {{{name}}} b", {name: "X"}) == "a X b"


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


@PROPERTY
@given(st.sampled_from(sorted(VARIABLES)), st.text(st.sampled_from("{}abdet{date}{username}")))
def test_what_stands_in_a_value_is_never_replaced(name: str, value: str) -> None:
    assert fill(f"<{{{name}}}>", dict.fromkeys(VARIABLES, value)) == f"<{value}>"
