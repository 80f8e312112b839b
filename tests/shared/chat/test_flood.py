"""Flood waits of a whole bot, stored in the real Firestore."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.base.errors import StoreUnavailable
from shared.chat.flood import FloodGate, closed_until
from shared.chat.store.bots import FirestoreFloods
from shared.chat.store.chats import FirestoreChats
from shared.values.chat_key import ChatKey
from tests.shared.examples import NOW, PROPERTY, SECOND
from tests.shared.turn.watched import Clock

#: a chat without a flood wait
ELSEWHERE = 10
WAITS = st.dictionaries(st.integers(1, 9), st.timedeltas(timedelta(hours=-1), timedelta(hours=4)))


@PROPERTY
@given(WAITS)
def test_the_bot_waits_while_two_of_its_chats_do(waits: dict[int, timedelta]) -> None:
    ends = {chat: NOW + wait for chat, wait in waits.items()}
    until = closed_until(ends, ELSEWHERE, NOW)
    assert (until is not None) == (sum(end > NOW for end in ends.values()) >= 2)
    if until is not None:
        assert sum(end >= until for end in ends.values()) >= 2
        assert sum(end > until for end in ends.values()) <= 1


@PROPERTY
@given(WAITS, st.integers(1, 9))
def test_a_chat_waits_as_long_as_it_was_told_and_as_the_bot_does(waits: dict[int, timedelta], chat_id: int) -> None:
    ends = {chat: NOW + wait for chat, wait in waits.items()}
    own = ends.get(chat_id, NOW)
    assert (closed_until(ends, chat_id, NOW) or NOW) == max(NOW, own, closed_until(ends, ELSEWHERE, NOW) or NOW)


async def test_all_instances_honour_a_flood_wait(chats: FirestoreChats, key: ChatKey) -> None:
    clock, agent = Clock(NOW), f"flood{key.chat_id}"
    one, other = (FloodGate(FirestoreFloods(chats.client), agent, clock) for _ in range(2))
    assert await other.closed_until(1) is None
    await one.note_wait(1, NOW + 30 * SECOND)
    assert await one.closed_until(1) == await other.closed_until(1) == NOW + 30 * SECOND
    assert await other.closed_until(3) is None
    await other.note_wait(-2, NOW + 20 * SECOND)
    assert await one.closed_until(3) == await other.closed_until(3) == NOW + 20 * SECOND
    clock.now += 21 * SECOND
    assert await one.closed_until(3) is None
    assert await one.closed_until(1) == NOW + 30 * SECOND
    clock.now += 10 * SECOND
    assert await one.closed_until(1) is await other.closed_until(1) is None


async def test_a_wait_that_cannot_be_kept_is_honoured_where_it_is_known(key: ChatKey) -> None:
    clock, store = Clock(NOW), OutOfReach(key.chat_id)
    gate = FloodGate(store, "lull", clock)
    await gate.note_wait(key.chat_id, NOW + 30 * SECOND)
    store.is_away = False
    assert await gate.closed_until(key.chat_id + 1) is None
    assert await gate.closed_until(key.chat_id) == NOW + 30 * SECOND
    clock.now += 31 * SECOND
    assert await gate.closed_until(key.chat_id) is None


class OutOfReach(FirestoreFloods):
    """A store that cannot be reached while `is_away`. Otherwise it returns expired waits of some chats."""

    is_away = True

    def __init__(self, *older: int) -> None:
        self.older = older

    async def waits(self, agent: str) -> Mapping[int, datetime]:
        if self.is_away:
            raise StoreUnavailable(f"Firestore has no flood waits of {agent}")
        return dict.fromkeys(self.older, NOW - SECOND)

    async def note_wait(self, agent: str, chat_id: int, until: datetime, over: Sequence[int]) -> None:
        raise StoreUnavailable(f"Firestore keeps no flood wait of {agent}: {chat_id}, {until}, {over}")
