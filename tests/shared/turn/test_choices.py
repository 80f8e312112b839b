"""What the agent offers to choose, whatever happens in between: chosen once, told once, and gone in the end."""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta

import pytest

from shared.values.keyboard import KEPT
from shared.values.message import Author
from shared.values.update import Json
from tests.shared.examples import message_update
from tests.shared.fixtures import OpenRoom
from tests.shared.own_words import NO_BUTTON, NO_PLAN, NOT_OFFERED
from tests.shared.turn.room import Room
from tests.shared.turn.watched import Killed

#: who stands in Telegram for those who write in a chat's name (core.telegram.org/bots/api#user)
ANONYMOUS = Author(id=1087968824, name="Group", is_bot=True)
OFFER: Json = {"kind": "send", "text": "Tea or coffee?", "choices": ["Tea", "Coffee"]}


async def offering(here: Room, question: str = "I am thirsty", **more: str) -> Json:
    """The message with the buttons, the chat at rest, its steps uncounted."""
    await here.will_plan({**OFFER, **more})
    await here.writes(question)
    await here.rests()
    here.steps.taken.clear()
    return [m for m in await here.messages() if m.get("buttons")][-1]


async def chosen(here: Room) -> list[tuple[int, str]]:
    """Who said that they chose something, and what."""
    return [
        (entry["author"]["id"], entry["text"])
        for entry in await here.transcript()
        if entry["type"] == "message" and entry["text"].startswith("chose: ")
    ]


async def at_each_step(
    rooms: OpenRoom, happens: Callable[[Room, Json], Awaitable[None]]
) -> AsyncIterator[tuple[int, Room]]:
    """A room for each step that a press and its answer take, in which something happened at that step."""
    steps, at = 1, 0
    while at < steps:
        here = await rooms()
        asked = await offering(here)
        await here.will_plan({"kind": "send", "text": "Here you are."}, times=None)

        async def now(here: Room = here, asked: Json = asked) -> None:
            await happens(here, asked)

        here.steps.at, here.steps.happens = at, now if at else None
        await here.presses(asked, 0)
        await here.rests()
        steps = steps if at else len(here.steps.taken)
        yield at, here
        at += 1
    assert steps >= 10


async def assert_chosen_once(here: Room, at: int) -> None:
    assert await chosen(here) == [(here.person, "chose: Tea")], at
    assert (await here.document()).talk.keyboards == ()
    assert await here.house.chats.unread_count(here.key) == 0


async def test_a_tick_may_die_at_any_step(rooms: OpenRoom) -> None:
    async def die(here: Room, asked: Json) -> None:
        raise Killed

    async for at, here in at_each_step(rooms, die):
        await assert_chosen_once(here, at)
        said = Counter(await here.said())
        assert said["Here you are."] <= 1, at
        assert said["Here you are."] or len(await here.incidents()) == 1, at


async def test_somebody_may_press_again_at_any_step(rooms: OpenRoom) -> None:
    async def again(here: Room, asked: Json) -> None:
        await here.presses(asked, 1, forged=True)

    async for at, here in at_each_step(rooms, again):
        await assert_chosen_once(here, at)
        assert not [m for m in await here.messages() if m.get("buttons")], at
        assert NO_BUTTON in await here.notices() or not at, at


async def test_what_is_old_goes_when_the_chat_is_next_looked_at(group: Room) -> None:
    asked = await offering(group, "lull, I am thirsty")
    assert (await group.document()).talk.keyboards[0].message_id == asked["message_id"]
    group.clock.now += KEPT - timedelta(hours=1)
    await group.writes("a bird, there", **{"from": group.others[0]})
    await group.rests()
    assert [m for m in await group.messages() if m.get("buttons")]
    group.clock.now += timedelta(hours=1)
    assert (await group.presses(asked, 0)) != []
    await group.rests()
    assert (await group.notices())[-1] == NO_BUTTON
    assert not [m for m in await group.messages() if m.get("buttons")]
    assert (await group.document()).talk.keyboards == ()


async def test_what_others_write_leaves_what_somebody_was_asked(group: Room) -> None:
    asked = await offering(group, "lull, I am thirsty")
    await group.will_plan({"kind": "send", "text": "Hello."})
    await group.writes("lull, hello", **{"from": group.others[0]})
    await group.rests()
    assert [m["message_id"] for m in await group.messages() if m.get("buttons")] == [asked["message_id"]]
    await group.presses(asked, 0, **{"from": group.others[0]})
    await group.rests()
    assert (await group.notices())[-1] == NOT_OFFERED
    await group.writes("/mute 1h")
    await group.rests()
    await group.presses(asked, 0)
    await group.rests()
    assert await chosen(group) == [(group.person, "chose: Tea")]
    assert (await group.said())[-1] != "Hello again."
    assert not [m for m in await group.messages() if m.get("buttons")]


async def test_buttons_that_cannot_be_taken_away_hold_nothing_up(here: Room) -> None:
    asked = await offering(here)
    await here.fault(kind="500", method="editMessageText", times=20)
    await here.will_plan({"kind": "send", "text": "Here you are."})
    await here.presses(asked, 0)
    await here.rests()
    assert (await here.said())[-1] == "Here you are."
    assert await here.incidents() == []
    await here.presses(asked, 0)
    await here.rests()
    assert (await here.notices())[-1] == NO_BUTTON


async def shown_of(here: Room, asked: Json) -> str:
    """The text of a message with buttons, as it reads now."""
    (found,) = [m for m in await here.messages() if m["message_id"] == asked["message_id"]]
    return str(found.get("text"))


async def test_a_message_says_what_was_chosen_there_and_by_whom(group: Room) -> None:
    asked = await offering(group, "lull, I am thirsty", text="**Tea** or coffee?")
    await group.will_plan({"kind": "send", "text": "Here you are."})
    await group.presses(asked, 1)
    await group.presses(asked, 0, forged=True)
    await group.rests()
    assert (await shown_of(group, asked)).startswith("Tea or coffee?\n\n✓ Coffee · Guest")
    (found,) = [m for m in await group.messages() if m["message_id"] == asked["message_id"]]
    assert [e["type"] for e in found["entities"]] == ["bold"]
    assert not [m for m in await group.messages() if m.get("buttons")]


async def test_without_room_in_the_message_the_choice_stands_on_a_button(here: Room) -> None:
    asked = await offering(here, text="x " * 2_040 + "?")
    await here.will_plan({"kind": "send", "text": "Here you are."}, times=None)
    await here.presses(asked, 0)
    await here.rests()
    (found,) = [m for m in await here.messages() if m.get("buttons")]
    assert [[b["text"] for b in row] for row in found["buttons"]] == [["✓ Tea · Guest 0"]]
    await here.presses(found, 0)
    await here.rests()
    assert (await here.notices())[-1] == NO_BUTTON
    assert await chosen(here) == [(here.person, "chose: Tea")]


async def test_of_a_message_that_is_gone_the_choice_is_said(here: Room) -> None:
    asked = await offering(here)
    await here.fault(method="editMessageText", kind="400", why="message to edit not found")
    await here.will_plan({"kind": "send", "text": "Here you are."})
    await here.presses(asked, 0)
    await here.rests()
    assert (await here.said())[-2:] == ["Here you are.", "✓ Tea · Guest 0"]
    assert await here.incidents() == []


async def asked_as(group: Room, chat: Json, text: str) -> None:
    """Somebody writes in the name of a chat."""
    update = message_update(group.house.offset + 500, text, ANONYMOUS)
    update["message"] |= {"chat": {"id": group.key.chat_id, "type": "supergroup", "title": "Tea house"}}
    update["message"] |= {"sender_chat": chat}
    await group.take(update)


@pytest.mark.parametrize(
    ("more", "is_here"),
    [({}, True), ({"choices_for": "everyone"}, True), ({}, False), ({"choices_for": "everyone"}, False)],
)
async def test_nobody_is_named_whom_the_chat_shows_by_another_name(
    rooms: OpenRoom, more: dict[str, str], is_here: bool
) -> None:
    group = await rooms(people=2)
    chat: Json = {"id": group.key.chat_id, "title": "Tea house", "type": "supergroup"}
    if not is_here:
        chat = {"id": -1009876543210, "title": "Tea news", "type": "channel"}
    await group.will_plan({**OFFER, **more})
    await asked_as(group, chat, "lull, I am thirsty")
    await group.rests()
    asked = [m for m in await group.messages() if m.get("buttons")][-1]
    await group.will_plan({"kind": "send", "text": "Here you are."})
    await group.presses(asked, 0)
    await group.rests()
    shown = await shown_of(group, asked)
    assert "\n\n✓ Tea" in shown
    assert "Guest" not in shown
    assert more or shown.endswith(f" · {chat['title']}")


async def test_who_writes_in_their_own_name_is_named_beside_those_who_do_not(group: Room) -> None:
    chat = {"id": group.key.chat_id, "title": "Tea house", "type": "supergroup"}
    await asked_as(group, chat, "a bird, there")
    asked = await offering(group, "lull, we are thirsty", choices_for="everyone")
    await group.will_plan({"kind": "send", "text": "Here you are."})
    await group.presses(asked, 0)
    await group.rests()
    assert "✓ Tea · Guest" in await shown_of(group, asked)


async def test_an_apology_answers_nothing(here: Room) -> None:
    asked = await offering(here)
    await here.model.will({"text": "no plan", "match": f"chat_id={here.key.chat_id} ", "times": 3})
    await here.writes("what is the difference?")
    await here.rests()
    assert (await here.said())[-1] == NO_PLAN
    assert [m["message_id"] for m in await here.messages() if m.get("buttons")] == [asked["message_id"]]
    await here.will_plan({"kind": "send", "text": "Here you are."})
    await here.presses(asked, 1)
    await here.rests()
    assert await chosen(here) == [(here.person, "chose: Coffee")]
    assert not [m for m in await here.messages() if m.get("buttons")]


async def offering_an_effect(here: Room) -> Json:
    """The message with the button for what a plan may not do by itself; the chat at rest, its steps uncounted."""
    await here.will_plan({"kind": "keep-zone", "zone": "Asia/Tokyo"})
    forward = message_update(77, "who reads this lives in Tokyo", Author(id=here.person, name="Guest"))
    forward["message"]["forward_origin"] = {"type": "hidden_user", "sender_user_name": "Somebody", "date": 1}
    await here.take(forward)
    await here.rests()
    here.steps.taken.clear()
    return [m for m in await here.messages() if m.get("buttons")][-1]


async def test_an_effect_is_done_and_said_to_be_done_whenever_a_command_comes_beside_it(rooms: OpenRoom) -> None:
    steps, at = 1, 0
    while at < steps:
        here = await rooms()
        asked = await offering_an_effect(here)

        async def now(here: Room = here) -> None:
            await here.writes("/title Tea")

        here.steps.at, here.steps.happens = at, now if at else None
        await here.presses(asked, 0)
        await here.rests()
        steps = steps if at else len(here.steps.taken)
        said = [text.split(",")[0] for text in (await here.said())[1:] if "called Tea" not in text]
        assert said == ["Your time zone is Asia/Tokyo"], at
        at += 1
    assert steps >= 10
