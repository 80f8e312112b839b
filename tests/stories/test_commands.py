"""Commands and buttons, through the real way: the webhook, the queue, and the ticks."""

from tests.shared.own_words import AMONG_OTHERS, BEGUN, HOW_TO_MUTE, NO_TITLE, OTHER_CONVERSATION
from tests.stories.play import Chat, Json, Person, Sandbox, until

LITE = "scripted-lite"


async def notices(chat: Chat, query_ids: list[str]) -> list[str]:
    """Wait for the notices that were shown after presses of buttons."""

    async def shown() -> dict[str, str]:
        answer = await chat.telegram.get("/world/calls", params={"method": "answerCallbackQuery"})
        calls = [c["params"] for c in answer.raise_for_status().json()["calls"] if c["ok"]]
        notices = {p["callback_query_id"]: p.get("text", "") for p in calls}
        return notices if notices.keys() >= set(query_ids) else {}

    found = await until(shown, "every press is answered")
    return [found[query_id] for query_id in query_ids]


async def press(chat: Chat, person: Person, message: Json, at: int) -> str:
    """Press a button as a person; return the id of the press."""
    buttons = [button for row in message["buttons"] for button in row]
    body = {"from": person.id, "data": buttons[at]["data"]}
    place = f"/world/chats/{chat.key}/messages/{message['message_id']}/press"
    return str((await chat.telegram.post(place, json=body)).raise_for_status().json()["query_id"])


async def test_somebody_comes_by_a_link_and_looks_around(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await chat.writes(ann, "/start from_a_friend")
    (greeting,) = await chat.answers()
    assert greeting.startswith(f"Hello {ann.name}, I'm lull.")
    await chat.writes(ann, "/help")
    (listed,) = await chat.answers()
    assert "/whoami – See your ID and access" in listed
    await chat.writes(ann, "/whoami")
    (who,) = await chat.answers()
    assert f"ID: {ann.id}" in who
    assert (await chat.document())["conversation"] in who
    await chat.writes(ann, "/mute a bit")
    (explained,) = await chat.answers()
    assert HOW_TO_MUTE in explained
    await chat.writes(ann, "/nothing")
    assert await chat.answers() == ["I don't know the command /nothing. Send /help to see all commands."]
    assert await sandbox.model.asked(f"chat_id={chat.id} ") == []


async def test_wrong_use_explains_itself_and_holds_nobody_up(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_plan({"kind": "wait", "seconds": 300}, {"kind": "send", "text": "Tea!"})
    await chat.writes(ann, "remind me of my tea")
    await chat.rests()
    for wrong, explained in {
        "/mute " + "999999w " * 150: HOW_TO_MUTE,
        "/title \u200b\u202e": NO_TITLE,
        "/title: " + "long " * 40: "The maximum is 80",
        "/model gemini": "Several models match: ",
        "/model gpt": "There's no model called “gpt”. You can choose: ",
        "/claim!": "Send the command with the code",
    }.items():
        await chat.writes(ann, wrong)
        assert explained in (await chat.answers())[0]
    await chat.rests()
    assert (await chat.plan()).is_open, "the reminder stands"


async def test_in_a_topic_a_command_is_answered_in_it(sandbox: Sandbox) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    chat = await sandbox.group([ann, bob], topics=True)
    name = (await sandbox.bot("lull"))["username"]
    topic = (await chat.telegram.post(f"/world/chats/{chat.key}/topics", json={"name": "Red"})).json()["id"]
    await chat.writes(bob, f"/start@{name} from_a_friend", topic_id=topic)
    assert AMONG_OTHERS in (await chat.answers())[0]
    await chat.writes(bob, f"/title@{name} Blue", topic_id=topic)
    assert await chat.answers() == ["Only administrators of this group can use /title."]
    await chat.writes(ann, f"/title@{name} Red talk", topic_id=topic)
    assert await chat.answers() == ["This conversation is now called Red talk."]
    await chat.writes(ann, f"/title@{name}")
    assert await chat.answers() == [NO_TITLE]
    assert [m.get("topic_id") for m in await chat.said()] == [topic, topic, topic, None]


async def test_a_model_is_chosen_by_a_button_in_the_middle_of_a_plan(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_plan(
        {"kind": "send", "text": "One."}, {"kind": "wait", "seconds": 300}, {"kind": "send", "text": "Two."}
    )
    await chat.writes(ann, "count slowly")
    assert await chat.answers() == ["One."]
    await chat.writes(ann, "/model")
    await chat.answers()
    asked = (await chat.said())[-1]
    pressed = [await press(chat, ann, asked, 1), await press(chat, ann, asked, 1)]
    chosen = f"This conversation now uses {await _lite(chat)}."
    assert await notices(chat, pressed) == [chosen, f"This conversation already uses {await _lite(chat)}."]
    await chat.rests()
    shown = (await chat.said())[-1]
    assert (shown["text"], shown["buttons"][1][0]["text"]) == (chosen, f"✓ {await _lite(chat)}")
    assert (await chat.plan()).is_open, "the plan goes on"
    await chat.writes(ann, "/new")
    assert await chat.answers() == [BEGUN]
    assert await notices(chat, [await press(chat, ann, shown, 0)]) == [OTHER_CONVERSATION]
    await chat.rests()
    assert (await chat.document())["model"] == await _lite(chat)
    assert not (await chat.plan()).is_open


async def _lite(chat: Chat) -> str:
    """Return the label of the second model's button."""
    shown = next(m for m in await chat.said() if m.get("buttons"))
    return str(shown["buttons"][1][0]["text"]).removeprefix("✓ ")


async def test_a_new_conversation_knows_nothing_of_the_old_one(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_say("Tom, then.")
    await chat.writes(ann, "my cat is called Tom")
    await chat.answers()
    await chat.writes(ann, "/title Cats")
    assert await chat.answers() == ["This conversation is now called Cats."]
    await chat.rests()
    old = (await chat.document())["conversation"]
    await chat.writes(ann, "/new")
    await chat.answers()
    await sandbox.model.will_say("Who?")
    await chat.writes(ann, "what does it eat?")
    assert await chat.answers() == ["Who?"]
    await chat.rests()
    assert "Tom" not in str((await sandbox.model.asked("what does it eat"))[-1]["request"]["contents"])
    kept = (await sandbox.firestore.document(f"conversations/{old}").get()).to_dict() or {}
    assert (kept["title"], kept["manually_named"]) == ("Cats", True)


async def test_a_group_is_silenced_and_heard_again_by_its_administrators(sandbox: Sandbox) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    chat = await sandbox.group([ann, bob])
    name = (await sandbox.bot("lull"))["username"]
    await chat.writes(bob, f"/mute@{name} 2h")
    assert await chat.answers() == ["Only administrators of this group can use /mute."]
    await chat.writes(ann, f"/mute@{name} 2h")
    assert (await chat.answers())[0].startswith("I'm muted here until ")
    mention = await chat.writes(bob, f"@{name} are you there?")
    await chat.writes(bob, "/help@other_bot")
    await chat.rests()
    decisions = {e["message_id"]: e["decision"] for e in await chat.spoken() if e.get("decision")}
    assert decisions[mention]["reason"] == "the chat is muted"
    await chat.writes(ann, f"/unmute@{name}")
    assert await chat.answers() == ["I'm answering again."]
    await sandbox.model.will_say("Here I am.")
    await chat.writes(bob, f"@{name} and now?")
    assert await chat.answers() == ["Here I am."]


async def test_commands_are_no_turns(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await chat.writes(ann, "/help")
    await chat.answers()
    await sandbox.model.will_say("Hi.")
    await chat.writes(ann, "hello")
    assert await chat.answers() == ["Hi."]
    await chat.rests()
    spoken = [(e["text"][:5], e.get("turn", 0)) for e in await chat.spoken()]
    assert spoken == [("/help", 0), ("Comma", 0), ("hello", 1), ("Hi.", 1)]
