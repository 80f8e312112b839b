"""The conversation of a chat: its title and its model, and another one that begins."""

from shared.tasks.plan import TaskState
from shared.values.incident import IncidentKind
from shared.values.update import Json
from tests.shared.fixtures import OpenRoom
from tests.shared.own_words import BEGUN, STOPPED
from tests.shared.turn.room import Room
from tests.shared.turn.scenes import assert_at_rest
from tests.shared.turn.watched import Killed

SEND = {"kind": "send", "text": "Hello."}
WAIT = {"kind": "wait", "seconds": 60}


async def conversation_of(here: Room, name: str = "") -> Json:
    """The document of a conversation, by default the current one."""
    name = name or (await here.document()).conversation
    return (await here.house.chats.client.document(f"conversations/{name}").get()).to_dict() or {}


async def test_in_the_middle_of_a_plan_the_rest_goes_on(here: Room) -> None:
    await here.will_plan({"kind": "send", "text": "One."}, WAIT, {"kind": "send", "text": "Two."})
    update_ids = await here.writes("count")
    await here.next_tick()
    update_ids += await here.writes("/title Counting")
    await here.rests()
    assert await here.said() == ["One.", "This conversation is now called Counting.", "Two."]
    await assert_at_rest(here, update_ids)
    found = await conversation_of(here)
    assert (found["title"], found["manually_named"]) == ("Counting", True)


async def test_another_conversation_begins_with_an_empty_window_and_the_old_one_is_kept(here: Room) -> None:
    await here.will_plan(SEND, times=None)
    await here.writes("my cat is called Tom")
    await here.rests()
    await here.writes("/title Cats")
    await here.rests()
    old = await here.document()
    kept = await here.transcript()
    await here.writes("/new")
    await here.rests()
    new = await here.document()
    assert new.conversation not in {"", old.conversation}
    assert (await here.said())[-1] == BEGUN
    await here.writes("who is it?")
    await here.rests()
    assert "Tom" not in (await here.asked())[-1]
    entries = await here.transcript()
    assert [entry["seq"] for entry in entries] == [1, 2, 3]
    assert [entry["text"] for entry in entries] == [BEGUN, "who is it?", "Hello."]
    assert "title" not in await conversation_of(here)
    found = await conversation_of(here, old.conversation)
    assert (found["title"], found["entries"]) == ("Cats", old.talk.seq + 1)
    pages = await here.house.chats.client.collection(f"conversations/{old.conversation}/messages").get()
    entries = [entry for page in pages for entry in (page.to_dict() or {})["entries"]]
    assert entries[:-1] == kept
    assert entries[-1]["text"] == "/new"
    (titled,) = [entry for entry in kept if entry["type"] == "event"]
    assert (titled["kind"], titled["title"], kept[titled["seq"] - 2]["text"]) == (
        "title_assigned",
        "Cats",
        "/title Cats",
    )


async def test_what_was_planned_or_waited_belongs_to_the_conversation_that_is_left(here: Room) -> None:
    await here.will_plan({"kind": "send", "text": "One."}, WAIT, {"kind": "send", "text": "Two."})
    await here.writes("count")
    await here.next_tick()
    await here.writes("and further")
    await here.writes("/new")
    await here.writes("/title Tea")
    await here.rests()
    assert await here.said() == ["One.", BEGUN, "This conversation is now called Tea."]
    assert len(await here.asked()) == 1
    assert {task.state for task in (await here.plan()).tasks} == {TaskState.DONE, TaskState.CANCELLED}
    assert (await conversation_of(here))["title"] == "Tea"


async def test_the_chosen_model_answers_from_then_on(here: Room) -> None:
    await here.will_plan(SEND, times=None)
    await here.writes("/model lite")
    await here.rests()
    await here.writes("hi")
    await here.rests()
    assert [call.model for call in (await here.plan()).calls] == ["scripted-lite"]
    await here.writes("/new")
    await here.rests()
    assert (await here.document()).talk.model == "scripted-lite", "the next conversation inherits it"
    assert (await conversation_of(here))["model"] == "scripted-lite"


async def test_a_command_while_the_model_thinks_comes_before_the_rest(here: Room) -> None:
    await here.will_plan({"kind": "send", "text": "One."}, {"kind": "send", "text": "Two."})

    async def stop() -> None:
        await here.writes("/new")

    await here.writes("count")
    here.steps.at, here.steps.happens = 4, stop
    await here.rests()
    assert here.steps.taken[4] == "after thinking"
    assert await here.said() == [BEGUN]
    assert STOPPED not in await here.said()


async def test_a_tick_may_die_at_any_step_of_beginning_another_conversation(rooms: OpenRoom) -> None:
    async def titled() -> Room:
        here = await rooms()
        await here.writes("/title Tea")
        await here.rests()
        here.steps.taken.clear()
        return here

    async def die() -> None:
        raise Killed

    first = await titled()
    await first.writes("/new")
    await first.rests()
    assert len(first.steps.taken) >= 8
    for at in range(len(first.steps.taken)):
        here = await titled()
        old = (await here.document()).conversation
        here.steps.at, here.steps.happens = at, die
        await here.writes("/new")
        await here.rests()
        chat = await here.document()
        assert (chat.conversation != old, chat.claim.lease, chat.due_at, chat.talk.conversation_title) == (
            True,
            None,
            None,
            "",
        ), at
        pages = await here.house.chats.client.collection(f"conversations/{old}/messages").order_by("first_seq").get()
        entries = [entry for page in pages for entry in (page.to_dict() or {})["entries"]]
        texts = [entry["text"] for entry in entries if entry["type"] == "message"]
        assert texts == ["/title Tea", "This conversation is now called Tea.", "/new"], at
        lost = sum(incident.kind is IncidentKind.UNKNOWN_DELIVERY for incident in await here.incidents())
        assert 1 - lost <= (await here.said()).count(BEGUN) <= 1, at
