"""Stories of several agents in one deployment."""

import asyncio

from tests.stories.play import Stage


async def test_two_agents_answer_each_in_its_own_chat_and_voice(stage: Stage) -> None:
    ann = await stage.person("Ann")
    lull, moss = await stage.private(ann, "lull"), await stage.private(ann, "moss")
    await stage.model.will(
        {"tasks": {"tasks": [{"kind": "send", "text": "From lull."}]}, "match": "a question to lull"},
        {"tasks": {"tasks": [{"kind": "send", "text": "From Moss."}]}, "match": "a question to Moss"},
    )
    await asyncio.gather(lull.writes(ann, "a question to lull"), moss.writes(ann, "a question to Moss"))
    assert await lull.answers() == ["From lull."]
    assert await moss.answers() == ["From Moss."]
    (to_lull,), (to_moss,) = (
        await stage.model.asked("a question to lull"),
        await stage.model.asked("a question to Moss"),
    )
    assert "old gardener" in str(to_moss["request"]["systemInstruction"])
    assert "old gardener" not in str(to_lull["request"]["systemInstruction"])
    assert "a question to lull" not in str(to_moss["request"])
    assert "react" in str(to_lull["request"]["generationConfig"])
    assert "react" not in str(to_moss["request"]["generationConfig"])


async def test_one_does_not_answer_the_other(stage: Stage) -> None:
    ann = await stage.person("Ann")
    moss_bot = await stage.bot("moss")
    chat = await stage.group([ann], bots=[(await stage.bot("lull"))["id"], moss_bot["id"]])
    await stage.model.will_say(f"@{moss_bot['username']} what do you say?")
    await chat.writes(ann, f"@{(await stage.bot('lull'))['username']} ask Moss")
    await chat.answers()
    await chat.rests()
    assert len([m for m in await chat.messages() if m["from"] == moss_bot["id"]]) == 0
