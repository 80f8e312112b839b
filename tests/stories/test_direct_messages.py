"""Stories of a channel's direct messages: each person talks with the agent alone, and cannot read others' messages."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from local.cloud import LocalCloud
from tests.conftest import HURRIED
from tests.forking import forked
from tests.shared.sessions import have_said
from tests.stories.leaving import forgets, found_anywhere
from tests.stories.play import Sandbox
from tests.stories.test_export import asked_for
from tests.stories.test_memories import answered, remember, said
from tests.stories.test_recalling import RECALLED, SPRING, TALK, asked, author, past

MARK = "vermilion pangolin"
OTHER = "Zygomorphic"


@pytest.fixture(scope="module")
def cloud() -> Iterator[LocalCloud]:
    """Run a separate local cloud, as the test reads all its data."""
    with LocalCloud(forked(env=HURRIED)).running() as running:
        yield running


async def test_two_people_are_answered_each_in_their_own_topic(sandbox: Sandbox) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    anns, bobs = await sandbox.direct(ann, bob)
    first = await answered(sandbox, anns, ann, "the vault opens with 4711", said("I keep it to myself."))
    assert f"Ann{ann.name[3:]}" in first
    then = await answered(sandbox, bobs, bob, "what were you told about the vault?", said("Nothing."))
    assert "4711" not in then
    assert ann.name not in then
    assert "4711" in await answered(sandbox, anns, ann, "and what did I say?", said("The number."))
    assert [m["text"] for m in await anns.said()] == ["I keep it to myself.", "The number."]
    assert [m["text"] for m in await bobs.said()] == ["Nothing."]
    assert [e["decision"]["reason"] for e in await bobs.spoken() if e["decision"]] == ["private chat"]
    assert (await bobs.document())["kind"] == "direct"
    assert (await bobs.document())["direct_person"] == bob.id


async def test_the_channel_itself_is_not_answered(sandbox: Sandbox) -> None:
    (chat,) = await sandbox.direct(ann := await sandbox.person("Ann"))
    owner = (await sandbox.telegram.get("/world")).raise_for_status().json()["chats"]
    members = next(one["members"] for one in owner if one["key"] == chat.key)
    await sandbox.model.will_say("Hello!")
    await chat.writes(ann, "hello?")
    assert await chat.answers() == ["Hello!"]
    body = {"from": members[0], "text": "we will look into it", "topic_id": ann.id}
    (await sandbox.telegram.post(f"/world/chats/{chat.key}/messages", json=body)).raise_for_status()
    await chat.rests()
    reasons = {e["text"]: e["decision"]["reason"] for e in await chat.spoken() if e["decision"]}
    assert reasons["we will look into it"] == "the channel's own"
    assert len(await chat.said()) == 1


async def test_what_is_remembered_in_one_topic_is_known_in_no_other(sandbox: Sandbox) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    anns, bobs = await sandbox.direct(ann, bob)
    group = await sandbox.group([ann, bob])
    here = remember("Here one speaks of walnuts.", scope="chat")
    tasks = (remember("Ann cannot bear peanuts."), here, said("Noted."))
    await answered(sandbox, anns, ann, "I cannot bear peanuts, and here we speak of walnuts", *tasks)
    known = await answered(sandbox, anns, ann, "what do you know?")
    assert "Ann cannot bear peanuts." in known
    assert "Here one speaks of walnuts." in known
    for chat, person, text in ((bobs, bob, "what do you know of her?"), (group, ann, "@lull_bot what do you know?")):
        prompt = await answered(sandbox, chat, person, text)
        assert "cannot bear peanuts" not in prompt
        assert "walnuts" not in prompt


async def test_what_was_said_in_one_topic_is_found_in_no_other(sandbox: Sandbox) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    anns, bobs = await sandbox.direct(ann, bob)
    decided = "So it is settled: for the trip we take the night train to Odesa, and Olena waters the plants."
    with past(sandbox) as chats:
        for chat, person, texts in ((anns, ann, (*TALK, decided)), (bobs, bob, TALK)):
            await have_said(chats, chat.chat_key, SPRING, [(author(person), text) for text in texts], leaves=True)
            later = SPRING + timedelta(days=2)
            await have_said(chats, chat.chat_key, later, [(author(person), "good night then")], leaves=True)
    question = "What did we decide about the trip, with the night train to Odesa?"
    prompt, _ = await asked(sandbox, anns, ann, question)
    assert "Olena waters the plants" in prompt.partition(RECALLED)[2]
    prompt, _ = await asked(sandbox, bobs, bob, question)
    assert "Olena" not in prompt


async def test_who_wrote_there_can_take_it_out_and_be_forgotten(sandbox: Sandbox) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    anns, bobs = await sandbox.direct(ann, bob)
    await answered(sandbox, anns, ann, f"I keep a {MARK}", said(f"A {MARK}, lovely."))
    await answered(sandbox, anns, ann, "and a toad", said(f"{OTHER} it is, then."))
    await answered(sandbox, bobs, bob, "I keep bees", said("Bees, lovely."))
    files = b"".join((await asked_for(sandbox, await sandbox.private(ann), ann)).values())
    assert f"I keep a {MARK}".encode() in files
    assert b"bees" not in files
    await forgets(sandbox, anns, ann)
    assert await found_anywhere(sandbox, MARK, MARK.capitalize(), OTHER) == [], "the agent's answers to them go as well"
    assert [e["text"] for e in await bobs.spoken()] == ["I keep bees", "Bees, lovely."]
