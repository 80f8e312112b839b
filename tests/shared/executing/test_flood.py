"""Flood waits of a whole bot, over the real Firestore."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.adapters.firestore_chats import FirestoreChats
from shared.adapters.firestore_floods import FirestoreFloods
from shared.executing.flood import FloodGate, closed_until
from shared.models.chat import ChatKey
from tests.shared.flows.watched import Clock
from tests.shared.values import NOW, PROPERTY, SECOND

WAITS = st.dictionaries(st.integers(1, 9), st.timedeltas(timedelta(hours=-1), timedelta(hours=4)))


@PROPERTY
@given(WAITS)
def test_the_bot_waits_while_two_of_its_chats_do(waits: dict[int, timedelta]) -> None:
    ends = {chat: NOW + wait for chat, wait in waits.items()}
    until = closed_until(ends, NOW)
    assert (until is not None) == (sum(end > NOW for end in ends.values()) >= 2)
    if until is not None:
        assert sum(end >= until for end in ends.values()) >= 2
        assert sum(end > until for end in ends.values()) <= 1


async def test_what_one_instance_is_told_every_other_honours(chats: FirestoreChats, key: ChatKey) -> None:
    clock, agent = Clock(NOW), f"flood{key.chat_id}"
    one, other = (FloodGate(FirestoreFloods(chats.client), agent, clock) for _ in range(2))
    assert await other.closed_until() is None
    await one.told(1, NOW + 30 * SECOND)
    assert await other.closed_until() is None
    await other.told(-2, NOW + 20 * SECOND)
    assert await one.closed_until() == await other.closed_until() == NOW + 20 * SECOND
    clock.now += 21 * SECOND
    assert await one.closed_until() is None
