"""The data of a button can be read from a press, and fit into Telegram's limit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.wording.words import words_in
from shared.commands.command import Audience
from shared.commands.registry import command_names, commands_by_name
from shared.reminders.wake_buttons import owner_wake_buttons
from shared.values.button_data import TELLS_APART, button_data, person_in, read_button, read_id, written_id
from shared.values.chat_key import ChatKey
from tests.shared.commands.requests import CONVERSATION
from tests.shared.examples import PROPERTY

ARGUMENTS = st.from_regex(r"[A-Za-z0-9_]{1,18}", fullmatch=True)


@PROPERTY
@given(st.sampled_from(sorted(command_names())), ARGUMENTS)
def test_what_is_written_is_read_and_has_room_in_a_button(command: str, argument: str) -> None:
    data = button_data(command, CONVERSATION, argument)
    assert read_button(data) == (command, CONVERSATION, argument)
    assert len(data.encode()) <= 64


@PROPERTY
@given(st.text(max_size=64).filter(lambda data: ":conv-" not in data))
def test_what_no_command_wrote_is_none(data: str) -> None:
    assert read_button(data) == ("", "", "")


def test_what_strangers_wrote_is_told_by_commands_of_the_owners_alone() -> None:
    assert {commands_by_name()[name].audience for name in TELLS_APART} == {Audience.OWNER}


@PROPERTY
@given(st.integers(-(10**15), 10**15))
def test_an_id_is_read_as_it_was_written(which: int) -> None:
    assert read_id(written_id(which)) == which
    assert person_in(button_data("people", CONVERSATION, f"b{written_id(which)}")) == which


def test_a_page_and_another_command_are_about_nobody() -> None:
    pages = [button_data("people", CONVERSATION, f"{page}7") for page in "pgx"]
    others = (button_data("model", CONVERSATION, "o7"), button_data("people", CONVERSATION, "oseven"), "")
    assert [person_in(data) for data in (*pages, *others)] == [0] * 6
    assert read_id("seven") == 0


@pytest.mark.parametrize(("chat_id", "topic_id"), [(1_100_000_001, 0), (-5, 7), (-5, -7)])
def test_what_ends_a_silence_is_about_whose_chat_it_is(chat_id: int, topic_id: int) -> None:
    (offer,) = owner_wake_buttons(words_in("en"), ChatKey(agent="lull", chat_id=chat_id, topic_id=topic_id))
    assert person_in(button_data(offer.command, CONVERSATION, offer.argument)) == chat_id
