"""Stories of reminders through the whole local cloud: a named task really wakes the tick that says them."""

import json

from tests.stories.play import Stage


async def test_a_reminder_is_confirmed_said_and_put_off_by_a_button(stage: Stage) -> None:
    ann = await stage.person("Ann")
    chat = await stage.private(ann)
    await stage.model.will_plan({"kind": "schedule", "text": "Time for tea!", "after": "2 seconds"}, match=ann.name)
    await chat.writes(ann, "remind me of tea in two seconds")
    confirmed, said = await chat.answers(2)
    assert confirmed.startswith("⏰ ")
    assert confirmed.endswith("(UTC): Time for tea!")
    assert said == "Time for tea!"
    await chat.rests()
    assert len(await stage.model.asked(ann.name)) == 1
    (message,) = [m for m in await chat.said() if m["text"] == said]
    labels = [row[0]["text"] for row in message["buttons"]]
    assert labels == ["10 minutes later", "1 hour later"]
    press = {"from": ann.id, "data": message["buttons"][0][0]["data"]}
    await chat.telegram.post(f"/world/chats/{chat.key}/messages/{message['message_id']}/press", json=press)
    await chat.rests()  # Telegram may tell of a press after what is written later

    await chat.writes(ann, "/reminders")
    (listed,) = await chat.answers()
    assert "still to come" in listed
    assert "Time for tea!" in listed


async def test_an_instruction_wakes_the_agent(stage: Stage) -> None:
    ann = await stage.person("Ann")
    chat = await stage.private(ann)
    await stage.model.will_plan(
        {"kind": "schedule", "instruction": "Say how warm it is.", "after": "1 second"}, match=ann.name
    )
    await stage.model.will_plan({"kind": "send", "text": "It is 20 degrees."}, match=ann.name)
    await chat.writes(ann, "in a second, tell me how warm it is")
    confirmed, said = await chat.answers(2)
    assert "Say how warm it is." in confirmed
    assert said == "It is 20 degrees."
    await chat.rests()
    second = str((await stage.model.asked(ann.name))[-1]["request"]["contents"])
    assert "[reminder: it is due now; do what it says] Say how warm it is." in second
    assert "[event: it was said for you: ⏰" in second, "the confirmation is no example of what the model writes"
    own = [c for c in (await stage.model.asked(ann.name))[-1]["request"]["contents"] if c["role"] == "model"]
    plan = json.loads(own[0]["parts"][0]["text"])
    assert plan == {"tasks": [{"kind": "schedule", "instruction": "Say how warm it is.", "after": "1 second"}]}
