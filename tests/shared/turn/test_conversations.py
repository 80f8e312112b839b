"""The conversation of a chat: its title and its model, and another one that begins."""

from shared.tasks.plan import TaskState
from shared.values.incident import IncidentKind
from shared.values.update import Json
from tests.shared.fixtures import OpenHarness
from tests.shared.own_words import BEGUN, STOPPED
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.scenes import assert_at_rest
from tests.shared.turn.watched import Killed

SEND = {"kind": "send", "text": "Hello."}
WAIT = {"kind": "wait", "seconds": 60}


async def conversation_of(harness: ChatHarness, name: str = "") -> Json:
    """The document of a conversation, by default the current one."""
    name = name or (await harness.document()).conversation
    return (await harness.backend.chats.client.document(f"conversations/{name}").get()).to_dict() or {}


async def test_in_the_middle_of_a_plan_the_rest_goes_on(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "One."}, WAIT, {"kind": "send", "text": "Two."})
    update_ids = await harness.writes("count")
    await harness.next_tick()
    update_ids += await harness.writes("/title Counting")
    await harness.rests()
    assert await harness.said() == ["One.", "This conversation is now called Counting.", "Two."]
    await assert_at_rest(harness, update_ids)
    found = await conversation_of(harness)
    assert (found["title"], found["manually_named"]) == ("Counting", True)


async def test_another_conversation_begins_with_an_empty_window_and_the_old_one_is_kept(harness: ChatHarness) -> None:
    await harness.will_plan(SEND, times=None)
    await harness.writes("my cat is called Tom")
    await harness.rests()
    await harness.writes("/title Cats")
    await harness.rests()
    old = await harness.document()
    kept = await harness.transcript()
    await harness.writes("/new")
    await harness.rests()
    new = await harness.document()
    assert new.conversation not in {"", old.conversation}
    assert (await harness.said())[-1] == BEGUN
    await harness.writes("who is it?")
    await harness.rests()
    assert "Tom" not in (await harness.asked())[-1]
    entries = await harness.transcript()
    assert [entry["seq"] for entry in entries] == [1, 2, 3]
    assert [entry["text"] for entry in entries] == [BEGUN, "who is it?", "Hello."]
    assert "title" not in await conversation_of(harness)
    found = await conversation_of(harness, old.conversation)
    assert (found["title"], found["entries"]) == ("Cats", old.talk.seq + 1)
    pages = await harness.backend.chats.client.collection(f"conversations/{old.conversation}/messages").get()
    entries = [entry for page in pages for entry in (page.to_dict() or {})["entries"]]
    assert entries[:-1] == kept
    assert entries[-1]["text"] == "/new"
    (titled,) = [entry for entry in kept if entry["type"] == "event"]
    assert (titled["kind"], titled["title"], kept[titled["seq"] - 2]["text"]) == (
        "title_assigned",
        "Cats",
        "/title Cats",
    )


async def test_what_was_planned_or_waited_belongs_to_the_conversation_that_is_left(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "One."}, WAIT, {"kind": "send", "text": "Two."})
    await harness.writes("count")
    await harness.next_tick()
    await harness.writes("and further")
    await harness.writes("/new")
    await harness.writes("/title Tea")
    await harness.rests()
    assert await harness.said() == ["One.", BEGUN, "This conversation is now called Tea."]
    assert len(await harness.asked()) == 1
    assert {task.state for task in (await harness.plan()).tasks} == {TaskState.DONE, TaskState.CANCELLED}
    assert (await conversation_of(harness))["title"] == "Tea"


async def test_the_chosen_model_answers_from_then_on(harness: ChatHarness) -> None:
    await harness.will_plan(SEND, times=None)
    await harness.writes("/model lite")
    await harness.rests()
    await harness.writes("hi")
    await harness.rests()
    assert [call.model for call in (await harness.plan()).calls] == ["scripted-lite"]
    await harness.writes("/new")
    await harness.rests()
    assert (await harness.document()).talk.model == "scripted-lite", "the next conversation inherits it"
    assert (await conversation_of(harness))["model"] == "scripted-lite"


async def test_a_command_while_the_model_thinks_comes_before_the_rest(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "One."}, {"kind": "send", "text": "Two."})

    async def stop() -> None:
        await harness.writes("/new")

    await harness.writes("count")
    harness.steps.at, harness.steps.happens = 4, stop
    await harness.rests()
    assert harness.steps.taken[4] == "after thinking"
    assert await harness.said() == [BEGUN]
    assert STOPPED not in await harness.said()


async def test_a_tick_may_die_at_any_step_of_beginning_another_conversation(open_harness: OpenHarness) -> None:
    async def titled() -> ChatHarness:
        harness = await open_harness()
        await harness.writes("/title Tea")
        await harness.rests()
        harness.steps.taken.clear()
        return harness

    async def die() -> None:
        raise Killed

    first = await titled()
    await first.writes("/new")
    await first.rests()
    assert len(first.steps.taken) >= 8
    for at in range(len(first.steps.taken)):
        harness = await titled()
        old = (await harness.document()).conversation
        harness.steps.at, harness.steps.happens = at, die
        await harness.writes("/new")
        await harness.rests()
        chat = await harness.document()
        assert (chat.conversation != old, chat.claim.lease, chat.due_at, chat.talk.conversation_title) == (
            True,
            None,
            None,
            "",
        ), at
        pages = (
            await harness.backend.chats.client.collection(f"conversations/{old}/messages").order_by("first_seq").get()
        )
        entries = [entry for page in pages for entry in (page.to_dict() or {})["entries"]]
        texts = [entry["text"] for entry in entries if entry["type"] == "message"]
        assert texts == ["/title Tea", "This conversation is now called Tea.", "/new"], at
        lost = sum(incident.kind is IncidentKind.UNKNOWN_DELIVERY for incident in await harness.incidents())
        assert 1 - lost <= (await harness.said()).count(BEGUN) <= 1, at
