"""Stories of memories: what somebody tells is known where it may be, and nowhere else."""

from typing import Any

from tests.stories.play import Chat, Person, Stage

Json = dict[str, Any]


def remember(text: str, **more: Any) -> Json:
    return {"kind": "remember", "text": text, **more}


def said(text: str) -> Json:
    return {"kind": "send", "text": text}


async def last_prompt(stage: Stage, about: str) -> str:
    """The words of the last request that names somebody or something."""
    turns = (await stage.model.asked(about))[-1]["request"]["contents"]
    return "\n".join(part.get("text", "") for turn in turns for part in turn["parts"])


async def answered(stage: Stage, chat: Chat, person: Person, text: str, *tasks: Json, **more: Any) -> str:
    """The prompt of a message that is answered by a plan of these tasks, once all is at rest."""
    await stage.model.will_plan(*(tasks or (said("Yes."),)))
    await chat.writes(person, text, **more)
    await chat.answers(sum(task["kind"] == "send" for task in tasks) or 1)
    await chat.rests()
    return await last_prompt(stage, text)


async def test_what_was_told_in_private_is_known_to_nobody_else(stage: Stage) -> None:
    ann, bob = await stage.person("Ann"), await stage.person("Bob")
    chat, bobs, group = await stage.private(ann), await stage.private(bob), await stage.group([ann, bob])
    first = await answered(stage, chat, ann, "I cannot bear nuts", remember("Ann is allergic to nuts."), said("Noted."))
    assert "[memory" not in first
    then = await answered(stage, chat, ann, "and what do you know?")
    assert "[memory: what you know of the people here]" in then
    assert f"({ann.name}, 20" in then
    assert "Ann is allergic to nuts." in then
    assert "allergic" not in await answered(stage, bobs, bob, "what do you know of Ann?")
    assert "allergic" not in await answered(stage, group, ann, "@lull_bot what do you know of me?")
    assert "allergic" not in await answered(stage, group, bob, "@lull_bot what do you know of her?")
