"""A scene that is repeated for each of its steps, and the conditions of a chat at rest."""

from collections import Counter
from collections.abc import AsyncIterator

from shared.values.update import Json
from tests.shared.fixtures import OpenHarness
from tests.shared.turn.harness import ChatHarness

TWO_SENDS = ({"kind": "send", "text": "One."}, {"kind": "send", "text": "Two."})
WITH_A_WAIT = ({"kind": "send", "text": "One."}, {"kind": "wait", "seconds": 90}, {"kind": "send", "text": "Two."})


async def each_step(open_harness: OpenHarness, plan: tuple[Json, ...]) -> AsyncIterator[tuple[int, ChatHarness]]:
    """Yield a new room for each step of a message and its answer without interruptions."""
    first = await open_harness()
    await first.will_plan(*plan, times=None)
    await first.writes("hi")
    await first.rests()
    assert len(first.steps.taken) >= 10
    for at in range(len(first.steps.taken)):
        harness = await open_harness()
        await harness.will_plan(*plan, times=None)
        harness.steps.at = at
        yield at, harness


async def assert_at_rest(harness: ChatHarness, update_ids: list[int]) -> None:
    """Check that each update is in the transcript once, and that no tick holds the chat or waits for it."""
    chat = await harness.document()
    assert (chat.claim.lease, chat.due_at) == (None, None)
    assert await harness.backend.chats.unread_count(harness.key) == 0
    transcript = await harness.transcript()
    assert [entry["seq"] for entry in transcript] == list(range(1, chat.talk.seq + 1))
    assert Counter(u for entry in transcript for u in entry["updates"]) == Counter(update_ids)
    window = await harness.backend.chats.window(chat, 50)
    assert [entry.seq for entry in window] == [entry["seq"] for entry in transcript][-50:]
