"""Stories of one person and an agent."""

import asyncio

from shared.tasks.plan import TaskState
from shared.values.wake import Queue
from tests.stories.describing import paused
from tests.stories.play import Sandbox, until


async def test_a_person_writes_and_is_answered(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_say("I am lull.")
    await chat.writes(ann, "hi, who are you?")
    assert await chat.answers() == ["I am lull."]
    await chat.rests()
    entries = await chat.transcript()
    assert [(e["seq"], e["author"]["is_agent"], e["text"]) for e in entries] == [
        (1, False, "hi, who are you?"),
        (2, True, "I am lull."),
    ]
    decided = {"respond": True, "reason": "private chat", "tier": "chat", "ms": 0, "calls": [], "until": None}
    recalled = entries[0]["decision"].pop("recall")
    assert entries[0]["decision"] == decided
    assert (recalled["is_asked"], recalled["found"]) == (True, 0), (
        "it asks about what is not shown, and nothing was said"
    )
    plan = await chat.plan()
    assert [d.state for t in plan.tasks for d in t.deliveries] == ["confirmed"]
    assert plan.calls[0].prompt_tokens >= 0


async def test_the_model_is_shown_what_was_said_before(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_say("Hello!")
    await chat.writes(ann, "my cat is called Mungojerrie")
    await chat.answers()
    await sandbox.model.will_say("Mungojerrie.")
    await chat.writes(ann, "what is my cat called again?")
    await chat.answers()
    (asked,) = await sandbox.model.asked("what is my cat called again?")
    contents = asked["request"]["contents"]
    assert [c["role"] for c in contents] == ["user", "model", "user"]
    assert "Mungojerrie" in str(contents[0])
    assert "Hello!" in str(contents[1])


async def test_a_burst_becomes_one_plan(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_say("One answer to all ten.")

    async def are_there() -> bool:
        return len(await chat.inbox()) == 10

    async with paused(sandbox, Queue.TICKS):  # however long a line takes to arrive, it is no pause in the burst
        for n in range(10):
            await chat.writes(ann, f"burst line {n}")
        await until(are_there, "all lines are there")
    assert await chat.answers() == ["One answer to all ten."]
    await chat.rests()
    assert [e["text"] for e in await chat.transcript()][:-1] == [f"burst line {n}" for n in range(10)]
    assert len(await sandbox.model.asked("burst line 0")) == 1
    assert len(await chat.said()) == 1


async def test_what_arrives_while_the_model_thinks_is_taken_into_one_answer(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    early = {"tasks": {"tasks": [{"kind": "send", "text": "Too early."}]}, "hold": f"elderberry-{ann.id}"}
    await sandbox.model.will(early, {"tasks": {"tasks": [{"kind": "send", "text": "Both, then."}]}})
    await chat.writes(ann, "the first half of an elderberry question")

    async def is_thinking() -> bool:
        return len(await sandbox.model.left()) == 1

    async def has_arrived() -> bool:
        return len(await chat.inbox()) > read

    await until(is_thinking, "the model is asked")
    read = len(await chat.inbox())
    await chat.writes(ann, "and its second half")
    await until(has_arrived, "the second half is stored")
    await sandbox.model.go_on(f"elderberry-{ann.id}")
    assert await chat.answers() == ["Both, then."]
    await chat.rests()
    assert [m["text"] for m in await chat.said()] == ["Both, then."]
    last = (await sandbox.model.asked("elderberry"))[-1]
    assert "and its second half" in str(last["request"]["contents"])


async def test_a_wait_wakes_later(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    hold = f"water-{ann.id}"
    await sandbox.model.will_plan(
        {"kind": "send", "text": "I will."},
        {"kind": "wait", "seconds": 2},
        {"kind": "send", "text": "Drink some water!"},
        hold=hold,
    )
    await chat.writes(ann, "remind me in two seconds to drink water")

    async def is_thinking() -> bool:
        return not await sandbox.model.left()

    async def is_waiting() -> bool:
        return (await chat.document()).get("due_at") is not None and (await chat.document())["lease"] is None

    await until(is_thinking, "the model is asked")
    async with paused(sandbox, Queue.TICKS):  # it wakes once it was seen to wait
        await sandbox.model.go_on(hold)
        assert await chat.answers() == ["I will."]
        await until(is_waiting, "the chat is given back while the plan waits")
    assert await chat.answers() == ["Drink some water!"]
    await chat.rests()
    assert {t.state for t in (await chat.plan()).tasks} == {TaskState.DONE}
    assert (await chat.document())["due_at"] is None


async def test_a_long_formatted_answer_comes_in_parts(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    paragraphs = [f"Paragraph {n} is **bold** and has `code`. " + "It goes on and on. " * 40 for n in range(12)]
    await sandbox.model.will_say("\n\n".join(paragraphs))
    await chat.writes(ann, "tell me everything")
    await chat.answers()
    await chat.rests()
    said = await chat.said()
    assert len(said) >= 3
    assert all(len(m["text"].encode("utf-16-le")) // 2 <= 4096 for m in said)
    assert {e["type"] for m in said for e in m["entities"]} == {"bold", "code"}
    assert "**" not in "".join(m["text"] for m in said)
    assert "".join(m["text"] for m in said).count("is bold and has code") == 12
    deliveries = [d for t in (await chat.plan()).tasks for d in t.deliveries]
    assert [d.message_ids for d in deliveries] == [(m["message_id"],) for m in said]


async def test_a_message_of_five_thousand_characters_is_answered(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_say("That was long.")
    await chat.writes(ann, "x" * 4096)
    assert await chat.answers() == ["That was long."]


async def test_the_typing_action_rides_on_the_webhooks_response(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_say("Done.")
    await chat.writes(ann, "show me that you are at it")
    await chat.answers()
    await chat.rests()  # a message is there before the call that sent it is among the calls
    calls = (await sandbox.telegram.get("/world/calls", params={"after": 0})).json()["calls"]
    mine = [c["method"] for c in calls if str(c["params"].get("chat_id")) == str(chat.id)]
    assert mine == ["sendChatAction", "sendMessage"]


async def test_a_reaction_and_silence(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    message_id = await chat.writes(ann, "my exam went well")
    await sandbox.model.will_plan({"kind": "react", "emoji": "🎉", "message_id": message_id})

    async def has_reaction() -> bool:
        return any(m["reactions"] for m in await chat.messages())

    await until(has_reaction, "the reaction comes")
    await chat.rests()
    assert await chat.said() == []
    *_, reacted = await chat.transcript()
    assert (reacted["type"], reacted["emojis"], reacted["message_id"]) == ("reaction", ["🎉"], message_id)
    await sandbox.model.will_plan()
    await chat.writes(ann, "no need to answer this one")
    await asyncio.sleep(0)
    await chat.rests()
    assert await chat.said() == []
    (asked,) = await sandbox.model.asked("no need to answer this one")
    assert "[event: you reacted 🎉 to what" in str(asked["request"]["contents"])
