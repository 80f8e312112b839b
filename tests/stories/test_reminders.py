"""Stories of reminders through the whole local cloud: a task of Cloud Tasks wakes the tick that sends a reminder."""

import json
import re

from tests.stories.play import Chat, Json, Person, Sandbox
from tests.stories.test_choices import offered
from tests.stories.test_commands import press

PUT_OFF: Json = {"kind": "change-reminder", "what": "put-off"}
CHANGE: Json = {"kind": "change-reminder", "what": "change"}
CANCEL: Json = {"kind": "change-reminder", "what": "cancel"}
LIST = {"function_calls": [{"name": "list_reminders", "args": {}}]}


async def test_a_reminder_is_confirmed_said_and_put_off_by_a_button(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_plan({"kind": "schedule", "text": "Time for tea!", "after": "2 seconds"}, match=ann.name)
    await chat.writes(ann, "remind me of tea in two seconds")
    confirmed, said = await chat.answers(2)
    assert confirmed.startswith("⏰ ")
    assert confirmed.endswith("(UTC): Time for tea!")
    assert said == "Time for tea!"
    await chat.rests()
    assert len(await sandbox.model.asked(ann.name)) == 1
    (message,) = [m for m in await chat.said() if m["text"] == said]
    labels = [row[0]["text"] for row in message["buttons"]]
    assert labels == ["10 minutes later", "1 hour later"]
    press = {"from": ann.id, "data": message["buttons"][0][0]["data"]}
    await chat.telegram.post(f"/world/chats/{chat.key}/messages/{message['message_id']}/press", json=press)
    await chat.rests()  # the update of a press may come after that of a later message

    await chat.writes(ann, "/reminders")
    (listed,) = await chat.answers()
    assert "Upcoming reminders" in listed
    assert "Time for tea!" in listed


async def test_an_instruction_wakes_the_agent(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_plan(
        {"kind": "schedule", "instruction": "Say how warm it is.", "after": "1 second"}, match=ann.name
    )
    await sandbox.model.will_plan({"kind": "send", "text": "It is 20 degrees."}, match=ann.name)
    await chat.writes(ann, "in a second, tell me how warm it is")
    confirmed, said = await chat.answers(2)
    assert "Say how warm it is." in confirmed
    assert said == "It is 20 degrees."
    await chat.rests()
    second = str((await sandbox.model.asked(ann.name))[-1]["request"]["contents"])
    assert "[reminder: it is due now; do what it says] Say how warm it is." in second
    assert "[event: it was said for you: ⏰" in second, "the confirmation is no example of what the model writes"
    own = [c for c in (await sandbox.model.asked(ann.name))[-1]["request"]["contents"] if c["role"] == "model"]
    plan = json.loads(own[0]["parts"][0]["text"])
    assert plan == {"tasks": [{"kind": "schedule", "instruction": "Say how warm it is.", "after": "1 second"}]}


async def reminded(sandbox: Sandbox, chat: Chat, who: Person, **task: object) -> str:
    """Set a reminder as a person, and return lull's confirmation."""
    await sandbox.model.will_plan({"kind": "schedule", **task}, match=who.name)
    await chat.writes(who, "@lull_bot remind me")
    (confirmed,) = await chat.answers()
    return confirmed


async def listed_ids(sandbox: Sandbox, chat: Chat, who: Person, *tasks: Json) -> str:
    """Let the model list a person's reminders, and return the id of the first."""
    await sandbox.model.will({**LIST, "match": who.name})
    await sandbox.model.will_plan(*(tasks or ({"kind": "send", "text": "These."},)), match=who.name)
    await chat.writes(who, "which reminders do I have?")
    await chat.answers()
    await chat.rests()
    asked = (await sandbox.model.asked(who.name))[-1]["request"]["contents"]
    answers = [part["functionResponse"] for one in asked for part in one["parts"] if "functionResponse" in part]
    told = str(answers[-1]["response"]["output"])
    found = re.match(r"- (\w+): ", told)
    return found[1] if found else told


async def test_reminders_are_listed_and_put_off_by_talking(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await reminded(sandbox, chat, ann, text="Make tea", after="5 hours")
    name = await listed_ids(sandbox, chat, ann)
    assert len(name) == 5
    await sandbox.model.will_plan({**PUT_OFF, "reminder": name, "after": "6 hours"}, match=ann.name)
    await chat.writes(ann, "an hour later, please")
    (moved,) = await chat.answers()
    assert moved.startswith("⏰ ")
    assert ": Make tea\n\nBefore: " in moved
    await chat.rests()


async def test_other_words_and_an_end_wait_for_a_tap(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await reminded(sandbox, chat, ann, text="Take the bins out", every="monday at 9")
    name = await listed_ids(sandbox, chat, ann)
    change = {**CHANGE, "reminder": name, "text": "Take the paper out"}
    await sandbox.model.will_plan(change, match=ann.name)
    await chat.writes(ann, "it is the paper, not the bins")
    await chat.answers()
    asked = await offered(chat)
    assert "every week: Monday, 09:00" in asked["text"]
    assert "(before: Take the bins out, every week: Monday" in asked["text"]
    await press(chat, ann, asked, 0)
    await chat.rests()
    assert (await chat.said())[-1]["text"].endswith("Take the bins out")
    await chat.catches_up()
    await sandbox.model.will_plan({**CANCEL, "reminder": name}, match=ann.name)
    await chat.writes(ann, "no more paper")
    await chat.answers()
    ends = await offered(chat)
    assert "Cancel: Take the paper out (every week: Monday, 09:00" in ends["text"]
    await press(chat, ann, ends, 0)
    await chat.rests()
    assert (await chat.said())[-1]["text"] == "Cancelled: Take the paper out"
    assert await listed_ids(sandbox, chat, ann) == "None of theirs is still to come here."


async def test_nobody_changes_anothers_reminder_by_talking(sandbox: Sandbox) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    chat = await sandbox.group([ann, bob])
    name = (await sandbox.bot("lull"))["username"]
    await sandbox.model.will_plan({"kind": "schedule", "text": "Make tea", "after": "5 hours"}, match=ann.name)
    await chat.writes(ann, f"@{name} remind me of tea")
    await chat.answers()
    cancel = {**CANCEL, "reminder": "Make tea"}
    await sandbox.model.will_plan(cancel, {"kind": "send", "text": "It is gone."}, match=bob.name)
    await chat.writes(bob, f"@{name} cancel Ann's tea")
    await chat.rests()
    said = [m["text"] for m in await chat.said()]
    assert "It is gone." not in said
    assert said[-1].startswith("I can't find that reminder here.")
