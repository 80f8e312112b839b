"""Notices of the outbox are sent once, also those stored as reminders by earlier versions."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from shared.chat.store.paths import chat_path
from shared.reminders.scheduler import HELD
from shared.reminders.store import FirestoreReminders
from shared.values.outbox import OutboxNotice
from shared.values.reminder import OccurrenceState, remind_wake, reminder_id
from shared.values.trust import BlockedPerson
from shared.values.wake import Wake, WakeReason
from tests.shared.doors import closed
from tests.shared.fixtures import OpenHarness
from tests.shared.paused_queue import PausedQueue
from tests.shared.turn.harness import ChatHarness, HarnessBackend, make_harness
from tests.shared.turn.watched import Killed
from tests.stories.play import Model

OWNER = 7_000_000_009
OFFER = {"text": "Show", "command": "people", "argument": "g0"}


def stored_before(harness: ChatHarness, name: str, at: datetime, **fields: Any) -> dict[str, Any]:
    """Make a notice in the form of before the outbox: a reminder with its text."""
    return {
        "id": reminder_id(harness.key.id, name), "agent": "lull", "chat": harness.key.id, "person": harness.person,
        "name": "", "username": "", "text": "All is forgotten.", "instruction": "", "zone": "UTC",
        "is_zone_guessed": False, "start": "", "rule": "", "next_at": at, "held_at": None, "language": "",
        "saw_outside": False, "known_links": [], "elsewhere": [], "thread": 0, "set_at": harness.clock.now,
        "conversation": "", "last": None, "is_notice": True, "is_apart": False, "offers": [],
        "open_in": harness.key.id, "open_for": f"lull {harness.person}",
    } | fields  # fmt: skip


async def lies_there(harness: ChatHarness, name: str = "one", in_minutes: int = 10, **fields: Any) -> str:
    """Store an old notice in this chat, arm its tick, and return its id."""
    document = stored_before(harness, name, harness.clock.now + timedelta(minutes=in_minutes), **fields)
    await harness.backend.chats.client.document(f"events/{document['id']}").set(document)
    wake = remind_wake(OutboxNotice.model_validate(document), harness.clock.now)
    assert wake is not None
    await harness.tick_services.queue.enqueue(wake)
    return str(document["id"])


async def now_of(harness: ChatHarness, notice_id: str) -> OutboxNotice:
    found = await FirestoreReminders(harness.backend.chats.client).find_due(notice_id)
    assert isinstance(found, OutboxNotice)
    return found


async def state_of(harness: ChatHarness, notice_id: str) -> OccurrenceState | None:
    found = await now_of(harness, notice_id)
    assert found.next_at is None
    return found.last.state if found.last is not None else None


@pytest.mark.parametrize("in_minutes", [-5, 10], ids=["due already", "still to come"])
@pytest.mark.parametrize("is_apart", [False, True])
async def test_one_of_before_is_told_once(harness: ChatHarness, in_minutes: int, is_apart: bool) -> None:
    one = await lies_there(harness, in_minutes=in_minutes, is_apart=is_apart, offers=[OFFER] if is_apart else [])
    await harness.rests()
    assert await harness.said() == ["All is forgotten."], "and nothing of how late it is"
    assert await state_of(harness, one) is OccurrenceState.SENT
    assert (await now_of(harness, one)).text == ("" if is_apart else "All is forgotten.")
    assert ("All is forgotten." in str(await harness.transcript())) is not is_apart
    await harness.tick_services.queue.enqueue(
        Wake(key=harness.key, reason=WakeReason.SWEEP, at=harness.clock.now, of="slot")
    )
    await harness.rests()
    assert await harness.said() == ["All is forgotten."]


async def test_a_tick_may_die_at_any_step(open_harness: OpenHarness) -> None:
    steps, at = 1, 0
    while at < steps:
        harness = await open_harness()
        ids = [await lies_there(harness), await lies_there(harness, "two", is_apart=True, text="Somebody asks.")]
        harness.steps.taken.clear()

        async def die() -> None:
            raise Killed

        harness.steps.at, harness.steps.happens = at, die if at else None
        await harness.rests(99)
        steps = steps if at else len(harness.steps.taken)
        said, lost = await harness.said(), len(await harness.incidents())
        assert len(set(said)) == len(said), at
        assert len(said) + lost >= 2, at
        for one in ids:
            assert await state_of(harness, one) in {OccurrenceState.SENT, OccurrenceState.UNKNOWN}, at
        at += 1
    assert steps >= 8


async def test_while_the_agent_is_blocked_it_waits(harness: ChatHarness) -> None:
    one, chat = await lies_there(harness), harness.backend.chats.client.document(chat_path(harness.key))
    await chat.set({"is_blocked": True}, merge=True)
    await harness.next_tick()
    assert (await now_of(harness, one)).next_at == harness.clock.now + HELD
    assert await harness.said() == []
    await chat.set({"is_blocked": False}, merge=True)
    await harness.next_tick()
    assert await harness.said() == ["All is forgotten."]
    assert ((await now_of(harness, one)).held_at, await state_of(harness, one)) == (None, OccurrenceState.SENT)


async def test_who_is_blocked_is_told_it(harness: ChatHarness) -> None:
    access_lists = await closed(harness, OWNER)
    await access_lists.block("lull", BlockedPerson(id=harness.person, since=harness.clock.now, by=OWNER))
    await lies_there(harness)
    await harness.rests()
    assert await harness.said() == ["All is forgotten."]


async def test_it_is_told_in_the_supergroup_that_the_group_becomes(
    shared_backend: HarnessBackend, paused_queue: PausedQueue, script: Model
) -> None:
    harness = await make_harness(shared_backend, paused_queue, script, people=1, type="group")
    await harness.writes("hi")
    await harness.rests()
    one = await lies_there(harness)
    answer = await harness.backend.telegram.post(f"/world/chats/{harness.chat}/migrate", json={})
    harness.chat = answer.raise_for_status().json()["key"]
    await harness.arrive()
    await harness.rests()
    assert await harness.said() == ["All is forgotten."]
    assert await state_of(harness, one) is OccurrenceState.SENT


async def test_when_the_agent_is_removed_it_is_told_in_private(group: ChatHarness) -> None:
    backend = group.backend
    await backend.make("chats", type="private", person_id=group.person, bot_id=backend.bot_id)
    one = await lies_there(group)
    place = f"/world/chats/{group.chat}/members/{backend.bot_id}"
    (await backend.telegram.request("DELETE", place, params={"by": group.person})).raise_for_status()
    await group.arrive()
    await group.rests()
    assert await state_of(group, one) is OccurrenceState.FAILED
    found = await backend.telegram.get("/world/calls", params={"after": 0})
    calls = [c for c in found.raise_for_status().json()["calls"] if c["bot_id"] == backend.bot_id and c["ok"]]
    told = [c["params"]["text"] for c in calls if c["params"].get("chat_id") == str(group.person)]
    assert sum("All is forgotten." in text for text in told) == 1
    assert len(await group.incidents()) == 1


async def test_no_list_has_it(harness: ChatHarness) -> None:
    one = await lies_there(harness, in_minutes=60)
    await harness.writes("/reminders")
    await harness.next_tick()
    assert "forgotten" not in str(await harness.said())
    reminders = FirestoreReminders(harness.backend.chats.client)
    assert await reminders.find(one) is None
    assert await reminders.open_of_chat([harness.key.id], 9) == []
