"""Stories of old messages: they are found in chats where they may be seen, and in no others."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from shared.chat.store.chats import FirestoreChats
from shared.values.message import Author
from tests.shared.sessions import have_said
from tests.stories.play import Chat, Json, Person, Sandbox

#: a spring in which much was said
SPRING = datetime(2026, 3, 1, 10, tzinfo=UTC)
TALK = (
    "the gutters want cleaning before the rain", "my sister adopted a grey cat", "we watched that film about whales",
    "the bread did not rise again", "the neighbours plant tomatoes", "I lost my blue umbrella on the tram",
)  # fmt: skip
RECALLED = "[recalled: what was said earlier about this]"


def author(person: Person) -> Author:
    return Author(id=person.id, name=person.name)


@contextmanager
def past(sandbox: Sandbox) -> Iterator[FirestoreChats]:
    """Open the store of earlier messages."""
    chats = FirestoreChats(sandbox.cloud.project)
    yield chats
    chats.client.close()  # type: ignore[no-untyped-call]


async def asked(sandbox: Sandbox, chat: Chat, person: Person, question: str) -> tuple[str, Json]:
    """Ask a question that is answered; return its prompt, and the record of recalling in its decision."""
    await sandbox.model.will_say("Let me think.")
    await chat.writes(person, question)
    await chat.answers()
    await chat.rests()
    turns = (await sandbox.model.asked(question))[-1]["request"]["contents"]
    prompt = "\n".join(part.get("text", "") for turn in turns for part in turn["parts"])
    messages = [entry for entry in await chat.transcript() if entry.get("text") == question]
    decision: Any = messages[-1]["decision"] or {}
    return prompt, decision.get("recall") or {}


async def test_what_was_decided_in_one_of_forty_conversations_is_found(sandbox: Sandbox) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    chat, bobs = await sandbox.private(ann), await sandbox.private(bob)
    with past(sandbox) as chats:
        for number in range(40):
            at = SPRING + timedelta(days=2 * number)
            decided = "So it is settled: for the trip we take the night train to Odesa, and Olena waters the plants."
            texts = [*TALK[number % 6 :], decided] if number == 35 else [*TALK[: number % 6 + 1], "good night then"]
            await have_said(chats, chat.chat_key, at, [(author(ann), text) for text in texts], leaves=True)
    prompt, note = await asked(sandbox, chat, ann, "What did we decide about the trip in May?")
    assert RECALLED in prompt, note
    assert "we take the night train to Odesa" in prompt.partition(RECALLED)[2]
    assert "2026-05" in prompt.partition(RECALLED)[2]
    assert note["is_asked"]
    assert 0 < note["found"] <= 6
    assert 0 < note["reads"] <= 200
    elsewhere, _ = await asked(sandbox, bobs, bob, "Do you remember what was decided about the trip in May?")
    assert "night train" not in elsewhere


async def test_a_day_that_alone_is_asked_for_is_told_though_no_word_is_shared(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    friday = SPRING + timedelta(days=(4 - SPRING.weekday()) % 7)
    with past(sandbox) as chats:
        for number in range(-3, 4):
            texts = ["we picked cherries at the mill"] if number == 0 else ["Friday is the best day", *TALK[:3]]
            await have_said(
                chats, chat.chat_key, friday + timedelta(days=number), [(author(ann), t) for t in texts], leaves=True
            )
    prompt, note = await asked(sandbox, chat, ann, f"what did we do on {friday:%d %B %Y}?")
    assert "cherries at the mill" in prompt.partition(RECALLED)[2], note
    assert note["why"] == "the message asks about a day that is not shown"


async def test_a_question_that_was_asked_often_finds_its_answer(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    question = "what is the password of the boathouse?"
    with past(sandbox) as chats:
        for number in range(12):
            told = "By the way, our old boathouse has got another password since the storm: it is marmalade"
            texts = [*TALK[:3], told] if number == 4 else [question, f"well, whatever then, number {number}"]
            at = SPRING + timedelta(days=number)
            await have_said(chats, chat.chat_key, at, [(author(ann), text) for text in texts], leaves=True)
    prompt, note = await asked(sandbox, chat, ann, "do you remember the password of the boathouse?")
    assert "it is marmalade" in prompt.partition(RECALLED)[2], note


async def test_the_best_of_a_bad_lot_is_not_brought_up(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    with past(sandbox) as chats:
        for number, text in enumerate(TALK):
            at = SPRING + timedelta(days=number)
            await have_said(chats, chat.chat_key, at, [(author(ann), text)], leaves=True)
    prompt, note = await asked(sandbox, chat, ann, "who was it that repaired the harpsichord in Bologna?")
    assert RECALLED not in prompt, note
    assert note["is_asked"]
    prompt, note = await asked(sandbox, chat, ann, "where did I lose that blue umbrella of mine?")
    assert "I lost my blue umbrella on the tram" in prompt.partition(RECALLED)[2], note


async def test_a_question_about_what_is_shown_and_what_asks_nothing_is_not_searched(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    for text in ("I bought a green bicycle", "was that green bicycle I bought green?"):
        prompt, note = await asked(sandbox, chat, ann, text)
        assert RECALLED not in prompt
        assert note.get("is_asked") is not True


async def test_who_leaves_a_group_sees_nothing_of_it_any_more(sandbox: Sandbox) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    chat, group = await sandbox.private(ann), await sandbox.group([ann, bob])
    await group.writes(ann, "hello all")
    await group.writes(bob, "the safe opens with heron seven")
    await group.rests()
    prompt, _ = await asked(sandbox, chat, ann, "do you remember how the safe opens?")
    assert "heron seven" in prompt
    gone = await sandbox.telegram.delete(f"/world/chats/{group.key}/members/{ann.id}")
    gone.raise_for_status()
    await group.writes(bob, "now it opens with stork nine")
    await group.rests()
    prompt, _ = await asked(sandbox, chat, ann, "and do you remember how that safe opens now?")
    assert "heron seven" not in prompt.rpartition("and do you remember")[0].partition("how the safe opens?")[2]
    assert "stork nine" not in prompt


async def test_while_nothing_makes_vectors_words_are_found_and_the_decision_says_so(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    with past(sandbox) as chats:
        await have_said(
            chats, chat.chat_key, SPRING, [(author(ann), "the spare key is under the clay owl")], leaves=True
        )
    script = {"vectors": {"status": 503, "times": None}}
    (await sandbox.model.http.post("/script", json=script)).raise_for_status()
    prompt, note = await asked(sandbox, chat, ann, "do you remember where the spare key is?")
    assert "under the clay owl" in prompt
    assert note["trouble"]


async def test_the_agent_looks_for_more_by_a_tool_and_reads_on(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    with past(sandbox) as chats:
        said = [(author(ann), "the boat is called Marigold"), (author(ann), "and it leaks a little at the stern")]
        kept = await have_said(chats, chat.chat_key, SPRING, said, leaves=True)
    await sandbox.model.will({"function_calls": [{"name": "search_conversations", "args": {"query": "boat"}}]})
    fetch = {"name": "fetch_context", "args": {"conversation": kept.conversation}}
    await sandbox.model.will({"function_calls": [fetch]})
    await sandbox.model.will_say("Marigold, and she leaks.")
    await chat.writes(ann, "tell me about my boat")
    assert await chat.answers() == ["Marigold, and she leaks."]
    plan = await chat.plan()
    searched, fetched = plan.uses
    assert kept.conversation in searched.answer
    assert "Marigold" in searched.answer
    assert "leaks a little at the stern" in fetched.answer


async def test_nobody_is_shown_what_was_said_where_they_may_not_see_it(sandbox: Sandbox) -> None:
    people = [await sandbox.person(name) for name in ("Ann", "Bob", "Cleo")]
    ann, bob, cleo = people
    privates = {one.id: await sandbox.private(one) for one in people}
    groups = [await sandbox.group([ann, bob]), await sandbox.group([bob, cleo])]
    for group in groups:
        await group.rests()  # it takes note of who added it, which makes the chat's document
    secrets = dict[str, Chat]()
    with past(sandbox) as chats:
        for number, chat in enumerate([*privates.values(), *groups]):
            who = people[number] if number < len(people) else bob
            word = f"password{number}falcon"
            secrets[word] = chat
            await have_said(chats, chat.chat_key, SPRING, [(author(who), f"the password of the shed is {word}")])
    for one in people:
        for place in (privates[one.id], *groups):
            if place.id in {g.id for g in groups} and not _is_in(one, place, groups, people):
                continue
            called = "" if place is privates[one.id] else "@lull_bot "
            prompt, _ = await asked(
                sandbox, place, one, f"{called}do you remember the password of the shed, {one.name}?"
            )
            allowed = {place.key} | ({g.key for g in groups if _is_in(one, g, groups, people)} if not called else set())
            shown = {word for word in secrets if word in prompt}
            assert {secrets[word].key for word in shown} <= allowed
            assert place.key in {secrets[word].key for word in shown} or called, "one's own is found"


def _is_in(person: Person, group: Chat, groups: list[Chat], people: list[Person]) -> bool:
    ann, _, cleo = people
    return person is not (cleo if group is groups[0] else ann)
