"""Tests of the buttons that unmute the agent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.reminders.wake_buttons import chat_in_button, owner_wake_buttons, wake_button
from shared.values.chat_key import ChatKey
from tests.shared.examples import PROPERTY
from tests.shared.own_words import ENGLISH


@PROPERTY
@given(
    st.one_of(st.integers(1, 2**40), st.integers(-1_009_999_999_999, -1), st.just(23 * 36 + 5)),
    # a topic of direct messages is below 0 (its id is an account's)
    st.one_of(st.integers(0, 2**31 - 1), st.integers(-(2**34), -1)),
)
def test_every_chat_id_survives_a_button(chat_id: int, topic_id: int) -> None:
    key = ChatKey(agent="lull", chat_id=chat_id, topic_id=topic_id)
    (offer,) = owner_wake_buttons(ENGLISH, key)
    assert (offer.command, len(offer.argument) <= 18) == ("people", True)
    assert chat_in_button("lull", offer.argument[1:]) == key


def test_offers_no_button_for_an_id_that_does_not_fit() -> None:
    assert owner_wake_buttons(ENGLISH, ChatKey(agent="lull", chat_id=2**62)) == ()


@pytest.mark.parametrize("carried", ["", "5", "_", "n_0", "zz_", "A_0", "p5_0_0", "n" + "z" * 10 + "_" + "z" * 7])
def test_returns_none_for_other_data(carried: str) -> None:
    assert chat_in_button("lull", carried) is None


def test_the_button_in_the_chat_runs_the_command() -> None:
    assert wake_button(ENGLISH, "conv-1").data == "wake:conv-1:h"
