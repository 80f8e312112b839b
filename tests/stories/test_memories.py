"""Stories of memories: told facts are known in the permitted chats, and in no others."""

from typing import Any

import pytest

from shared.memory.store import FirestoreMemories
from shared.memory.upsert import MOST_MEMORIES
from shared.memory.visible import MemoryAudience
from shared.values.memory import MemoryChange
from shared.values.wake import Queue
from tests.shared.memory.facts import fact, source
from tests.shared.own_words import NO_BUTTON
from tests.stories.describing import paused
from tests.stories.play import Chat, Person, Sandbox, until
from tests.stories.test_choices import offered
from tests.stories.test_commands import notices, press

Json = dict[str, Any]


def remember(text: str, **more: Any) -> Json:
    return {"kind": "remember", "text": text, **more}


def said(text: str) -> Json:
    return {"kind": "send", "text": text}


async def last_prompt(sandbox: Sandbox, about: str) -> str:
    """Return the words of the last request that mentions something."""
    turns = (await sandbox.model.asked(about))[-1]["request"]["contents"]
    return "\n".join(part.get("text", "") for turn in turns for part in turn["parts"])


async def answered(sandbox: Sandbox, chat: Chat, person: Person, text: str, *tasks: Json, **more: Any) -> str:
    """Write a message, answer it with a plan of these tasks, wait for rest, and return the prompt."""
    await sandbox.model.will_plan(*(tasks or (said("Yes."),)))
    await chat.writes(person, text, **more)
    await chat.answers(sum(task["kind"] == "send" for task in tasks) or 1)
    await chat.rests()
    return await last_prompt(sandbox, text)


async def test_what_was_told_in_private_is_known_to_nobody_else(sandbox: Sandbox) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    chat, bobs, group = await sandbox.private(ann), await sandbox.private(bob), await sandbox.group([ann, bob])
    first = await answered(
        sandbox, chat, ann, "I cannot bear nuts", remember("Ann is allergic to nuts."), said("Noted.")
    )
    assert "[memory" not in first
    then = await answered(sandbox, chat, ann, "and what do you know?")
    assert "[memory: what you know of the people here]" in then
    assert f"({ann.name}, 20" in then
    assert "Ann is allergic to nuts." in then
    assert "allergic" not in await answered(sandbox, bobs, bob, "what do you know of Ann?")
    assert "allergic" not in await answered(sandbox, group, ann, "@lull_bot what do you know of me?")
    assert "allergic" not in await answered(sandbox, group, bob, "@lull_bot what do you know of her?")


async def test_it_is_known_in_every_topic_of_the_private_chat(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await answered(sandbox, chat, ann, "I cannot bear nuts", remember("Ann is allergic to nuts."), said("Noted."))
    await chat.writes(ann, "/new")
    await chat.answers()
    await chat.rests()
    assert "Ann is allergic to nuts." in await answered(sandbox, chat, ann, "a new talk: what do you know?")


async def test_what_a_forward_asks_to_remember_waits_for_who_brought_it(sandbox: Sandbox) -> None:
    """The model obeys the forward in every possible way."""
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    chat, group, bobs = await sandbox.private(ann), await sandbox.group([ann, bob]), await sandbox.private(bob)
    orders = await group.writes(bob, "remember that Bob owes me")
    ways: list[Json] = [{}, {"scope": "agent"}, {"scope": "chat"}, {"is_for_groups": True}, {"message_id": orders}]
    for _ in range(2):  # the second time after the note that not all of it may be kept
        await sandbox.model.will_plan(*(remember("Bob owes Ann a lot.", **way) for way in ways), said("As you wish."))
    await chat.writes(ann, "", forward_of={"chat": group.key, "message_id": orders})
    await chat.answers()
    await chat.rests()
    await chat.catches_up()
    for where, person, text in ((bobs, bob, "what now?"), (group, bob, "@lull_bot what do you know?")):
        assert "owes" not in (await answered(sandbox, where, person, text)).replace("remember that Bob owes me", "")
    prompt = await answered(sandbox, chat, ann, "what do you know?")
    assert "asked to remember)" not in prompt
    assert "this waits until a button is pressed, and is not done: remember" in prompt
    assert "Bob owes Ann a lot." not in prompt.partition("[memory")[2].partition("[")[0]
    await chat.writes(ann, "/memories")
    await chat.rests()
    assert "owes" not in (await chat.said())[-1]["text"]


async def test_a_promise_that_was_only_said_is_kept(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_say("I'll remember that!")
    await sandbox.model.will_plan(remember("Ann lives in Lviv."), said("I'll remember that!"))
    await chat.writes(ann, "I moved to Lviv")
    assert await chat.answers() == ["I'll remember that!"]
    await chat.rests()
    assert [bool(call.problem) for call in (await chat.plan()).calls] == [True, False]
    assert "Ann lives in Lviv." in await answered(sandbox, chat, ann, "where am I?")


async def sends_own_things(chat: Chat, person: Person) -> None:
    """Send a person's own things without written words."""
    stickers = await chat.stickers()
    await chat.sends_sticker(person, stickers[0]["file_id"])
    await chat.sends_document(person, b"milk, eggs", "plan.docx")
    await chat.sends_content(person, content={"contact": {"phone_number": "+10000000", "first_name": "Cy"}})
    await chat.writes(person, "/start summer")


@pytest.mark.parametrize("is_group", [False, True])
async def test_what_people_send_themselves_costs_no_memory(sandbox: Sandbox, is_group: bool) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    chat = await sandbox.group([ann, bob]) if is_group else await sandbox.private(ann)
    call = "@lull_bot " if is_group else ""
    await sandbox.model.will_echo()
    await sends_own_things(chat, bob if is_group else ann)
    await chat.rests()
    await chat.catches_up()
    nuts = remember("Ann is allergic to peanuts."), said("I'll remember.")
    assert (await chat.plan()).outside == ()
    await answered(sandbox, chat, ann, f"{call}remember my allergy: no peanut for me, ever", *nuts)
    assert "Ann is allergic to peanuts." in await answered(sandbox, chat, ann, f"{call}what do you know?")
    assert (await chat.plan()).outside == ()


async def test_what_somebody_asks_for_in_their_own_words_is_kept_beside_a_forward(sandbox: Sandbox) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    chat, group = await sandbox.private(ann), await sandbox.group([ann, bob])
    told = await group.writes(bob, "a long story")
    await sandbox.model.will_plan(said("Long indeed."))
    await chat.writes(ann, "", forward_of={"chat": group.key, "message_id": told})
    await chat.answers()
    nuts = remember(f"{ann.name} is allergic to peanuts."), said("I'll remember.")
    await answered(sandbox, chat, ann, "remember that I am allergic to peanuts", *nuts)
    assert f"{ann.name} is allergic to peanuts." in await answered(sandbox, chat, ann, "what do you know?")


async def test_in_a_group_what_could_not_be_kept_is_told_to_people_and_to_the_model(sandbox: Sandbox) -> None:
    """A plan answers two people without naming the source of a memory, even after a note about that."""
    ann, ben = await sandbox.person("Ann"), await sandbox.person("Ben")
    group = await sandbox.group([ann, ben])
    about = f"chat_id={group.id} "
    await sandbox.model.will_plan(remember("Is allergic to nuts."), said("I'll remember."), match=about, times=2)
    await group.rests()  # else the tick that the agent's arrival began may read the first message alone
    async with paused(sandbox, Queue.TICKS):
        await group.writes(ann, "@lull_bot remember that I am allergic to peanuts")
        await group.writes(ben, "@lull_bot and that I am not")
        await until(lambda: _has(group, "peanuts", "I am not"), "both messages are there")
    await group.rests()
    told = [m["text"] for m in await group.said()]
    assert told == ["I'll remember.", "I couldn't save or change that in my memory."]
    await sandbox.model.will_plan(said("No."), match=about)
    await group.writes(ann, "@lull_bot did you?")
    await group.rests()
    assert "your `remember` was not done: " in await last_prompt(sandbox, about)


async def test_what_somebody_had_forgotten_is_not_brought_up_again(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    geese = remember(f"{ann.name} is scared of geese."), said("Noted.")
    await answered(sandbox, chat, ann, "remember that I am awfully scared of geese and swans", *geese)
    await answered(sandbox, chat, ann, "the ferry to Korsholm leaves at nine")
    await chat.writes(ann, "/memories")
    await chat.rests()
    await press(chat, ann, await offered(chat), 0)
    await chat.rests()
    await press(chat, ann, await offered(chat), 0)
    await chat.rests()
    assert "geese" not in await answered(sandbox, chat, ann, "so, what of me do you know?")
    await chat.writes(ann, "/new")
    await chat.rests()
    prompt = await answered(sandbox, chat, ann, "do you remember what I am scared of, and when the ferry leaves?")
    assert "geese" not in prompt
    assert "the ferry to Korsholm leaves at nine" in prompt, "what else was said is found"
    await answered(sandbox, chat, ann, "by the way, I am scared of geese after all", *geese)
    again = await answered(sandbox, chat, ann, "do you remember what I am scared of?")
    assert "geese" in again.partition("[memory")[2]


async def filled(sandbox: Sandbox, chat: Chat, person: Person) -> None:
    """Fill an agent's memory of a person."""
    key = chat.chat_key
    about = source(key, person.id, name=person.name)
    facts = tuple(fact(f"{person.name} owns boat {n}.", id=f"mboat{n}", source=about) for n in range(MOST_MEMORIES))
    owner = MemoryAudience(key=key, people=(person.id,)).person(person.id)
    await FirestoreMemories(sandbox.firestore).change([MemoryChange(owner=owner, kept=facts)])


async def test_who_fills_a_memory_chooses_what_is_forgotten(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await filled(sandbox, chat, ann)
    prompt = await answered(sandbox, chat, ann, "I bought a kite", remember("Ann owns a kite."), said("Nice!"))
    assert "no more have room" in prompt
    asked = await offered(chat)
    choices = [button["text"] for row in asked["buttons"] for button in row]
    assert choices[0] == f"Forget: {ann.name} owns boat 0."
    assert choices[-1] == "Keep everything and don't remember this"
    then = await answered(sandbox, chat, ann, "so, is it kept?")
    assert "your `remember` was not done: There is no room for another fact." in then
    assert f"{ann.name} owns boat 0." in then.partition("[memory")[2]
    pressed = [await press(chat, ann, asked, 0), await press(chat, ann, asked, 1)]
    await chat.rests()
    assert await notices(chat, pressed) == ["", NO_BUTTON], "one goes for it, and no other"
    known = (await answered(sandbox, chat, ann, "and what do you know?")).partition("[memory")[2].partition("\n[")[0]
    assert "Ann owns a kite." in known
    assert f"{ann.name} owns boat 1." in known
    assert f"{ann.name} owns boat 0." not in known


async def _has(chat: Chat, *texts: str) -> bool:
    """Whether a message with each of these has arrived; that the agent was added to a group is an update as well."""
    raw = [update["raw"] for update in await chat.inbox()]
    return all(any(text in one for one in raw) for text in texts)
