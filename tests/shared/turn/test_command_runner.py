"""Commands in a chat: their changes, their responses, and the tasks that continue."""

import logging

import pytest

from shared.values.access_action import FOREVER
from shared.values.incident import IncidentKind
from shared.values.update import Json
from shared.values.wake import WakeReason
from tests.shared.own_words import NO_BUTTON, OTHER_CONVERSATION, UNMUTED
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.scenes import assert_at_rest

SEND = {"kind": "send", "text": "Hello."}
WAIT = {"kind": "wait", "seconds": 60}
ALL = ["/start", "/help", "/new", "/model", "/stop", "/mute", "/unmute", "/title", "/whoami", "/claim", "/nothing"]


@pytest.mark.parametrize("command", ALL)
async def test_each_is_answered_without_the_model(harness: ChatHarness, command: str) -> None:
    await harness.writes(command)
    wakes = await harness.rests()
    assert len(await harness.said()) == 1
    assert await harness.asked() == []
    assert [wake.at for wake in wakes] == [harness.clock.now], "with no quiet time"


async def test_what_is_logged_of_a_command_is_no_word_of_a_persons(
    harness: ChatHarness, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "lull")
    await harness.writes("/hunter2_is_my_password and so on")
    await harness.writes("/title My secret")
    await harness.rests()
    assert len(await harness.said()) == 2
    logged = [(line.getMessage(), *vars(line).get("fields", {}).values()) for line in caplog.records]
    assert {"runs an unknown command", "runs /title"} <= {line[0] for line in logged}
    assert not any(word in str(logged) for word in ("hunter2", "My secret"))


async def test_who_starts_twice_before_anybody_looks_is_greeted_once(harness: ChatHarness) -> None:
    update_ids = await harness.writes("/start") + await harness.writes("/start again")
    await harness.rests()
    assert len(await harness.said()) == 1
    assert await harness.asked() == []
    await assert_at_rest(harness, update_ids)


async def test_a_path_is_no_command(harness: ChatHarness) -> None:
    await harness.will_plan(SEND)
    update_ids = await harness.writes("/etc/passwd is what?")
    await harness.rests()
    assert await harness.said() == ["Hello."]
    await assert_at_rest(harness, update_ids)


async def test_several_at_once_are_answered_in_their_order(harness: ChatHarness) -> None:
    update_ids = await harness.writes("/title Tea") + await harness.writes("/title") + await harness.writes("/stop")
    await harness.rests()
    assert await harness.said() == [
        "This conversation is now called Tea.",
        "This conversation is called Tea.",
        "There's nothing to stop.",
    ]
    await assert_at_rest(harness, update_ids)


async def test_an_answer_that_telegram_failed_at_is_sent_later(harness: ChatHarness) -> None:
    await harness.fault(kind="500", method="sendMessage", times=2)
    update_ids = await harness.writes("/help")
    assert [wake.reason for wake in await harness.rests()] == [WakeReason.NOW, WakeReason.DUE, WakeReason.DUE]
    assert len(await harness.said()) == 1
    assert await harness.incidents() == []
    await assert_at_rest(harness, update_ids)


async def test_an_answer_that_cannot_be_sent_is_said_to_be_lost(harness: ChatHarness) -> None:
    await harness.fault(kind="500", method="sendMessage", times=3)
    update_ids = await harness.writes("/help")
    await harness.rests()
    assert await harness.said() == []
    assert [incident.kind for incident in await harness.incidents()] == [IncidentKind.DROPPED_PLAN]
    notes = [entry["note"] for entry in await harness.transcript() if entry["type"] == "event"]
    assert notes == ["the answer to a command could not be sent"]
    await assert_at_rest(harness, update_ids)


async def test_answers_stay_in_their_order_when_one_has_to_wait(harness: ChatHarness) -> None:
    await harness.fault(kind="500", method="sendMessage", times=1)
    update_ids = await harness.writes("/title Tea") + await harness.writes("/title")
    await harness.next_tick()
    assert await harness.said() == []
    update_ids += await harness.writes("/title Coffee")
    await harness.rests()
    assert await harness.said() == [
        "This conversation is now called Tea.",
        "This conversation is called Tea.",
        "This conversation is now called Coffee.",
    ]
    await assert_at_rest(harness, update_ids)


async def test_an_older_choice_is_never_shown_after_a_newer_one(harness: ChatHarness) -> None:
    await harness.writes("/model")
    await harness.rests()
    (asked,) = await harness.messages()
    await harness.fault(kind="500", method="editMessageText", times=1)
    await harness.presses(asked, 1)
    await harness.presses(asked, 0)
    await harness.rests()
    (shown,) = await harness.messages()
    assert shown["text"] == "This conversation now uses scripted."
    assert (await harness.document()).talk.model == "scripted"


async def test_a_choice_that_is_shown_already_is_no_failure(harness: ChatHarness) -> None:
    await harness.writes("/model")
    await harness.rests()
    (asked,) = await harness.messages()
    for _ in range(2):
        await harness.presses(asked, 1)
        await harness.writes("/model scripted")
        await harness.rests()
    assert (await harness.messages())[0]["text"] == "This conversation now uses scripted-lite."
    assert await harness.incidents() == []
    assert "event" not in [entry["type"] for entry in await harness.transcript()]


async def test_a_button_is_answered_and_its_message_shows_the_choice(harness: ChatHarness) -> None:
    await harness.writes("/model")
    await harness.rests()
    (asked,) = await harness.messages()
    assert [row[0]["text"] for row in asked["buttons"]] == ["✓ scripted", "scripted-lite"]
    before = len(await harness.notices())
    await harness.presses(asked, 1)
    await harness.presses(asked, 1)
    await harness.rests()
    chosen = "This conversation now uses scripted-lite."
    assert (await harness.notices())[before:] == [chosen, "This conversation already uses scripted-lite."]
    (shown,) = await harness.messages()
    assert (shown["text"], [row[0]["text"] for row in shown["buttons"]]) == (chosen, ["scripted", "✓ scripted-lite"])
    assert (await harness.document()).talk.model == "scripted-lite"
    entries = await harness.transcript()
    assert [e["type"] for e in entries] == ["message", "message", "press", "press", "edit"]
    assert (entries[-1]["text"], entries[-1]["author"]["is_agent"]) == (chosen, True)
    assert await harness.incidents() == []


async def test_a_button_of_another_conversation_changes_nothing(harness: ChatHarness) -> None:
    await harness.writes("/model")
    await harness.rests()
    (asked,) = await harness.messages()
    await harness.writes("/new")
    await harness.rests()
    before = len(await harness.notices())
    await harness.presses(asked, 1)
    await harness.rests()
    assert (await harness.notices())[before:] == [OTHER_CONVERSATION]
    assert (await harness.document()).talk.model == ""


async def test_a_press_that_comes_too_late_stops_nothing_else(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "One."}, WAIT, {"kind": "send", "text": "Two."})
    await harness.writes("count")
    await harness.next_tick()
    press: Json = {
        "id": "1",
        "from": {"id": harness.person, "is_bot": False, "first_name": "Ann"},
        "message": {"message_id": 1, "date": 0, "chat": {"id": harness.key.chat_id, "type": "private"}},
        "chat_instance": "1",
        "data": "y:42",
    }
    await harness.take({"update_id": 1, "callback_query": press})
    before = len(await harness.notices())
    await harness.rests()
    assert NO_BUTTON not in (await harness.notices())[before:], "Telegram takes no answer any more"
    assert await harness.said() == ["One.", "Two."]
    assert await harness.incidents() == []


async def test_a_muted_chat_is_silent_but_for_commands(harness: ChatHarness) -> None:
    await harness.will_plan(SEND, times=None)
    await harness.writes("/mute 2h")
    await harness.rests()
    await harness.writes("are you there?")
    await harness.writes("/nothing")
    await harness.rests()
    reasons = [e["decision"]["reason"] for e in await harness.transcript() if e.get("decision")]
    assert reasons[-2:] == ["the chat is muted"] * 2
    await harness.writes("/unmute")
    await harness.rests()
    await harness.writes("and now?")
    await harness.rests()
    assert (await harness.said())[1:] == [UNMUTED, "Hello."]


async def test_a_silence_ends_by_itself(harness: ChatHarness) -> None:
    await harness.will_plan(SEND, times=None)
    await harness.writes("/mute 1m")
    await harness.rests()
    until = (await harness.document()).access.muted_until
    assert until is not None
    harness.clock.now = until
    await harness.writes("and now?")
    await harness.rests()
    assert (await harness.said())[1:] == ["Hello."]


async def test_muting_ends_what_was_planned(harness: ChatHarness) -> None:
    await harness.will_plan(WAIT, SEND)
    await harness.writes("hi")
    await harness.next_tick()
    await harness.writes("/mute")
    await harness.rests()
    assert len(await harness.said()) == 1
    assert (await harness.document()).access.muted_until == FOREVER


async def test_in_a_group_a_mention_in_a_muted_chat_stays_unanswered(group: ChatHarness) -> None:
    name = group.backend.username
    await group.writes(f"/mute@{name}")
    await group.rests()
    await group.writes(f"@{name} hello?", **{"from": group.others[0]})
    await group.writes(f"/help@{name}", **{"from": group.others[0]})
    await group.rests()
    assert len(await group.said()) == 2
    assert await group.asked() == []


async def test_what_is_the_administrators_is_refused_to_others(group: ChatHarness) -> None:
    name, other = group.backend.username, {"from": group.others[0]}
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


async def test_somebody_who_is_no_administrator_ends_nothing(group: ChatHarness) -> None:
    name = group.backend.username
    await group.will_plan({"kind": "send", "text": "One."}, WAIT, {"kind": "send", "text": "Two."})
    await group.writes(f"@{name} count")
    while (await group.document()).due_at is None:
        await group.next_tick()
    before = (await group.document()).conversation
    await group.writes(f"/new@{name}", **{"from": group.others[0]})
    await group.rests()
    assert await group.said() == ["One.", "Only administrators of this group can use /new.", "Two."]
    assert (await group.document()).conversation == before


async def test_when_telegram_does_not_say_who_administers_it_is_refused(group: ChatHarness) -> None:
    await group.fault(method="getChatMember", kind="500")
    await group.writes(f"/title@{group.backend.username} Tea")
    await group.rests()
    (said,) = await group.said()
    assert said.startswith("I couldn't check whether you're an administrator of this group.")
    assert (await group.document()).talk.conversation_title == ""


async def test_another_bots_command_and_an_unknown_one_are_left_alone_in_a_group(group: ChatHarness) -> None:
    await group.writes("/help@other_bot")
    await group.writes("/nothing")
    await group.rests()
    assert await group.said() == []
    await group.writes(f"/nothing@{group.backend.username}")
    await group.rests()
    assert await group.said() == ["I don't know the command /nothing. Send /help to see all commands."]


async def test_an_edited_command_is_not_run(harness: ChatHarness) -> None:
    await harness.writes("/title Tea")
    await harness.rests()
    body = {"from": harness.person, "text": "/title Coffee"}
    place = f"/world/chats/{harness.chat}/messages/{harness.message_id}"
    (await harness.backend.telegram.patch(place, json=body)).raise_for_status()
    await harness.arrive()
    await harness.rests()
    assert (await harness.document()).talk.conversation_title == "Tea"
    assert len(await harness.said()) == 1


async def test_what_was_answered_beside_a_plan_that_stands_is_not_kept_in_it(harness: ChatHarness) -> None:
    await harness.will_plan(SEND, WAIT, SEND)
    update_ids = await harness.writes("hi")
    await harness.next_tick()
    for _ in range(3):
        update_ids += await harness.writes("/help")
        await harness.next_tick()
    assert [task.is_own for task in (await harness.plan()).tasks] == [True, False, False, False]
    await harness.rests()
    assert len(await harness.said()) == 5
    await assert_at_rest(harness, update_ids)
