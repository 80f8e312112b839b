"""Stories of several agents in one deployment."""

import asyncio

from tests.stories.play import Sandbox


async def test_two_agents_answer_each_in_its_own_chat_and_voice(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    lull, moss = await sandbox.private(ann, "lull"), await sandbox.private(ann, "moss")
    await sandbox.model.will(
        {"tasks": {"tasks": [{"kind": "send", "text": "From lull."}]}, "match": "a question to lull"},
        {"tasks": {"tasks": [{"kind": "send", "text": "From Moss."}]}, "match": "a question to Moss"},
    )
    await asyncio.gather(lull.writes(ann, "a question to lull"), moss.writes(ann, "a question to Moss"))
    assert await lull.answers() == ["From lull."]
    assert await moss.answers() == ["From Moss."]
    (to_lull,), (to_moss,) = (
        await sandbox.model.asked("a question to lull"),
        await sandbox.model.asked("a question to Moss"),
    )
    assert "old gardener" in str(to_moss["request"]["systemInstruction"])
    assert "old gardener" not in str(to_lull["request"]["systemInstruction"])
    assert "a question to lull" not in str(to_moss["request"])
    assert "react" in str(to_lull["request"]["generationConfig"])
    assert "react" not in str(to_moss["request"]["generationConfig"])


async def test_one_does_not_answer_the_other(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    moss_bot = await sandbox.bot("moss")
    chat = await sandbox.group([ann], bots=[(await sandbox.bot("lull"))["id"], moss_bot["id"]])
    await sandbox.model.will_say(f"@{moss_bot['username']} what do you say?")
    await chat.writes(ann, f"@{(await sandbox.bot('lull'))['username']} ask Moss")
    await chat.answers()
    await chat.rests()
    assert len([m for m in await chat.messages() if m["from"] == moss_bot["id"]]) == 0
