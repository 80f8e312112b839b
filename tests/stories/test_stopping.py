"""Asking it to stop, through the real way: the webhook, the queue, and as many ticks as there are."""

from shared.tasks.plan import TaskState
from tests.shared.own_words import NOTHING_TO_STOP, STOPPED
from tests.stories.play import Chat, Sandbox, until

LONG = "\n\n".join(f"Paragraph {n}. " + "word " * 700 for n in range(12))


async def stopped(chat: Chat, *texts: str) -> None:
    """Wait for the rest, and see that nothing was said after the word that it is stopped."""
    await chat.rests()
    said = [m["text"] for m in await chat.said()]
    assert said[-1] == STOPPED
    assert said[:-1] == list(texts)


async def test_a_wait_ends_at_once(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_plan(
        {"kind": "send", "text": "One."},
        {"kind": "wait", "seconds": 300},
        {"kind": "send", "text": "Two."},
        match=f"chat_id={chat.id} ",
    )
    await chat.writes(ann, "count slowly")
    assert await chat.answers() == ["One."]
    await chat.writes(ann, "/stop")
    await stopped(chat, "One.")
    assert (await chat.plan()).tasks[-1].state is TaskState.CANCELLED


async def test_a_call_of_the_model_is_not_waited_for(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will(
        {"text": '{"tasks": [{"kind": "send", "text": "Late."}]}', "delay_s": 20, "match": f"chat_id={chat.id} "}
    )
    await chat.writes(ann, "think hard")
    await until(lambda: chat.inbox(), "it is stored")
    await until(lambda: _is_held(chat), "a tick thinks about it")
    await chat.writes(ann, "/stop")
    assert await chat.answers() == [STOPPED]
    await chat.rests()
    reasons = [e["decision"]["reason"] for e in await chat.spoken() if e.get("decision")]
    assert reasons[0] == "stopped before it was answered"
    assert [m["text"] for m in await chat.said()] == [STOPPED]


async def test_an_answer_of_many_parts_ends_where_it_is(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_plan({"kind": "send", "text": LONG}, match=f"chat_id={chat.id} ")
    await chat.writes(ann, "tell me everything")
    await until(lambda: chat.said(), "its first part")
    await chat.writes(ann, "/stop")
    await until(lambda: _is_said(chat), "it says that it stopped")
    said = [m["text"] for m in await chat.said()]
    assert said[-1] in {STOPPED, NOTHING_TO_STOP}
    await chat.rests()
    assert [m["text"] for m in await chat.said()] == said
    plan = await chat.plan()
    states = {d.state.value for t in plan.tasks for d in t.deliveries}
    assert "unknown" not in states


async def test_with_nothing_to_stop_it_says_so(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await chat.writes(ann, "/stop")
    assert await chat.answers() == [NOTHING_TO_STOP]
    assert await sandbox.model.asked(f"chat_id={chat.id} ") == []


async def _is_held(chat: Chat) -> bool:
    found = await chat.document()
    return bool(found) and found["lease"] is not None


async def _is_said(chat: Chat) -> bool:
    return any(m["text"] in {STOPPED, NOTHING_TO_STOP} for m in await chat.said())
