"""Variables are replaced once, and unknown ones refused. Conditions keep or remove their parts, and report mistakes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.planning.personas.template import (
    CHANGING,
    STABLE,
    VARIABLES,
    compose_text,
    condition_words,
    fill,
    own_fields,
    unknown_variable,
    variables_in,
    wrong_conditions,
)
from shared.tasks.registry import unlockable
from shared.tools.toolbox import tool_names
from tests.shared.examples import PROPERTY

OFFERED = frozenset({"json", "send", "wait"})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A plan{if json}: a list{end}.", "A plan: a list."),
        ("A plan{if markdown}: blocks{end}.", "A plan."),
        ("Say so{unless react} in a word{end}.", "Say so in a word."),
        ("Say so{unless send} in a word{end}.", "Say so."),
        ("{if json wait}both{end}{if json react}one{end}", "both"),
        ("{unless react functions}none{end}{unless react wait}one{end}", "none"),
        ("React or {if react}nod, or {end}stay silent.", "React or stay silent."),
        ("{if json}a{if react}b{end}c{if wait}d{end}{end}e", "acde"),
        ("{if react}a{if json}b{end}c{unless react}d{end}{end}e", "e"),
        ("- `send` x.{if reply_to} Quote\n  it.{end}\n- y", "- `send` x.\n- y"),
        ("a\n\n{if react}\n- react\n{end}\n\nb", "a\n\nb"),
        ("a\n{if wait}\n- wait\n{end}\nb", "a\n- wait\nb"),
        ("a\n{if react}\n- react\n{end}\nb", "a\nb"),
        ("{if react}all of it{end}", ""),
        ('{date}, {"if": 1}, {iffy}, {if(x) y}', '{date}, {"if": 1}, {iffy}, {if(x) y}'),
    ],
)
def test_only_what_holds_stands_there(text: str, found: str) -> None:
    assert list(wrong_conditions(text)) == []
    assert compose_text(text, OFFERED) == found


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("a\n{if dance}b{end}", [(2, "unknown condition 'dance'")]),
        ("{if json dance}b{end}", [(1, "unknown condition 'dance'")]),
        ("{if }b{end}", [(1, "unknown condition ''")]),
        ("a{end}", [(1, "there is no {if …} or {unless …} for this {end}")]),
        ("{if json}\n{if wait}b{end}", [(1, "the condition that begins here has no {end}")]),
    ],
)
def test_a_mistake_is_told_with_its_line(text: str, wrong: list[tuple[int, str]]) -> None:
    assert list(wrong_conditions(text)) == wrong


def test_a_condition_may_ask_for_whatever_a_request_can_offer() -> None:
    fields = {name for model in unlockable().values() for name in own_fields(model)}
    assert {"reply_to", "message_id", "seconds", "emoji"} <= fields
    assert not fields & {"id", "kind", "depends_on"}
    ways = {"json", "markdown", "text", "meta", "full", "compact", "plain", "functions"}
    assert condition_words() == {*ways, *unlockable(), *fields, *tool_names()}


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
