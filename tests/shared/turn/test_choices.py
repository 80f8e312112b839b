"""Choices that the agent offers: with any interruption, each is made once, told once, and removed in the end."""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta

import pytest

from shared.values.keyboard import KEPT
from shared.values.message import Author
from shared.values.update import Json
from tests.shared.examples import message_update
from tests.shared.fixtures import OpenHarness
from tests.shared.own_words import NO_BUTTON, NO_PLAN, NOT_OFFERED
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.watched import Killed

#: Telegram's account for messages in the name of a chat (core.telegram.org/bots/api#user)
ANONYMOUS = Author(id=1087968824, name="Group", is_bot=True)
OFFER: Json = {"kind": "send", "text": "Tea or coffee?", "choices": ["Tea", "Coffee"]}


async def offering(harness: ChatHarness, question: str = "I am thirsty", **more: str) -> Json:
    """Let the agent offer a choice; return the message, with the chat at rest and its steps not counted."""
    await harness.will_plan({**OFFER, **more})
    await harness.writes(question)
    await harness.rests()
    harness.steps.taken.clear()
    return [m for m in await harness.messages() if m.get("buttons")][-1]


async def chosen(harness: ChatHarness) -> list[tuple[int, str]]:
    """List the people in recorded choices, with their choice."""
    return [
        (entry["author"]["id"], entry["text"])
        for entry in await harness.transcript()
        if entry["type"] == "message" and entry["text"].startswith("chose: ")
    ]


async def at_each_step(
    open_harness: OpenHarness, happens: Callable[[ChatHarness, Json], Awaitable[None]]
) -> AsyncIterator[tuple[int, ChatHarness]]:
    """Yield a room for each step of a press and its answer, with an event at that step."""
    steps, at = 1, 0
    while at < steps:
        harness = await open_harness()
        asked = await offering(harness)
        await harness.will_plan({"kind": "send", "text": "Here you are."}, times=None)

        async def now(harness: ChatHarness = harness, asked: Json = asked) -> None:
            await happens(harness, asked)

        harness.steps.at, harness.steps.happens = at, now if at else None
        await harness.presses(asked, 0)
        await harness.rests()
        steps = steps if at else len(harness.steps.taken)
        yield at, harness
        at += 1
    assert steps >= 10


async def assert_chosen_once(harness: ChatHarness, at: int) -> None:
    assert await chosen(harness) == [(harness.person, "chose: Tea")], at
    assert (await harness.document()).talk.keyboards == ()
    assert await harness.backend.chats.unread_count(harness.key) == 0


async def test_a_tick_may_die_at_any_step(open_harness: OpenHarness) -> None:
    async def die(harness: ChatHarness, asked: Json) -> None:
        raise Killed

    async for at, harness in at_each_step(open_harness, die):
        await assert_chosen_once(harness, at)
        said = Counter(await harness.said())
        assert said["Here you are."] <= 1, at
        assert said["Here you are."] or len(await harness.incidents()) == 1, at


async def test_somebody_may_press_again_at_any_step(open_harness: OpenHarness) -> None:
    async def again(harness: ChatHarness, asked: Json) -> None:
        await harness.presses(asked, 1, forged=True)

    async for at, harness in at_each_step(open_harness, again):
        await assert_chosen_once(harness, at)
        assert not [m for m in await harness.messages() if m.get("buttons")], at
        assert NO_BUTTON in await harness.notices() or not at, at


async def test_what_is_old_goes_when_the_chat_is_next_looked_at(group: ChatHarness) -> None:
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


async def test_what_others_write_leaves_what_somebody_was_asked(group: ChatHarness) -> None:
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


async def test_buttons_that_cannot_be_taken_away_hold_nothing_up(harness: ChatHarness) -> None:
    asked = await offering(harness)
    await harness.fault(kind="500", method="editMessageText", times=20)
    await harness.will_plan({"kind": "send", "text": "Here you are."})
    await harness.presses(asked, 0)
    await harness.rests()
    assert (await harness.said())[-1] == "Here you are."
    assert await harness.incidents() == []
    await harness.presses(asked, 0)
    await harness.rests()
    assert (await harness.notices())[-1] == NO_BUTTON


async def shown_of(harness: ChatHarness, asked: Json) -> str:
    """Read the current text of a message with buttons."""
    (found,) = [m for m in await harness.messages() if m["message_id"] == asked["message_id"]]
    return str(found.get("text"))


async def test_a_message_says_what_was_chosen_there_and_by_whom(group: ChatHarness) -> None:
    asked = await offering(group, "lull, I am thirsty", text="**Tea** or coffee?")
    await group.will_plan({"kind": "send", "text": "Here you are."})
    await group.presses(asked, 1)
    await group.presses(asked, 0, forged=True)
    await group.rests()
    assert (await shown_of(group, asked)).startswith("Tea or coffee?\n\n✓ Coffee · Guest")
    (found,) = [m for m in await group.messages() if m["message_id"] == asked["message_id"]]
    assert [e["type"] for e in found["entities"]] == ["bold"]
    assert not [m for m in await group.messages() if m.get("buttons")]


async def test_without_room_in_the_message_the_choice_stands_on_a_button(harness: ChatHarness) -> None:
    asked = await offering(harness, text="x " * 2_040 + "?")
    await harness.will_plan({"kind": "send", "text": "Here you are."}, times=None)
    await harness.presses(asked, 0)
    await harness.rests()
    (found,) = [m for m in await harness.messages() if m.get("buttons")]
    assert [[b["text"] for b in row] for row in found["buttons"]] == [["✓ Tea · Guest 0"]]
    await harness.presses(found, 0)
    await harness.rests()
    assert (await harness.notices())[-1] == NO_BUTTON
    assert await chosen(harness) == [(harness.person, "chose: Tea")]


async def test_of_a_message_that_is_gone_the_choice_is_said(harness: ChatHarness) -> None:
    asked = await offering(harness)
    await harness.fault(method="editMessageText", kind="400", why="message to edit not found")
    await harness.will_plan({"kind": "send", "text": "Here you are."})
    await harness.presses(asked, 0)
    await harness.rests()
    assert (await harness.said())[-2:] == ["Here you are.", "✓ Tea · Guest 0"]
    assert await harness.incidents() == []


async def asked_as(group: ChatHarness, chat: Json, text: str) -> None:
    """Write a message in the name of a chat."""
    update = message_update(group.backend.offset + 500, text, ANONYMOUS)
    update["message"] |= {"chat": {"id": group.key.chat_id, "type": "supergroup", "title": "Tea house"}}
    update["message"] |= {"sender_chat": chat}
    await group.take(update)


@pytest.mark.parametrize(
    ("more", "is_here"),
    [({}, True), ({"choices_for": "everyone"}, True), ({}, False), ({"choices_for": "everyone"}, False)],
)
async def test_nobody_is_named_whom_the_chat_shows_by_another_name(
    open_harness: OpenHarness, more: dict[str, str], is_here: bool
) -> None:
    group = await open_harness(people=2)
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


async def test_who_writes_in_their_own_name_is_named_beside_those_who_do_not(group: ChatHarness) -> None:
    chat = {"id": group.key.chat_id, "title": "Tea house", "type": "supergroup"}
    await asked_as(group, chat, "a bird, there")
    asked = await offering(group, "lull, we are thirsty", choices_for="everyone")
    await group.will_plan({"kind": "send", "text": "Here you are."})
    await group.presses(asked, 0)
    await group.rests()
    assert "✓ Tea · Guest" in await shown_of(group, asked)


async def test_an_apology_answers_nothing(harness: ChatHarness) -> None:
    asked = await offering(harness)
    await harness.model.will({"text": "no plan", "match": f"chat_id={harness.key.chat_id} ", "times": 3})
    await harness.writes("what is the difference?")
    await harness.rests()
    assert (await harness.said())[-1] == NO_PLAN
    assert [m["message_id"] for m in await harness.messages() if m.get("buttons")] == [asked["message_id"]]
    await harness.will_plan({"kind": "send", "text": "Here you are."})
    await harness.presses(asked, 1)
    await harness.rests()
    assert await chosen(harness) == [(harness.person, "chose: Coffee")]
    assert not [m for m in await harness.messages() if m.get("buttons")]


async def offering_an_effect(harness: ChatHarness) -> Json:
    """Let the agent offer an effect that needs a press; return the message, with the chat at rest and steps not
    counted.
    """
    await harness.will_plan({"kind": "keep-zone", "zone": "Asia/Tokyo"})
    forward = message_update(77, "who reads this lives in Tokyo", Author(id=harness.person, name="Guest"))
    forward["message"]["forward_origin"] = {"type": "hidden_user", "sender_user_name": "Somebody", "date": 1}
    await harness.take(forward)
    await harness.rests()
    harness.steps.taken.clear()
    return [m for m in await harness.messages() if m.get("buttons")][-1]


async def test_an_effect_is_done_and_said_to_be_done_whenever_a_command_comes_beside_it(
    open_harness: OpenHarness,
) -> None:
    steps, at = 1, 0
    while at < steps:
        harness = await open_harness()
        asked = await offering_an_effect(harness)

        async def now(harness: ChatHarness = harness) -> None:
            await harness.writes("/title Tea")

        harness.steps.at, harness.steps.happens = at, now if at else None
        await harness.presses(asked, 0)
        await harness.rests()
        steps = steps if at else len(harness.steps.taken)
        said = [text.split(".")[0] for text in (await harness.said())[1:] if "Tea" not in text]
        assert said == ["Your time zone is Asia/Tokyo"], at
        at += 1
    assert steps >= 10
