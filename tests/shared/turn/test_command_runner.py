"""Commands in a chat: what they change, what is said, and what goes on."""

import logging

import pytest

from shared.values.access_action import FOREVER
from shared.values.incident import IncidentKind
from shared.values.update import Json
from shared.values.wake import WakeReason
from tests.shared.own_words import NO_BUTTON, OTHER_CONVERSATION, UNMUTED
from tests.shared.turn.room import Room
from tests.shared.turn.scenes import assert_at_rest

SEND = {"kind": "send", "text": "Hello."}
WAIT = {"kind": "wait", "seconds": 60}
ALL = ["/start", "/help", "/new", "/model", "/stop", "/mute", "/unmute", "/title", "/whoami", "/claim", "/nothing"]


@pytest.mark.parametrize("command", ALL)
async def test_each_is_answered_without_the_model(here: Room, command: str) -> None:
    await here.writes(command)
    wakes = await here.rests()
    assert len(await here.said()) == 1
    assert await here.asked() == []
    assert [wake.at for wake in wakes] == [here.clock.now], "with no quiet time"


async def test_what_is_logged_of_a_command_is_no_word_of_a_persons(
    here: Room, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "lull")
    await here.writes("/hunter2_is_my_password and so on")
    await here.writes("/title My secret")
    await here.rests()
    assert len(await here.said()) == 2
    logged = [(line.getMessage(), *vars(line).get("fields", {}).values()) for line in caplog.records]
    assert {"runs an unknown command", "runs /title"} <= {line[0] for line in logged}
    assert not any(word in str(logged) for word in ("hunter2", "My secret"))


async def test_who_starts_twice_before_anybody_looks_is_greeted_once(here: Room) -> None:
    update_ids = await here.writes("/start") + await here.writes("/start again")
    await here.rests()
    assert len(await here.said()) == 1
    assert await here.asked() == []
    await assert_at_rest(here, update_ids)


async def test_a_path_is_no_command(here: Room) -> None:
    await here.will_plan(SEND)
    update_ids = await here.writes("/etc/passwd is what?")
    await here.rests()
    assert await here.said() == ["Hello."]
    await assert_at_rest(here, update_ids)


async def test_several_at_once_are_answered_in_their_order(here: Room) -> None:
    update_ids = await here.writes("/title Tea") + await here.writes("/title") + await here.writes("/stop")
    await here.rests()
    assert await here.said() == [
        "This conversation is now called Tea.",
        "This conversation is called Tea.",
        "There's nothing to stop.",
    ]
    await assert_at_rest(here, update_ids)


async def test_an_answer_that_telegram_failed_at_is_sent_later(here: Room) -> None:
    await here.fault(kind="500", method="sendMessage", times=2)
    update_ids = await here.writes("/help")
    assert [wake.reason for wake in await here.rests()] == [WakeReason.NOW, WakeReason.DUE, WakeReason.DUE]
    assert len(await here.said()) == 1
    assert await here.incidents() == []
    await assert_at_rest(here, update_ids)


async def test_an_answer_that_cannot_be_sent_is_said_to_be_lost(here: Room) -> None:
    await here.fault(kind="500", method="sendMessage", times=3)
    update_ids = await here.writes("/help")
    await here.rests()
    assert await here.said() == []
    assert [incident.kind for incident in await here.incidents()] == [IncidentKind.DROPPED_PLAN]
    notes = [entry["note"] for entry in await here.transcript() if entry["type"] == "event"]
    assert notes == ["the answer to a command could not be sent"]
    await assert_at_rest(here, update_ids)


async def test_answers_stay_in_their_order_when_one_has_to_wait(here: Room) -> None:
    await here.fault(kind="500", method="sendMessage", times=1)
    update_ids = await here.writes("/title Tea") + await here.writes("/title")
    await here.next_tick()
    assert await here.said() == []
    update_ids += await here.writes("/title Coffee")
    await here.rests()
    assert await here.said() == [
        "This conversation is now called Tea.",
        "This conversation is called Tea.",
        "This conversation is now called Coffee.",
    ]
    await assert_at_rest(here, update_ids)


async def test_an_older_choice_is_never_shown_after_a_newer_one(here: Room) -> None:
    await here.writes("/model")
    await here.rests()
    (asked,) = await here.messages()
    await here.fault(kind="500", method="editMessageText", times=1)
    await here.presses(asked, 1)
    await here.presses(asked, 0)
    await here.rests()
    (shown,) = await here.messages()
    assert shown["text"] == "This conversation now uses scripted."
    assert (await here.document()).talk.model == "scripted"


async def test_a_choice_that_is_shown_already_is_no_failure(here: Room) -> None:
    await here.writes("/model")
    await here.rests()
    (asked,) = await here.messages()
    for _ in range(2):
        await here.presses(asked, 1)
        await here.writes("/model scripted")
        await here.rests()
    assert (await here.messages())[0]["text"] == "This conversation now uses scripted-lite."
    assert await here.incidents() == []
    assert "event" not in [entry["type"] for entry in await here.transcript()]


async def test_a_button_is_answered_and_its_message_shows_the_choice(here: Room) -> None:
    await here.writes("/model")
    await here.rests()
    (asked,) = await here.messages()
    assert [row[0]["text"] for row in asked["buttons"]] == ["✓ scripted", "scripted-lite"]
    before = len(await here.notices())
    await here.presses(asked, 1)
    await here.presses(asked, 1)
    await here.rests()
    chosen = "This conversation now uses scripted-lite."
    assert (await here.notices())[before:] == [chosen, "This conversation already uses scripted-lite."]
    (shown,) = await here.messages()
    assert (shown["text"], [row[0]["text"] for row in shown["buttons"]]) == (chosen, ["scripted", "✓ scripted-lite"])
    assert (await here.document()).talk.model == "scripted-lite"
    entries = await here.transcript()
    assert [e["type"] for e in entries] == ["message", "message", "press", "press", "edit"]
    assert (entries[-1]["text"], entries[-1]["author"]["is_agent"]) == (chosen, True)
    assert await here.incidents() == []


async def test_a_button_of_another_conversation_changes_nothing(here: Room) -> None:
    await here.writes("/model")
    await here.rests()
    (asked,) = await here.messages()
    await here.writes("/new")
    await here.rests()
    before = len(await here.notices())
    await here.presses(asked, 1)
    await here.rests()
    assert (await here.notices())[before:] == [OTHER_CONVERSATION]
    assert (await here.document()).talk.model == ""


async def test_a_press_that_comes_too_late_stops_nothing_else(here: Room) -> None:
    await here.will_plan({"kind": "send", "text": "One."}, WAIT, {"kind": "send", "text": "Two."})
    await here.writes("count")
    await here.next_tick()
    press: Json = {
        "id": "1",
        "from": {"id": here.person, "is_bot": False, "first_name": "Ann"},
        "message": {"message_id": 1, "date": 0, "chat": {"id": here.key.chat_id, "type": "private"}},
        "chat_instance": "1",
        "data": "y:42",
    }
    await here.take({"update_id": 1, "callback_query": press})
    before = len(await here.notices())
    await here.rests()
    assert NO_BUTTON not in (await here.notices())[before:], "Telegram takes no answer any more"
    assert await here.said() == ["One.", "Two."]
    assert await here.incidents() == []


async def test_a_muted_chat_is_silent_but_for_commands(here: Room) -> None:
    await here.will_plan(SEND, times=None)
    await here.writes("/mute 2h")
    await here.rests()
    await here.writes("are you there?")
    await here.writes("/nothing")
    await here.rests()
    reasons = [e["decision"]["reason"] for e in await here.transcript() if e.get("decision")]
    assert reasons[-2:] == ["the chat is muted"] * 2
    await here.writes("/unmute")
    await here.rests()
    await here.writes("and now?")
    await here.rests()
    assert (await here.said())[1:] == [UNMUTED, "Hello."]


async def test_a_silence_ends_by_itself(here: Room) -> None:
    await here.will_plan(SEND, times=None)
    await here.writes("/mute 1m")
    await here.rests()
    until = (await here.document()).access.muted_until
    assert until is not None
    here.clock.now = until
    await here.writes("and now?")
    await here.rests()
    assert (await here.said())[1:] == ["Hello."]


async def test_muting_ends_what_was_planned(here: Room) -> None:
    await here.will_plan(WAIT, SEND)
    await here.writes("hi")
    await here.next_tick()
    await here.writes("/mute")
    await here.rests()
    assert len(await here.said()) == 1
    assert (await here.document()).access.muted_until == FOREVER


async def test_in_a_group_a_mention_in_a_muted_chat_stays_unanswered(group: Room) -> None:
    name = group.house.username
    await group.writes(f"/mute@{name}")
    await group.rests()
    await group.writes(f"@{name} hello?", **{"from": group.others[0]})
    await group.writes(f"/help@{name}", **{"from": group.others[0]})
    await group.rests()
    assert len(await group.said()) == 2
    assert await group.asked() == []


async def test_what_is_the_administrators_is_refused_to_others(group: Room) -> None:
    name, other = group.house.username, {"from": group.others[0]}
    await group.writes(f"/model@{name} lite", **other)
    await group.rests()
    assert await group.said() == ["Only administrators of this group can use /model."]
    assert (await group.messages())[0]["reply_to"] == group.message_id
    await group.writes(f"/model@{name}")
    await group.rests()
    asked = (await group.messages())[-1]
    before = len(await group.notices())
    await group.presses(asked, 1, **other)
    await group.rests()
    assert (await group.notices())[before:] == ["Only administrators of this group can use /model."]
    assert (await group.document()).talk.model == ""
    await group.presses(asked, 1)
    await group.rests()
    assert (await group.document()).talk.model == "scripted-lite"


async def test_somebody_who_is_no_administrator_ends_nothing(group: Room) -> None:
    name = group.house.username
    await group.will_plan({"kind": "send", "text": "One."}, WAIT, {"kind": "send", "text": "Two."})
    await group.writes(f"@{name} count")
    while (await group.document()).due_at is None:
        await group.next_tick()
    before = (await group.document()).conversation
    await group.writes(f"/new@{name}", **{"from": group.others[0]})
    await group.rests()
    assert await group.said() == ["One.", "Only administrators of this group can use /new.", "Two."]
    assert (await group.document()).conversation == before


async def test_when_telegram_does_not_say_who_administers_it_is_refused(group: Room) -> None:
    await group.fault(method="getChatMember", kind="500")
    await group.writes(f"/title@{group.house.username} Tea")
    await group.rests()
    (said,) = await group.said()
    assert said.startswith("I couldn't check whether you're an administrator of this group.")
    assert (await group.document()).talk.conversation_title == ""


async def test_another_bots_command_and_an_unknown_one_are_left_alone_in_a_group(group: Room) -> None:
    await group.writes("/help@other_bot")
    await group.writes("/nothing")
    await group.rests()
    assert await group.said() == []
    await group.writes(f"/nothing@{group.house.username}")
    await group.rests()
    assert await group.said() == ["I don't know the command /nothing. Send /help to see all commands."]


async def test_an_edited_command_is_not_run(here: Room) -> None:
    await here.writes("/title Tea")
    await here.rests()
    body = {"from": here.person, "text": "/title Coffee"}
    place = f"/world/chats/{here.chat}/messages/{here.message_id}"
    (await here.house.telegram.patch(place, json=body)).raise_for_status()
    await here.arrive()
    await here.rests()
    assert (await here.document()).talk.conversation_title == "Tea"
    assert len(await here.said()) == 1


async def test_what_was_answered_beside_a_plan_that_stands_is_not_kept_in_it(here: Room) -> None:
    await here.will_plan(SEND, WAIT, SEND)
    update_ids = await here.writes("hi")
    await here.next_tick()
    for _ in range(3):
        update_ids += await here.writes("/help")
        await here.next_tick()
    assert [task.is_own for task in (await here.plan()).tasks] == [True, False, False, False]
    await here.rests()
    assert len(await here.said()) == 5
    await assert_at_rest(here, update_ids)
