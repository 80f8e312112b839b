"""Updates and plans that ticks die of are set aside, over the real servers."""

import json
from dataclasses import replace

import pytest
from google.api_core.exceptions import InvalidArgument

from shared.base.errors import TickFailed
from shared.base.wording.words import words_in
from shared.tasks.plan import TaskState
from shared.turn.jobs.tick import tick
from shared.turn.quarantine import ONE_BY_ONE_AFTER, QUARANTINE_AFTER, WHY, batch_size
from shared.values.chat import Chat, ChatClaim
from shared.values.incident import IncidentKind
from shared.values.message import AnyEntry
from shared.values.reminder import OccurrenceState, Reminder
from shared.values.wake import WakeReason
from tests.shared.examples import KEY, SECOND
from tests.shared.fixtures import OpenRoom
from tests.shared.kept_reminders import kept_now, promised
from tests.shared.own_words import NOT_SENT, UNREADABLE
from tests.shared.turn.room import Room, watched_model
from tests.shared.turn.scenes import WITH_A_WAIT, assert_at_rest
from tests.shared.turn.watched import Steps, WatchedChats


class Poisoned(Steps):
    """Chats whose ticks die while the inbox holds an update."""

    def __init__(self, here: Room, *update_ids: int) -> None:
        super().__init__()
        self.here, self.update_ids = here, update_ids

    async def take(self, name: str) -> None:
        await super().take(name)
        for update_id in self.update_ids if name == "after thinking" else ():
            if await self.here.house.chats.unread_update(self.here.key, update_id) is not None:
                raise ZeroDivisionError


class Blind(WatchedChats):
    """Firestore that cannot read the window while an update is in the inbox."""

    def __init__(self, here: Room, update_id: int) -> None:
        super().__init__(here.house.chats, Steps())
        self.update_id = update_id

    async def window(self, chat: Chat, limit: int) -> tuple[AnyEntry, ...]:
        if await self.unread_update(chat.key, self.update_id) is not None:
            raise ZeroDivisionError
        return await super().window(chat, limit)


async def poisoned(here: Room, text: str, **more: object) -> list[int]:
    """Send an update that ticks die of; return its id."""
    poison = await here.writes(text, **more)
    watched_model(here).steps = Poisoned(here, poison[0])
    return poison


async def failing_ticks(here: Room) -> int:
    """Run ticks as Cloud Tasks does until none is left; return how many failed."""
    failed = 0
    while wakes := await here.queue.wakes():
        here.clock.now = max(here.clock.now, wakes[0].at)
        try:
            await tick(here.tick_services, wakes[0])
        except TickFailed:
            failed += 1
            assert failed < 20
        else:
            await here.queue.end(wakes[0])
    return failed


async def test_an_update_that_kills_ticks_is_kept_as_a_dead_letter_and_blocks_nobody(here: Room) -> None:
    await here.will_plan({"kind": "send", "text": "Hello."}, times=None)
    poison = await poisoned(here, "what nobody foresaw")
    update_ids = poison + await here.writes("and another thing")
    assert await failing_ticks(here) == QUARANTINE_AFTER
    assert await here.said() == [UNREADABLE, "Hello."]
    assert (await here.messages())[0]["reply_to"] == here.message_id - 1
    await assert_at_rest(here, update_ids)
    (incident,) = await here.incidents()
    assert (incident.kind, incident.update_id, incident.why) == (IncidentKind.DEAD_LETTER, poison[0], WHY)
    assert "what nobody foresaw" in incident.body
    assert incident.conversation == (await here.house.chats.see(here.key)).chat.conversation != ""
    prompt = (await here.asked())[-1]
    assert "and another thing" in prompt
    assert "what nobody foresaw" not in prompt


@pytest.mark.parametrize("how", ["named", "replied", "neither", "muted"])
async def test_in_a_group_only_who_spoke_to_the_agent_is_told_of_it(group: Room, how: str) -> None:
    here = group
    await here.will_plan({"kind": "send", "text": "Hello."}, times=None)
    update_ids = await here.writes(f"@{here.house.username} hi")
    await here.rests()
    (hello,) = await here.messages()
    more = {"reply_to": hello["message_id"]} if how == "replied" else {}
    text = f"@{here.house.username}, a" if how in {"named", "muted"} else "a question?"
    update_ids += await poisoned(here, text, **more)
    muted_until = here.clock.now + 3600 * SECOND if how == "muted" else None
    chat = here.house.chats.client.document(f"chats/{here.key.id}")
    await chat.update({"starts": QUARANTINE_AFTER, "muted_until": muted_until})
    await failing_ticks(here)
    assert (await here.said())[1:] == ([UNREADABLE] if how in {"named", "replied"} else [])
    await assert_at_rest(here, update_ids)
    assert [i.kind for i in await here.incidents()] == [IncidentKind.DEAD_LETTER]


async def test_of_two_in_a_row_each_is_told_before_the_next_one_kills(here: Room) -> None:
    await here.will_plan({"kind": "send", "text": "Hello."}, times=None)
    update_ids = await here.writes("one") + await here.writes("two")
    watched_model(here).steps = Poisoned(here, *update_ids)
    assert await failing_ticks(here) == 2 * QUARANTINE_AFTER + 1
    assert [(m["text"], m["reply_to"]) for m in await here.messages()] == [
        (UNREADABLE, here.message_id - 1), (UNREADABLE, here.message_id),
    ]  # fmt: skip
    await assert_at_rest(here, update_ids)
    assert [i.kind for i in await here.incidents()] == 2 * [IncidentKind.DEAD_LETTER]


async def test_who_wrote_what_kills_is_told_in_their_language(rooms: OpenRoom) -> None:
    here = await rooms(language="uk")
    await here.will_plan({"kind": "send", "text": "Hello."}, times=None)
    await poisoned(here, "hi")
    await failing_ticks(here)
    assert await here.said() == [words_in("uk").say("apology.unreadable")]


async def test_an_update_is_quarantine_without_a_look_at_what_was_said(here: Room) -> None:
    await here.will_plan({"kind": "send", "text": "Hello."}, times=None)
    update_ids = await here.writes("hi")
    await here.rests()
    poison = await here.writes("and this")
    here.tick_services = replace(here.tick_services, chats=Blind(here, poison[0]))
    assert await failing_ticks(here) == QUARANTINE_AFTER
    assert await here.said() == ["Hello.", UNREADABLE]
    await assert_at_rest(here, update_ids + poison)
    assert [i.kind for i in await here.incidents()] == [IncidentKind.DEAD_LETTER]


async def test_a_plan_that_kills_ticks_is_given_up_and_who_waits_is_told(here: Room) -> None:
    await here.will_plan(*WITH_A_WAIT)
    update_ids = await here.writes("hi")
    await here.next_tick()

    class Deadly(WatchedChats):
        """What is asked before a call kills ticks, as long as the plan's last message is unsent."""

        async def window(self, chat: Chat, limit: int) -> tuple[AnyEntry, ...]:
            if (await here.plan()).tasks[-1].is_open and (await here.document()).claim.starts <= QUARANTINE_AFTER:
                raise ZeroDivisionError
            return await super().window(chat, limit)

    here.tick_services = replace(here.tick_services, chats=Deadly(here.house.chats, Steps()))
    assert await failing_ticks(here) == QUARANTINE_AFTER
    assert await here.said() == ["One.", NOT_SENT]
    await assert_at_rest(here, update_ids)
    assert [(i.kind, i.why) for i in await here.incidents()] == [(IncidentKind.DROPPED_PLAN, WHY)]
    states = [t.state for t in (await here.plan()).tasks if not t.is_own]
    assert states == [TaskState.DONE, TaskState.CANCELLED, TaskState.CANCELLED]
    notes = [entry["note"] for entry in await here.transcript() if entry["type"] == "event"]
    assert notes == [f"the answer to message {here.message_id} could not be sent"]


async def test_what_lull_says_of_it_is_given_up_without_another_word(here: Room) -> None:
    await here.will_plan(*WITH_A_WAIT)
    update_ids = await here.writes("hi")
    await here.next_tick()

    class Deadly(WatchedChats):
        """What is asked before any call kills ticks, as long as a plan stands."""

        async def window(self, chat: Chat, limit: int) -> tuple[AnyEntry, ...]:
            if (await here.plan()).is_open:
                raise ZeroDivisionError
            return await super().window(chat, limit)

    here.tick_services = replace(here.tick_services, chats=Deadly(here.house.chats, Steps()))
    assert await failing_ticks(here) <= 2 * QUARANTINE_AFTER + 1
    assert await here.said() == ["One."]
    await assert_at_rest(here, update_ids)
    notes = [entry["note"] for entry in await here.transcript() if entry["type"] == "event"]
    assert notes == [
        f"the answer to message {here.message_id} could not be sent",
        f"nobody could be told that the answer to message {here.message_id} could not be sent",
    ]


async def test_a_plan_that_cannot_be_read_is_kept_and_who_waits_is_told(here: Room) -> None:
    await here.will_plan(*WITH_A_WAIT)
    update_ids = await here.writes("hi")
    await here.next_tick()
    ref = here.house.chats.client.document(f"plans/{here.key.id}")
    stored = (await ref.get()).to_dict() or {}
    stored["tasks"][2]["task"]["kind"] = "send_voice"  # as of a newer lull
    await ref.set(stored)
    assert await failing_ticks(here) == 0
    assert await here.said() == ["One.", NOT_SENT]
    await assert_at_rest(here, update_ids)
    (incident,) = await here.incidents()
    assert incident.kind is IncidentKind.DROPPED_PLAN
    assert [t["task"].get("text") for t in json.loads(incident.body)["tasks"]] == ["One.", None, "Two."]
    notes = [entry["note"] for entry in await here.transcript() if entry["type"] == "event"]
    assert notes == ["what was planned could not be sent"]


async def test_a_plan_that_grew_too_large_to_be_stored_is_given_up(here: Room) -> None:
    await here.will_plan(*WITH_A_WAIT)
    update_ids = await here.writes("hi")
    await here.next_tick()
    await swell(here)
    update_ids += await here.writes("/help")
    ran = [wake.reason for wake in await here.rests()]
    assert ran.count(WakeReason.NOW) == QUARANTINE_AFTER + 1
    assert (await here.said())[:2] == ["One.", NOT_SENT]
    assert len(await here.said()) == 3
    await assert_at_rest(here, update_ids)
    assert [(i.kind, i.why) for i in await here.incidents()] == [(IncidentKind.DROPPED_PLAN, WHY)]


async def swell(here: Room) -> None:
    """Make the plan so large that Firestore cannot store anything more of it."""
    ref = here.house.chats.client.document(f"plans/{here.key.id}")
    stored = (await ref.get()).to_dict() or {}
    length = 1_048_576
    while True:
        try:
            await ref.set(stored | {"notes": ["x" * length]})
        except InvalidArgument:
            length -= 100
        else:
            return


class Deadly(WatchedChats):
    """What is asked before a call kills ticks, as long as a plan stands and was not given up."""

    def __init__(self, here: Room) -> None:
        super().__init__(here.house.chats, Steps())
        self.here = here

    async def window(self, chat: Chat, limit: int) -> tuple[AnyEntry, ...]:
        plan, starts = await self.plan(chat.key), (await self.here.document()).claim.starts
        if plan is not None and plan.is_open and starts <= QUARANTINE_AFTER:
            raise ZeroDivisionError
        return await super().window(chat, limit)


async def test_whose_reminder_is_given_up_with_a_plan_is_told(here: Room) -> None:
    one = await promised(here)
    await here.fault(kind="500", method="sendMessage")
    await here.next_tick()
    here.tick_services = replace(here.tick_services, chats=Deadly(here))
    assert await failing_ticks(here) == QUARANTINE_AFTER
    await assert_told_as_lost(here, one)


async def test_whose_instruction_kills_ticks_is_told(here: Room) -> None:
    one = await promised(here, text="", instruction="Time for tea!")
    await here.will_plan({"kind": "send", "text": "Hello."}, times=None)

    class Poisonous(Steps):
        async def take(self, name: str) -> None:
            if name == "after thinking" and await here.house.chats.unread_count(here.key):
                raise ZeroDivisionError

    watched_model(here).steps = Poisonous()
    assert await failing_ticks(here) == 1 + QUARANTINE_AFTER, "the first one wrote that the reminder is due"
    await assert_told_as_lost(here, one)


async def assert_told_as_lost(here: Room, one: Reminder) -> None:
    (said,) = await here.said()
    assert "Time for tea!" in said
    assert said != "Time for tea!"
    last = (await kept_now(here, one)).last
    assert last is not None
    assert (last.state, last.why) == (OccurrenceState.FAILED, WHY)
    assert len(await here.incidents()) == 1


@pytest.mark.parametrize(("starts", "expected"), [(1, 200), (ONE_BY_ONE_AFTER, 200), (ONE_BY_ONE_AFTER + 1, 1)])
def test_after_some_failures_updates_are_read_one_by_one(starts: int, expected: int) -> None:
    assert batch_size(Chat(key=KEY, claim=ChatClaim(starts=starts))) == expected
