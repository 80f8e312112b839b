"""Wakes: some of them have the same name, so that one of them is dropped."""

import re

from hypothesis import given
from hypothesis import strategies as st

from shared.values.chat_key import ChatKey
from shared.values.wake import Wake, WakeReason
from tests.shared.examples import KEY, NOW, PROPERTY, SECOND, WAKE

WAKES = st.builds(
    Wake,
    key=st.builds(
        ChatKey, agent=st.sampled_from(["lull", "moss"]), chat_id=st.integers(-2, 2), topic_id=st.integers(0, 1)
    ),
    reason=st.sampled_from(WakeReason),
    at=st.sampled_from([NOW, NOW + SECOND]),
    of=st.sampled_from(["1", "2", "01H"]),
    attempt=st.integers(0, 2),
    since=st.sampled_from([None, NOW]),
    traceparent=st.sampled_from(["", "00-1"]),
)


@PROPERTY
@given(WAKES, WAKES)
def test_the_name_is_made_of_chat_reason_cause_and_attempt_alone(one: Wake, other: Wake) -> None:
    same = (one.key, one.reason, one.of, one.attempt) == (other.key, other.reason, other.of, other.attempt)
    assert (one.name == other.name) == same


@PROPERTY
@given(WAKES)
def test_a_wake_survives_the_queue_and_its_name_is_a_task_id(wake: Wake) -> None:
    assert WAKE.validate_json(wake.to_json()) == wake
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,500}", wake.name)


def test_a_wake_that_asks_for_itself_again_has_another_name() -> None:
    wake = Wake(key=KEY, reason=WakeReason.DUE, at=NOW, of="p1")
    again = wake.again(NOW + SECOND)
    assert again.name != wake.name
    assert (again.at, again.attempt, again.of) == (NOW + SECOND, 1, "p1")
