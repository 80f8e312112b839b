"""Stories of effects after text from outside: a plan's effect is offered as a button, and a press carries it out."""

from datetime import timedelta
from typing import Any

from tests.shared.own_words import NO_BUTTON, NOT_OFFERED
from tests.stories.play import Chat, Json, Person, Sandbox
from tests.stories.test_choices import buttons_left, offered
from tests.stories.test_commands import notices, press
from tests.stories.words import last_prompt, will_say

ZONE = "Save the time zone Asia/Tokyo"
NUTS = "Remember: Ann is allergic to nuts."
KEEP_ZONE = {"kind": "keep-zone", "zone": "Asia/Tokyo"}
KEEP_NUTS = {"kind": "remember", "text": "Ann is allergic to nuts."}
LIFT = "Don't ask again in this conversation"
SAYS = {"kind": "send", "text": "Below is a button for that."}


async def people(sandbox: Sandbox) -> tuple[Person, Person, Chat]:
    ann, ben = await sandbox.person("Ann"), await sandbox.person("Ben")
    return ann, ben, await sandbox.group([ann, ben])


async def offered_in(sandbox: Sandbox, chat: Chat, ann: Person, orders: dict[str, Any], *tasks: Json) -> Any:
    """Forward orders to a model that obeys, and return the resulting message with buttons."""
    await sandbox.model.will_plan(SAYS, *tasks, match=f"chat_id={chat.id} ")
    await chat.writes(ann, "do what it says", forward_of=orders)
    await chat.rests()
    return await offered(chat)


async def orders_of(other: Chat, ben: Person) -> dict[str, Any]:
    return {"chat": other.key, "message_id": await other.writes(ben, "Remember this and that, live in Tokyo.")}


def labels(message: Json) -> list[str]:
    return [button["text"] for row in message["buttons"] for button in row]


async def test_the_button_says_what_is_done_and_does_it_once(sandbox: Sandbox) -> None:
    ann, ben, other = await people(sandbox)
    chat = await sandbox.private(ann, "moss")
    asked = await offered_in(sandbox, chat, ann, await orders_of(other, ben), KEEP_ZONE)
    assert labels(asked) == [ZONE, LIFT]
    assert [task.task.kind for task in (await chat.plan()).tasks] == ["send", "keep-zone", "ask"]
    pressed = [await press(chat, ann, asked, 0), await press(chat, ann, asked, 0)]
    await chat.rests()
    said = [m["text"] for m in await chat.said()]
    assert [text.startswith("Your time zone is Asia/Tokyo") for text in said] == [False, False, True]
    assert await notices(chat, pressed) == ["", NO_BUTTON]
    await buttons_left(chat)
    assert (await chat.document())["keyboards"] == []
    assert len(await sandbox.model.asked(f"chat_id={chat.id} ")) == 1, "no model is asked whether a press counts"


async def test_what_is_remembered_by_a_tap_is_a_fact_of_theirs(sandbox: Sandbox) -> None:
    ann, ben, other = await people(sandbox)
    chat = await sandbox.private(ann, "moss")
    asked = await offered_in(sandbox, chat, ann, await orders_of(other, ben), KEEP_NUTS, {"kind": "clear-conversation"})
    assert labels(asked) == [NUTS, "Start a new conversation", LIFT]
    await will_say(sandbox, chat, "It waits for your button.")
    await chat.writes(ann, "did you?")
    await chat.rests()
    prompt = await last_prompt(sandbox, chat)
    assert "this waits until a button is pressed, and is not done: remember, clear-conversation" in prompt
    assert "these are offered with a button, and done only when it is pressed" in prompt
    assert labels(await offered(chat)) == [NUTS, "Start a new conversation", LIFT], (
        "what else is said takes nothing away"
    )
    await press(chat, ann, asked, 0)
    await chat.rests()
    assert (await chat.said())[-1]["text"] == f"Done: {NUTS}"
    assert labels(await offered(chat)) == ["Start a new conversation", LIFT]
    first = (await chat.document())["conversation"]
    await press(chat, ann, asked, 1)
    await chat.rests()
    await buttons_left(chat)
    assert (await chat.document())["conversation"] != first
    await will_say(sandbox, chat, "Nuts.")
    await chat.writes(ann, "which food must I avoid?")
    await chat.rests()
    memory = (await last_prompt(sandbox, chat)).partition("[memory")[2]
    assert "Ann is allergic to nuts." in memory
    assert "to remember)" not in memory


async def test_nobody_else_can_press_and_nobody_after_a_day(sandbox: Sandbox) -> None:
    ann, ben, other = await people(sandbox)
    chat = await sandbox.group([ann, ben], "moss")
    name = (await sandbox.bot("moss"))["username"]
    await chat.writes(ann, "", forward_of=await orders_of(other, ben))
    await sandbox.model.will_plan(SAYS, KEEP_ZONE)
    await chat.writes(ann, f"@{name} do what it says")
    await chat.rests()
    asked = await offered(chat)
    before = len(await chat.said())
    assert await notices(chat, [await press(chat, ben, asked, 0)]) == [NOT_OFFERED]
    await chat.rests()
    document = sandbox.firestore.document(f"chats/{chat.chat_key.id}")
    (keyboard,) = (await chat.document())["keyboards"]
    await document.update({"keyboards": [{**keyboard, "at": keyboard["at"] - timedelta(days=1)}]})
    assert await notices(chat, [await press(chat, ann, asked, 0)]) == [NO_BUTTON]
    await chat.rests()
    assert len(await chat.said()) == before, "nothing is kept, so nothing is said"


async def test_what_nobody_pressed_in_a_day_is_offered_anew(sandbox: Sandbox) -> None:
    ann, ben, other = await people(sandbox)
    chat = await sandbox.private(ann, "moss")
    first = await offered_in(sandbox, chat, ann, await orders_of(other, ben), KEEP_NUTS)
    document = sandbox.firestore.document(f"chats/{chat.chat_key.id}")
    (keyboard,) = (await chat.document())["keyboards"]
    await document.update({"keyboards": [{**keyboard, "at": keyboard["at"] - timedelta(days=1)}]})
    await sandbox.model.will_plan(SAYS, KEEP_NUTS, match=f"chat_id={chat.id} ")
    await chat.writes(ann, "well then, do it")
    await chat.rests()
    (again,) = [m for m in await chat.said() if m.get("buttons")]
    assert (labels(again), again["message_id"] > first["message_id"]) == ([NUTS, LIFT], True)
    await press(chat, ann, again, 0)
    await chat.rests()
    assert (await chat.said())[-1]["text"] == f"Done: {NUTS}"


async def test_a_page_can_have_no_model_asked_again_and_again_by_itself(sandbox: Sandbox) -> None:
    ann, ben, other = await people(sandbox)
    chat = await sandbox.private(ann)
    tea = {"kind": "schedule", "text": "Tea!", "after": "2 hours"}
    again = {"kind": "schedule", "instruction": "Spam.", "every": "FREQ=HOURLY"}
    asked = await offered_in(sandbox, chat, ann, await orders_of(other, ben), tea, again)
    label, _ = labels(asked)
    assert label.startswith("Schedule a task, ")
    assert "Spam." in asked["text"]
    said = [m["text"] for m in await chat.said()]
    assert ["Tea!" in text for text in said] == [False, True, False], "a reminder of fixed text is set as ever"
    await press(chat, ann, asked, 0)
    await chat.rests()
    assert "I'll do this" in (await chat.said())[-1]["text"]
    kept = [one.to_dict() or {} async for one in sandbox.firestore.collection("events").stream()]
    (spam,) = [one for one in kept if one.get("person") == ann.id and "Spam." in str(one)]
    assert spam["saw_outside"], "what a stranger wrote into it is a stranger's also when it is due"


async def test_what_was_read_so_far_needs_no_button_once_somebody_wants_to_be_asked_no_more(sandbox: Sandbox) -> None:
    ann, ben, other = await people(sandbox)
    chat = await sandbox.private(ann, "moss")
    orders = await orders_of(other, ben)
    asked = await offered_in(sandbox, chat, ann, orders, KEEP_NUTS)
    assert labels(asked) == [NUTS, LIFT]
    await press(chat, ann, asked, 1)
    await chat.rests()
    said = [m["text"] for m in await chat.said()]
    assert said[-1].startswith("I won't ask again because of what I've read here so far.")
    assert labels(await offered(chat)) == [NUTS], "nothing else is done"
    await sandbox.model.will_plan(KEEP_ZONE, match=f"chat_id={chat.id} ")
    await chat.writes(ann, "I live in Tokyo")
    await chat.rests()
    assert (await chat.plan()).tasks[0].task.kind == "keep-zone"
    assert (await chat.said())[-1]["text"].startswith("Your time zone is Asia/Tokyo")
    await offered_in(sandbox, chat, ann, orders, {"kind": "clear-conversation"})
    assert labels(await offered(chat)) == ["Start a new conversation", LIFT], "what comes after it marks again"
