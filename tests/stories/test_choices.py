"""Stories of choices that the agent offers, in the whole cloud: the chosen one, other people's presses, the end."""

import json
from typing import Any

from shared.values.wake import Queue
from tests.shared.own_words import BEGUN, BUTTONS_GONE, NO_BUTTON, NOT_OFFERED, NOTHING_TO_STOP, STOPPED
from tests.stories.describing import paused
from tests.stories.play import Chat, Json, Person, Sandbox, until
from tests.stories.test_commands import notices, press
from tests.stories.words import last_prompt, will_say


async def will_offer(sandbox: Sandbox, chat: Chat, *choices: str, **more: Any) -> None:
    """Script the next plan for a chat: a question with choices."""
    task = {"kind": "send", "text": "Tea or coffee?", "choices": list(choices), **more}
    await sandbox.model.will_plan(task, match=f"chat_id={chat.id} ")


async def offered(chat: Chat) -> Json:
    """Return the newest message with buttons."""
    return [m for m in await chat.said() if m.get("buttons")][-1]


async def presses_data(chat: Chat, person: Person, message: Json, data: str) -> str:
    """Press with data that a modified client invents."""
    body = {"from": person.id, "data": data, "forged": True}
    place = f"/world/chats/{chat.key}/messages/{message['message_id']}/press"
    return str((await chat.telegram.post(place, json=body)).raise_for_status().json()["query_id"])


async def buttons_left(chat: Chat) -> None:
    """Wait until no message has buttons."""

    async def none_has() -> bool:
        return not [m for m in await chat.said() if m.get("buttons")]

    await until(none_has, "the buttons go")


async def presses_arrive(chat: Chat, count: int) -> None:
    """Wait until so many presses of the chat's buttons are stored."""

    async def have_arrived() -> bool:
        return [update["kind"] for update in await chat.inbox()].count("callback_query") >= count

    await until(have_arrived, f"{count} presses arrive")


async def test_a_press_is_what_that_person_says_once(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await will_offer(sandbox, chat, "Tea, please", "Coffee", "Tea, please", " ")
    await chat.writes(ann, "I am thirsty")
    await chat.answers()
    asked = await offered(chat)
    assert [[b["text"] for b in row] for row in asked["buttons"]] == [["Tea, please"], ["Coffee"]]
    await chat.rests()
    (keyboard,) = (await chat.document())["keyboards"]
    assert (keyboard["message_id"], keyboard["people"]) == (asked["message_id"], [ann.id])
    await will_say(sandbox, chat, "Here is your tea.")
    pressed = [await press(chat, ann, asked, 0), await press(chat, ann, asked, 1)]
    assert await chat.answers() == ["Here is your tea."]
    assert await notices(chat, pressed) == ["", NO_BUTTON]
    await buttons_left(chat)
    await chat.rests()
    assert (await chat.document())["keyboards"] == []
    spoken = await chat.spoken()
    assert [(e["author"]["is_agent"], e["text"]) for e in spoken] == [
        (False, "I am thirsty"),
        (True, "Tea or coffee?"),
        (False, "chose: Tea, please"),
        (True, "Here is your tea."),
    ]
    assert [e["turn"] for e in spoken] == [1, 1, 2, 2]
    assert spoken[1]["choices"] == ["Tea, please", "Coffee"]
    prompt = await last_prompt(sandbox, chat)
    assert json.dumps({"choices": ["Tea, please", "Coffee"]})[1:-1] in prompt
    assert "\nchose: Tea, please\n" in prompt
    assert f"Consider responding to what {ann.name}#{ann.id % 1_000_000:06d} chose." in prompt
    assert str(spoken[2]["message_id"]) not in prompt


async def test_in_a_group_whoever_was_asked_chooses_and_forged_presses_do_nothing(sandbox: Sandbox) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    chat = await sandbox.group([ann, bob])
    name = (await sandbox.bot("lull"))["username"]
    await will_offer(sandbox, chat, "Tea", "Coffee")
    await chat.writes(ann, f"@{name} I am thirsty")
    await chat.answers()
    asked = await offered(chat)
    data = asked["buttons"][0][0]["data"]
    forged = [
        await press(chat, bob, asked, 0),
        await presses_data(chat, bob, asked, f"choice:{'a' * 16}:0"),
        await presses_data(chat, ann, asked, f"{data[:-1]}7"),
        await presses_data(chat, ann, asked, "choice:"),
    ]
    assert await notices(chat, forged) == [NOT_OFFERED, NO_BUTTON, NO_BUTTON, NO_BUTTON]
    await will_say(sandbox, chat, "Coffee it is.")
    assert await notices(chat, [await press(chat, ann, asked, 1)]) == [""]
    assert await chat.answers() == ["Coffee it is."]
    await buttons_left(chat)
    await chat.rests()
    chosen = [e for e in await chat.spoken() if e["text"] == "chose: Coffee"]
    assert [(e["author"]["id"], e["reply"]["message_id"]) for e in chosen] == [(ann.id, asked["message_id"])]


async def test_what_is_for_everyone_is_the_first_ones_who_presses(sandbox: Sandbox) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    chat = await sandbox.group([ann, bob])
    name = (await sandbox.bot("lull"))["username"]
    await will_offer(sandbox, chat, "Tea", "Coffee", choices_for="everyone")
    await chat.writes(ann, f"@{name} we are thirsty")
    await chat.answers()
    asked = await offered(chat)
    await will_say(sandbox, chat, "Tea for all.")
    async with paused(sandbox, Queue.TICKS):  # Telegram may tell of one person's press before another's earlier one
        pressed = [await press(chat, bob, asked, 0), await press(chat, ann, asked, 1)]
        await presses_arrive(chat, 2)
    assert await chat.answers() == ["Tea for all."]
    assert await notices(chat, pressed) == ["", NO_BUTTON]
    await chat.rests()
    said = [(e["author"]["id"], e["text"]) for e in await chat.spoken() if e["text"].startswith("chose")]
    assert said == [(bob.id, "chose: Tea")]


async def test_the_buttons_go_when_somebody_writes_instead_and_with_the_conversation(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await will_offer(sandbox, chat, "Tea", "Coffee")
    await chat.writes(ann, "I am thirsty")
    await chat.answers()
    first = await offered(chat)
    await will_offer(sandbox, chat, "Now", "Later")
    await chat.writes(ann, "water, rather")
    await chat.answers()
    await chat.rests()
    assert [m["message_id"] for m in await chat.said() if m.get("buttons")] == [(await offered(chat))["message_id"]]
    second = await offered(chat)
    assert second["message_id"] != first["message_id"]
    data = [m["buttons"][0][0]["data"] for m in (first, second)]
    assert await notices(chat, [await presses_data(chat, ann, first, data[0])]) == [NO_BUTTON]
    await chat.writes(ann, "/new")
    assert await chat.answers() == [BEGUN]
    await buttons_left(chat)
    assert await notices(chat, [await presses_data(chat, ann, second, data[1])]) == [NO_BUTTON]
    await chat.rests()
    assert not [e["text"] for e in await chat.spoken() if e["text"].startswith("chose")]


async def test_a_message_shows_what_was_chosen_in_the_place_of_its_buttons(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await will_offer(sandbox, chat, "Tea, please", "Coffee")
    await chat.writes(ann, "I am thirsty")
    await chat.answers()
    asked = await offered(chat)
    await will_say(sandbox, chat, "Here is your tea.")
    await press(chat, ann, asked, 0)
    await buttons_left(chat)
    await chat.rests()
    assert [m["text"] for m in await chat.said()] == [
        f"Tea or coffee?\n\n✓ Tea, please · {ann.name}",
        "Here is your tea.",
    ]
    await will_say(sandbox, chat, "You are welcome.")
    await chat.writes(ann, "thanks")
    await chat.rests()
    assert "✓" not in await last_prompt(sandbox, chat), "the model knows it as what they said"


async def test_a_choice_before_a_stop_is_not_answered(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await will_offer(sandbox, chat, "Tea", "Coffee")
    await chat.writes(ann, "I am thirsty")
    await chat.answers()
    asked = await offered(chat)
    await chat.rests()
    await sandbox.model.will_plan({"kind": "send", "text": "Late."}, match=f"chat_id={chat.id} ", delay_s=5)
    await press(chat, ann, asked, 0)
    await presses_arrive(chat, 1)  # its update may come after that of a later message
    await chat.writes(ann, "/stop")
    assert await chat.answers() == [STOPPED]
    await buttons_left(chat)
    await chat.rests()
    assert "chose: Tea" in [e["text"] for e in await chat.spoken()]


async def test_a_stop_where_only_buttons_stand_takes_them_away_and_says_so(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await will_offer(sandbox, chat, "Tea", "Coffee")
    await chat.writes(ann, "I am thirsty")
    await chat.answers()
    await chat.rests()
    await chat.writes(ann, "/stop")
    assert await chat.answers() == [BUTTONS_GONE]
    await buttons_left(chat)
    await chat.writes(ann, "/stop")
    assert await chat.answers() == [NOTHING_TO_STOP]
