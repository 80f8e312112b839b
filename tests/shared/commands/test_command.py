"""What every command is made of: a request with its model, and somebody's own words shown as they are."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.commands.command import Command, CommandRequest, CommandResponse, quoted, verbatim, visible
from shared.errors import PortMissing
from shared.formatting.render import render
from shared.ports.chats import ChatStore, Owners
from shared.ports.world import Ports
from tests.shared.commands.requests import asked
from tests.shared.values import PROPERTY

MARKED = st.text(st.sampled_from(string.punctuation + "a1 \n\u2028"), min_size=1, max_size=30)


@PROPERTY
@given(MARKED)
def test_no_name_becomes_markup(name: str) -> None:
    (shown,) = render(f"Name: {verbatim(name)}.")
    assert shown.text == f"Name: {' '.join(name.split())}."
    assert shown.entities == ()


def test_nothing_is_shown_that_turns_the_line_around_or_is_not_seen() -> None:
    assert verbatim("a\u202e*b*\u200b") == r"a\*b\*"
    assert visible("می\u200cخواهم\u2066\u2069") == "می\u200cخواهم"
    assert visible("🏴\U000e0067\U000e0062\U000e007f ❤\ufe0f") == "🏴\U000e0067\U000e0062\U000e007f ❤\ufe0f"
    assert visible("\u200d \u0301\u2800") == ""


def test_a_model_that_is_not_offered_any_more_is_not_used() -> None:
    assert asked().model == "big"
    assert asked(model="big-lite").model == "big-lite"
    assert asked(model="gone").model == "big"


async def _reaches(request: CommandRequest, ports: Ports) -> int | None:
    return await ports[Owners].owner(request.agent)


async def test_an_effect_does_not_reach_a_port_that_its_command_did_not_declare() -> None:
    command = Command(
        name="count",
        order=1,
        respond=lambda _: CommandResponse(),
        effect=_reaches,
        needs=(ChatStore,),
    )
    ports = command.ports_of(Ports({ChatStore: None, Owners: None}))
    with pytest.raises(PortMissing, match="there is no Owners here: `needs` must name it; given: ChatStore"):
        await _reaches(asked(), ports)


@pytest.mark.parametrize(
    "words", ["[x](https://evil.example) @all #tag", "`a` ``b``", "**b** \\` c", "\u202egnp.exe", "a\nb"]
)
def test_quoted_words_are_shown_as_code_and_nothing_in_them_is_a_link(words: str) -> None:
    (shown,) = render(f"Ann: {quoted(words)}.")
    assert [one.type for one in shown.entities] == ["code"]
    assert "\n" not in shown.text
    assert not {"\u202e", "`"} & set(shown.text)


def test_of_long_words_the_beginning_is_quoted_and_of_none_nothing() -> None:
    assert quoted("x" * 1_000, 20) == f"`{'x' * 19}…`"
    assert quoted("\u200b ") == ""
