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
from tests.shared.fixtures import OpenHarness
from tests.shared.kept_reminders import kept_now, promised
from tests.shared.own_words import NOT_SENT, UNREADABLE
from tests.shared.turn.harness import ChatHarness, watched_model
from tests.shared.turn.scenes import WITH_A_WAIT, assert_at_rest
from tests.shared.turn.watched import Steps, WatchedChats


class Poisoned(Steps):
    """Chats whose ticks die while the inbox holds an update."""

    def __init__(self, harness: ChatHarness, *update_ids: int) -> None:
        super().__init__()
        self.here, self.update_ids = harness, update_ids

    async def take(self, name: str) -> None:
        await super().take(name)
        for update_id in self.update_ids if name == "after thinking" else ():
            if await self.here.backend.chats.unread_update(self.here.key, update_id) is not None:
                raise ZeroDivisionError


class Blind(WatchedChats):
    """Firestore that cannot read the window while an update is in the inbox."""

    def __init__(self, harness: ChatHarness, update_id: int) -> None:
        super().__init__(harness.backend.chats, Steps())
        self.update_id = update_id

    async def window(self, chat: Chat, limit: int) -> tuple[AnyEntry, ...]:
        if await self.unread_update(chat.key, self.update_id) is not None:
            raise ZeroDivisionError
        return await super().window(chat, limit)


async def poisoned(harness: ChatHarness, text: str, **more: object) -> list[int]:
    """Send an update that ticks die of; return its id."""
    poison = await harness.writes(text, **more)
    watched_model(harness).steps = Poisoned(harness, poison[0])
    return poison


async def failing_ticks(harness: ChatHarness) -> int:
    """Run ticks as Cloud Tasks does until none is left; return how many failed."""
    failed = 0
    while wakes := await harness.queue.wakes():
        harness.clock.now = max(harness.clock.now, wakes[0].at)
        try:
            await tick(harness.tick_services, wakes[0])
        except TickFailed:
            failed += 1
            assert failed < 20
        else:
            await harness.queue.end(wakes[0])
    return failed


async def test_an_update_that_kills_ticks_is_kept_as_a_dead_letter_and_blocks_nobody(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "Hello."}, times=None)
    poison = await poisoned(harness, "what nobody foresaw")
    update_ids = poison + await harness.writes("and another thing")
    assert await failing_ticks(harness) == QUARANTINE_AFTER
    assert await harness.said() == [UNREADABLE, "Hello."]
    assert (await harness.messages())[0]["reply_to"] == harness.message_id - 1
    await assert_at_rest(harness, update_ids)
    (incident,) = await harness.incidents()
    assert (incident.kind, incident.update_id, incident.why) == (IncidentKind.DEAD_LETTER, poison[0], WHY)
    assert "what nobody foresaw" in incident.body
    assert incident.conversation == (await harness.backend.chats.see(harness.key)).chat.conversation != ""
    prompt = (await harness.asked())[-1]
    assert "and another thing" in prompt
    assert "what nobody foresaw" not in prompt


@pytest.mark.parametrize("how", ["named", "replied", "neither", "muted"])
async def test_in_a_group_only_who_spoke_to_the_agent_is_told_of_it(group: ChatHarness, how: str) -> None:
    harness = group
    await harness.will_plan({"kind": "send", "text": "Hello."}, times=None)
    update_ids = await harness.writes(f"@{harness.backend.username} hi")
    await harness.rests()
    (hello,) = await harness.messages()
    more = {"reply_to": hello["message_id"]} if how == "replied" else {}
    text = f"@{harness.backend.username}, a" if how in {"named", "muted"} else "a question?"
    update_ids += await poisoned(harness, text, **more)
    muted_until = harness.clock.now + 3600 * SECOND if how == "muted" else None
    chat = harness.backend.chats.client.document(f"chats/{harness.key.id}")
    await chat.update({"starts": QUARANTINE_AFTER, "muted_until": muted_until})
    await failing_ticks(harness)
    assert (await harness.said())[1:] == ([UNREADABLE] if how in {"named", "replied"} else [])
    await assert_at_rest(harness, update_ids)
    assert [i.kind for i in await harness.incidents()] == [IncidentKind.DEAD_LETTER]


async def test_of_two_in_a_row_each_is_told_before_the_next_one_kills(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "Hello."}, times=None)
    update_ids = await harness.writes("one") + await harness.writes("two")
    watched_model(harness).steps = Poisoned(harness, *update_ids)
    assert await failing_ticks(harness) == 2 * QUARANTINE_AFTER + 1
    assert [(m["text"], m["reply_to"]) for m in await harness.messages()] == [
        (UNREADABLE, harness.message_id - 1), (UNREADABLE, harness.message_id),
    ]  # fmt: skip
    await assert_at_rest(harness, update_ids)
    assert [i.kind for i in await harness.incidents()] == 2 * [IncidentKind.DEAD_LETTER]


async def test_who_wrote_what_kills_is_told_in_their_language(open_harness: OpenHarness) -> None:
    harness = await open_harness(language="uk")
    await harness.will_plan({"kind": "send", "text": "Hello."}, times=None)
    await poisoned(harness, "hi")
    await failing_ticks(harness)
    assert await harness.said() == [words_in("uk").say("apology.unreadable")]


async def test_an_update_is_quarantine_without_a_look_at_what_was_said(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "Hello."}, times=None)
    update_ids = await harness.writes("hi")
    await harness.rests()
    poison = await harness.writes("and this")
    harness.tick_services = replace(harness.tick_services, chats=Blind(harness, poison[0]))
    assert await failing_ticks(harness) == QUARANTINE_AFTER
    assert await harness.said() == ["Hello.", UNREADABLE]
    await assert_at_rest(harness, update_ids + poison)
    assert [i.kind for i in await harness.incidents()] == [IncidentKind.DEAD_LETTER]


async def test_a_plan_that_kills_ticks_is_given_up_and_who_waits_is_told(harness: ChatHarness) -> None:
    await harness.will_plan(*WITH_A_WAIT)
    update_ids = await harness.writes("hi")
    await harness.next_tick()

    class Deadly(WatchedChats):
        """A budget service that kills ticks while the plan's last message is unsent."""

        async def window(self, chat: Chat, limit: int) -> tuple[AnyEntry, ...]:
            if (await harness.plan()).tasks[-1].is_open and (await harness.document()).claim.starts <= QUARANTINE_AFTER:
                raise ZeroDivisionError
            return await super().window(chat, limit)

    harness.tick_services = replace(harness.tick_services, chats=Deadly(harness.backend.chats, Steps()))
    assert await failing_ticks(harness) == QUARANTINE_AFTER
    assert await harness.said() == ["One.", NOT_SENT]
    await assert_at_rest(harness, update_ids)
    assert [(i.kind, i.why) for i in await harness.incidents()] == [(IncidentKind.DROPPED_PLAN, WHY)]
    states = [t.state for t in (await harness.plan()).tasks if not t.is_own]
    assert states == [TaskState.DONE, TaskState.CANCELLED, TaskState.CANCELLED]
    notes = [entry["note"] for entry in await harness.transcript() if entry["type"] == "event"]
    assert notes == [f"the answer to message {harness.message_id} could not be sent"]


async def test_what_lull_says_of_it_is_given_up_without_another_word(harness: ChatHarness) -> None:
    await harness.will_plan(*WITH_A_WAIT)
    update_ids = await harness.writes("hi")
    await harness.next_tick()

    class Deadly(WatchedChats):
        """A budget service that kills ticks while a plan stands."""

        async def window(self, chat: Chat, limit: int) -> tuple[AnyEntry, ...]:
            if (await harness.plan()).is_open:
                raise ZeroDivisionError
            return await super().window(chat, limit)

    harness.tick_services = replace(harness.tick_services, chats=Deadly(harness.backend.chats, Steps()))
    assert await failing_ticks(harness) <= 2 * QUARANTINE_AFTER + 1
    assert await harness.said() == ["One."]
    await assert_at_rest(harness, update_ids)
    notes = [entry["note"] for entry in await harness.transcript() if entry["type"] == "event"]
    assert notes == [
        f"the answer to message {harness.message_id} could not be sent",
        f"nobody could be told that the answer to message {harness.message_id} could not be sent",
    ]


async def test_a_plan_that_cannot_be_read_is_kept_and_who_waits_is_told(harness: ChatHarness) -> None:
    await harness.will_plan(*WITH_A_WAIT)
    update_ids = await harness.writes("hi")
    await harness.next_tick()
    ref = harness.backend.chats.client.document(f"plans/{harness.key.id}")
    stored = (await ref.get()).to_dict() or {}
    stored["tasks"][2]["task"]["kind"] = "send_voice"  # as of a newer lull
    await ref.set(stored)
    assert await failing_ticks(harness) == 0
    assert await harness.said() == ["One.", NOT_SENT]
    await assert_at_rest(harness, update_ids)
    (incident,) = await harness.incidents()
    assert incident.kind is IncidentKind.DROPPED_PLAN
    assert [t["task"].get("text") for t in json.loads(incident.body)["tasks"]] == ["One.", None, "Two."]
    notes = [entry["note"] for entry in await harness.transcript() if entry["type"] == "event"]
    assert notes == ["what was planned could not be sent"]


async def test_a_plan_that_grew_too_large_to_be_stored_is_given_up(harness: ChatHarness) -> None:
    await harness.will_plan(*WITH_A_WAIT)
    update_ids = await harness.writes("hi")
    await harness.next_tick()
    await swell(harness)
    update_ids += await harness.writes("/help")
    ran = [wake.reason for wake in await harness.rests()]
    assert ran.count(WakeReason.NOW) == QUARANTINE_AFTER + 1
    assert (await harness.said())[:2] == ["One.", NOT_SENT]
    assert len(await harness.said()) == 3
    await assert_at_rest(harness, update_ids)
    assert [(i.kind, i.why) for i in await harness.incidents()] == [(IncidentKind.DROPPED_PLAN, WHY)]


async def swell(harness: ChatHarness) -> None:
    """Make the plan so large that Firestore can store no further change of it."""
    ref = harness.backend.chats.client.document(f"plans/{harness.key.id}")
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
    """A budget service that kills ticks while a plan stands that was not given up."""

    def __init__(self, harness: ChatHarness) -> None:
        super().__init__(harness.backend.chats, Steps())
        self.here = harness

    async def window(self, chat: Chat, limit: int) -> tuple[AnyEntry, ...]:
        plan, starts = await self.plan(chat.key), (await self.here.document()).claim.starts
        if plan is not None and plan.is_open and starts <= QUARANTINE_AFTER:
            raise ZeroDivisionError
        return await super().window(chat, limit)


async def test_whose_reminder_is_given_up_with_a_plan_is_told(harness: ChatHarness) -> None:
    one = await promised(harness)
    await harness.fault(kind="500", method="sendMessage")
    await harness.next_tick()
    harness.tick_services = replace(harness.tick_services, chats=Deadly(harness))
    assert await failing_ticks(harness) == QUARANTINE_AFTER
    await assert_told_as_lost(harness, one)


async def test_whose_instruction_kills_ticks_is_told(harness: ChatHarness) -> None:
    one = await promised(harness, text="", instruction="Time for tea!")
    await harness.will_plan({"kind": "send", "text": "Hello."}, times=None)

    class Poisonous(Steps):
        async def take(self, name: str) -> None:
            if name == "after thinking" and await harness.backend.chats.unread_count(harness.key):
                raise ZeroDivisionError

    watched_model(harness).steps = Poisonous()
    assert await failing_ticks(harness) == 1 + QUARANTINE_AFTER, "the first one wrote that the reminder is due"
    await assert_told_as_lost(harness, one)


async def assert_told_as_lost(harness: ChatHarness, one: Reminder) -> None:
    (said,) = await harness.said()
    assert "Time for tea!" in said
    assert said != "Time for tea!"
    last = (await kept_now(harness, one)).last
    assert last is not None
    assert (last.state, last.why) == (OccurrenceState.FAILED, WHY)
    assert len(await harness.incidents()) == 1


@pytest.mark.parametrize(("starts", "expected"), [(1, 200), (ONE_BY_ONE_AFTER, 200), (ONE_BY_ONE_AFTER + 1, 1)])
def test_after_some_failures_updates_are_read_one_by_one(starts: int, expected: int) -> None:
    assert batch_size(Chat(key=KEY, claim=ChatClaim(starts=starts))) == expected
