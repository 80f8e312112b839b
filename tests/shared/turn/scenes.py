"""A scene that is played once for each of its steps, and what must hold of a chat whenever it has come to rest."""

from collections import Counter
from collections.abc import AsyncIterator

from shared.values.update import Json
from tests.shared.fixtures import OpenRoom
from tests.shared.turn.room import Room

TWO_SENDS = ({"kind": "send", "text": "One."}, {"kind": "send", "text": "Two."})
WITH_A_WAIT = ({"kind": "send", "text": "One."}, {"kind": "wait", "seconds": 90}, {"kind": "send", "text": "Two."})


async def each_step(rooms: OpenRoom, plan: tuple[Json, ...]) -> AsyncIterator[tuple[int, Room]]:
    """A new room for each step that a message and its answer take when nothing else happens."""
    first = await rooms()
    await first.will_plan(*plan, times=None)
    await first.writes("hi")
    await first.rests()
    assert len(first.steps.taken) >= 10
    for at in range(len(first.steps.taken)):
        here = await rooms()
        await here.will_plan(*plan, times=None)
        here.steps.at = at
        yield at, here


async def assert_at_rest(here: Room, update_ids: list[int]) -> None:
    """Every update was read into the transcript once, and nobody holds the chat or waits to."""
    chat = await here.document()
    assert (chat.claim.lease, chat.due_at) == (None, None)
    assert await here.house.chats.unread_count(here.key) == 0
    transcript = await here.transcript()
    assert [entry["seq"] for entry in transcript] == list(range(1, chat.talk.seq + 1))
    assert Counter(u for entry in transcript for u in entry["updates"]) == Counter(update_ids)
    window = await here.house.chats.window(chat, 50)
    assert [entry.seq for entry in window] == [entry["seq"] for entry in transcript][-50:]
