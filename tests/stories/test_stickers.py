"""Stories of stickers that an agent sends."""

from tests.stories.play import Sandbox

SET = "Moods_by_lull"
LAUGH = {"kind": "sticker", "set": SET, "sticker": "😂"}


async def test_a_sticker_is_answered_with_a_sticker(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann, "tutor")
    world = (await sandbox.telegram.get("/world")).json()
    theirs = next(one for one in world["stickers"] if one["emoji"] == "😮")
    await sandbox.model.will_plan(LAUGH)
    await chat.writes(ann, "", sticker=theirs["file_id"])
    await chat.answers()
    await chat.rests()
    (said,) = await chat.said()
    assert (said["sticker"]["emoji"], said["sticker"]["set_name"]) == ("😂", SET)
    (asked,) = await sandbox.model.asked(ann.name)
    assert f"- {SET}: 🙂 😂 😢 😴 😮 ❤" in str(asked["request"]["systemInstruction"])
    entry = (await chat.spoken())[-1]
    assert (entry["author"]["is_agent"], entry["media"], entry["text"]) == (True, "a sticker: 😂", "")
    # in the next prompt it stands as the model planned it, and the cached beginning is the same
    await sandbox.model.will_say("You are welcome.")
    await chat.writes(ann, "thank you")
    assert await chat.answers() == ["You are welcome."]
    again = (await sandbox.model.asked(ann.name))[-1]["request"]
    assert again["systemInstruction"] == asked["request"]["systemInstruction"]
    own = next(turn for turn in again["contents"] if turn["role"] == "model")
    assert own["parts"] == [{"text": '{"tasks": [{"kind": "sticker", "sticker": "😂", "set": "Moods_by_lull"}]}'}]


async def test_a_sticker_that_is_not_there_is_sent_as_its_emoji_and_the_model_learns_of_it(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann, "tutor")
    await sandbox.model.will_plan({**LAUGH, "sticker": "🦊"})
    await chat.writes(ann, "send me a fox")
    assert await chat.answers() == ["🦊"]
    await chat.rests()
    await sandbox.model.will_say("I have none.")
    await chat.writes(ann, "that is none")
    assert await chat.answers() == ["I have none."]
    again = str((await sandbox.model.asked(ann.name))[-1]["request"]["contents"])
    assert "your sticker 🦊 of the set" in again
    assert "its emoji was sent as text instead" in again


async def test_an_agent_without_stickers_is_not_offered_any(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_say("Hello.")
    await chat.writes(ann, "hi there")
    await chat.answers()
    (asked,) = await sandbox.model.asked(ann.name)
    assert "sticker" not in str(asked["request"]["generationConfig"])
