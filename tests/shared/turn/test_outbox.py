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
from tests.shared.fixtures import OpenRoom
from tests.shared.paused_queue import PausedQueue
from tests.shared.turn.room import House, Room, room
from tests.shared.turn.watched import Killed
from tests.stories.play import Model

OWNER = 7_000_000_009
OFFER = {"text": "Show", "command": "people", "argument": "g0"}


def stored_before(here: Room, name: str, at: datetime, **fields: Any) -> dict[str, Any]:
    """A notice as it was stored before there was an outbox: a reminder that says so."""
    return {
        "id": reminder_id(here.key.id, name), "agent": "lull", "chat": here.key.id, "person": here.person,
        "name": "", "username": "", "text": "All is forgotten.", "instruction": "", "zone": "UTC",
        "is_zone_guessed": False, "start": "", "rule": "", "next_at": at, "held_at": None, "language": "",
        "saw_outside": False, "known_links": [], "elsewhere": [], "thread": 0, "set_at": here.clock.now,
        "conversation": "", "last": None, "is_notice": True, "is_apart": False, "offers": [],
        "open_in": here.key.id, "open_for": f"lull {here.person}",
    } | fields  # fmt: skip


async def lies_there(here: Room, name: str = "one", in_minutes: int = 10, **fields: Any) -> str:
    """A notice of before in this chat, with its tick armed; its id."""
    document = stored_before(here, name, here.clock.now + timedelta(minutes=in_minutes), **fields)
    await here.house.chats.client.document(f"events/{document['id']}").set(document)
    wake = remind_wake(OutboxNotice.model_validate(document), here.clock.now)
    assert wake is not None
    await here.tick_services.queue.enqueue(wake)
    return str(document["id"])


async def now_of(here: Room, notice_id: str) -> OutboxNotice:
    found = await FirestoreReminders(here.house.chats.client).find_due(notice_id)
    assert isinstance(found, OutboxNotice)
    return found


async def state_of(here: Room, notice_id: str) -> OccurrenceState | None:
    found = await now_of(here, notice_id)
    assert found.next_at is None
    return found.last.state if found.last is not None else None


@pytest.mark.parametrize("in_minutes", [-5, 10], ids=["due already", "still to come"])
@pytest.mark.parametrize("is_apart", [False, True])
async def test_one_of_before_is_told_once(here: Room, in_minutes: int, is_apart: bool) -> None:
    one = await lies_there(here, in_minutes=in_minutes, is_apart=is_apart, offers=[OFFER] if is_apart else [])
    await here.rests()
    assert await here.said() == ["All is forgotten."], "and nothing of how late it is"
    assert await state_of(here, one) is OccurrenceState.SENT
    assert (await now_of(here, one)).text == ("" if is_apart else "All is forgotten.")
    assert ("All is forgotten." in str(await here.transcript())) is not is_apart
    await here.tick_services.queue.enqueue(Wake(key=here.key, reason=WakeReason.SWEEP, at=here.clock.now, of="slot"))
    await here.rests()
    assert await here.said() == ["All is forgotten."]


async def test_a_tick_may_die_at_any_step(rooms: OpenRoom) -> None:
    steps, at = 1, 0
    while at < steps:
        here = await rooms()
        ids = [await lies_there(here), await lies_there(here, "two", is_apart=True, text="Somebody asks.")]
        here.steps.taken.clear()

        async def die() -> None:
            raise Killed

        here.steps.at, here.steps.happens = at, die if at else None
        await here.rests(99)
        steps = steps if at else len(here.steps.taken)
        said, lost = await here.said(), len(await here.incidents())
        assert len(set(said)) == len(said), at
        assert len(said) + lost >= 2, at
        for one in ids:
            assert await state_of(here, one) in {OccurrenceState.SENT, OccurrenceState.UNKNOWN}, at
        at += 1
    assert steps >= 8


async def test_while_the_agent_is_blocked_it_waits(here: Room) -> None:
    one, chat = await lies_there(here), here.house.chats.client.document(chat_path(here.key))
    await chat.set({"is_blocked": True}, merge=True)
    await here.next_tick()
    assert (await now_of(here, one)).next_at == here.clock.now + HELD
    assert await here.said() == []
    await chat.set({"is_blocked": False}, merge=True)
    await here.next_tick()
    assert await here.said() == ["All is forgotten."]
    assert ((await now_of(here, one)).held_at, await state_of(here, one)) == (None, OccurrenceState.SENT)


async def test_who_is_blocked_is_told_it(here: Room) -> None:
    access_lists = await closed(here, OWNER)
    await access_lists.block("lull", BlockedPerson(id=here.person, since=here.clock.now, by=OWNER))
    await lies_there(here)
    await here.rests()
    assert await here.said() == ["All is forgotten."]


async def test_it_is_told_in_the_supergroup_that_the_group_becomes(
    shared_house: House, paused_queue: PausedQueue, script: Model
) -> None:
    here = await room(shared_house, paused_queue, script, people=1, type="group")
    await here.writes("hi")
    await here.rests()
    one = await lies_there(here)
    answer = await here.house.telegram.post(f"/world/chats/{here.chat}/migrate", json={})
    here.chat = answer.raise_for_status().json()["key"]
    await here.arrive()
    await here.rests()
    assert await here.said() == ["All is forgotten."]
    assert await state_of(here, one) is OccurrenceState.SENT


async def test_when_the_agent_is_removed_it_is_told_in_private(group: Room) -> None:
    house = group.house
    await house.make("chats", type="private", person_id=group.person, bot_id=house.bot_id)
    one = await lies_there(group)
    place = f"/world/chats/{group.chat}/members/{house.bot_id}"
    (await house.telegram.request("DELETE", place, params={"by": group.person})).raise_for_status()
    await group.arrive()
    await group.rests()
    assert await state_of(group, one) is OccurrenceState.FAILED
    found = await house.telegram.get("/world/calls", params={"after": 0})
    calls = [c for c in found.raise_for_status().json()["calls"] if c["bot_id"] == house.bot_id and c["ok"]]
    told = [c["params"]["text"] for c in calls if c["params"].get("chat_id") == str(group.person)]
    assert sum("All is forgotten." in text for text in told) == 1
    assert len(await group.incidents()) == 1


async def test_no_list_has_it(here: Room) -> None:
    one = await lies_there(here, in_minutes=60)
    await here.writes("/reminders")
    await here.next_tick()
    assert "forgotten" not in str(await here.said())
    reminders = FirestoreReminders(here.house.chats.client)
    assert await reminders.find(one) is None
    assert await reminders.open_of_chat([here.key.id], 9) == []
