"""Stories of a group of three people and an agent, which answers when it is addressed."""

from tests.stories.play import Sandbox


async def test_only_the_mention_is_answered(sandbox: Sandbox) -> None:
    ann, ben, cem = [await sandbox.person(name) for name in ("Ann", "Ben", "Cem")]
    chat = await sandbox.group([ann, ben, cem])
    username = (await sandbox.bot("lull"))["username"]
    await sandbox.model.will_say("At noon, Cem.")
    await chat.writes(ann, "lunch?")
    await chat.writes(ben, "sure, when?")
    await chat.writes(cem, f"@{username} when do we meet?")
    assert await chat.answers() == ["At noon, Cem."]
    await chat.writes(ann, "great")
    await chat.rests()
    entries = await chat.spoken()
    assert [e["text"] for e in entries if not e["author"]["is_agent"]] == [
        "lunch?", "sure, when?", f"@{username} when do we meet?", "great",
    ]  # fmt: skip
    decided = {e["text"]: e["decision"] for e in entries if e["decision"]}
    assert decided["lunch?"]["respond"] is False
    assert decided[f"@{username} when do we meet?"]["reason"] == "mentioned"
    assert len(await chat.said()) == 1
    (asked,) = await sandbox.model.asked("when do we meet?")
    assert "sure, when?" in str(asked["request"]["contents"])


async def test_a_reply_to_the_agent_is_answered(sandbox: Sandbox) -> None:
    ann, ben = await sandbox.person("Ann"), await sandbox.person("Ben")
    chat = await sandbox.group([ann, ben])
    username = (await sandbox.bot("lull"))["username"]
    await sandbox.model.will_say("Blue.")
    await chat.writes(ann, f"@{username} which colour is the sky?")
    await chat.answers()
    (said,) = await chat.said()
    await sandbox.model.will_say("Because of the air.")
    await chat.writes(ben, "why?", reply_to=said["message_id"])
    assert await chat.answers() == ["Because of the air."]
    (asked,) = await sandbox.model.asked("why?")
    assert "Blue." in str(asked["request"]["contents"])


async def test_a_command_with_its_name_is_answered_and_one_for_another_bot_is_not(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.group([ann])
    username = (await sandbox.bot("lull"))["username"]
    await chat.writes(ann, "/weather@some_other_bot")
    await chat.writes(ann, f"/help@{username}")
    (answer,) = await chat.answers()
    assert answer.startswith("Commands you can use here")
    await chat.rests()
    assert len(await chat.said()) == 1


async def test_a_mention_inside_code_is_none(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.group([ann])
    username = (await sandbox.bot("lull"))["username"]
    await chat.writes(ann, f"run `@{username}`")
    await chat.rests()
    assert await chat.said() == []
    (entry,) = await chat.spoken()
    assert entry["decision"]["respond"] is False
