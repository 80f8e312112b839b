"""Stories of people who leave: their words are deleted everywhere, and the others can still read their own."""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

import pytest

from local.cloud import LocalCloud
from shared.privacy.deletion.rules import DELETION_RULES, DeletionMethod
from tests.conftest import HURRIED
from tests.forking import forked
from tests.shared.reader.decode.files import sound
from tests.shared.reader.web.hostile import HostileServer
from tests.stories.describing import DESCRIBED, is_told, shows
from tests.stories.leaving import everything, everywhere, forgets, found_anywhere
from tests.stories.planting import MARK, missing, planted
from tests.stories.play import Chat, Person, Sandbox
from tests.stories.test_commands import press
from tests.stories.words import will_say

OTHER_MARK: Final = "lugubrious ocelot 5520917"
SECRET: Final = ("heron", "marmalade", "biscuit")


@pytest.fixture(scope="module")
def cloud(web: HostileServer) -> Iterator[LocalCloud]:
    """Run a separate local cloud with all parts, as the test reads all its data."""
    env = HURRIED | DESCRIBED | {"LULL_READER_PRIVATE_HOSTS": web.host}
    with LocalCloud(forked(env=env)).running() as running:
        yield running


async def test_a_mark_that_was_planted_by_every_way_is_nowhere_once_its_person_is_forgotten(
    sandbox: Sandbox, web: HostileServer
) -> None:
    there = await planted(sandbox, web)
    assert missing(await everywhere(sandbox)) == [], "by these ways nothing came that is kept"
    await plant_all_else(sandbox, there.leaver)
    before = await paths_by_kind(sandbox, there.leaver)
    done = await forgets(sandbox, there.chat, there.leaver)
    check_rows(before, await paths_by_kind(sandbox, there.leaver))
    left = await found_anywhere(sandbox, MARK, MARK.capitalize())
    assert not left, "\n".join(left)
    assert done["counts"]["conversations"] == 1
    assert (await there.chat.said())[-1]["text"].startswith("I've forgotten you.")
    own = f"chats/{there.chat.chat_key.id}"
    begun = f"conversations/{(await there.chat.document())['conversation']}"  # with the receipt
    numbers = [path async for path in _with_number(sandbox, there.leaver.id)]
    assert [path for path in numbers if not path.startswith((own, begun, "erasures/"))] == []
    # the others are still answered, and can read their own words
    spoken = [e["text"] for e in await there.group.spoken() if e["author"]["name"] == there.other.name]
    assert spoken[:2] == ["what of it?", "and of this?"]
    await sandbox.model.clear()
    await there.others.catches_up()
    await will_say(sandbox, there.others, "I would rather have tea.")
    await there.others.writes(there.other, "tea or coffee?")
    await there.others.answers()
    await there.others.rests()
    assert await found_anywhere(sandbox, MARK, MARK.capitalize()) == []


async def paths_by_kind(sandbox: Sandbox, person: Person) -> dict[str, dict[str, bool]]:
    """Map each kind to the paths of its documents, and to whether they contain a person's number."""
    found = defaultdict[str, dict[str, bool]](dict)
    async for path, held in everything(sandbox):
        found["/".join(path.split("/")[::2])][path] = str(person.id) in f"{path} {held}"
    return found


async def plant_all_else(sandbox: Sandbox, person: Person) -> None:
    """Store a document with a person's number for each kind that is found by it, unless the story made one."""
    there = await paths_by_kind(sandbox, person)
    for rule in DELETION_RULES:
        path = ""
        if rule.method is DeletionMethod.NAMED_BY_ID:
            path = f"people/{person.id}" if rule.collection == "people" else f"people/{person.id}/memories/lull"
        if rule.method in {DeletionMethod.DELETED, DeletionMethod.STRIPPED}:
            path = f"{rule.collection}/of-{person.id}"
        if path and not any(there[rule.collection].values()):
            await sandbox.firestore.document(path).set({"person": person.id, "agent": "lull"})


def check_rows(before: Mapping[str, Mapping[str, bool]], after: Mapping[str, Mapping[str, bool]]) -> None:
    """Check each kind against the table in docs/privacy.md, by the way of its deletion."""
    for rule in DELETION_RULES:
        theirs = {path for path, is_theirs in before[rule.collection].items() if is_theirs}
        now = after[rule.collection]
        match rule.method:
            case DeletionMethod.NOTHING:
                assert before[rule.collection].keys() <= now.keys(), rule
            case DeletionMethod.STRIPPED:
                assert theirs, rule
                assert {path: now.get(path) for path in theirs} == dict.fromkeys(theirs, False), rule
            case DeletionMethod.DELETED | DeletionMethod.NAMED_BY_ID:
                assert theirs, rule
                assert theirs.isdisjoint(now), rule
            case DeletionMethod.WITH_CHAT | DeletionMethod.WITH_CONVERSATION | DeletionMethod.BY_STEP:
                pass  # found by its content: the mark is gone everywhere, and the number is checked there


async def test_of_a_conversation_that_is_forgotten_nothing_is_left_and_the_next_one_goes_on(sandbox: Sandbox) -> None:
    person = await sandbox.person("Ida")
    chat = await sandbox.private(person)
    await will_say(sandbox, chat, f"So, {OTHER_MARK}.")
    await chat.writes(person, f"I like {OTHER_MARK}")
    await chat.answers()
    await chat.rests()
    own = (await chat.document())["conversation"]
    incident = {"chat": chat.chat_key.id, "conversation": own, "body": OTHER_MARK, "at": datetime.now(UTC)}
    await sandbox.firestore.document("incidents/of-ida").set(incident)
    assert len(await found_anywhere(sandbox, OTHER_MARK)) > 4
    done = await forgets(sandbox, chat, person, button=1)
    left = await found_anywhere(sandbox, OTHER_MARK)
    assert not left, "\n".join(left)
    assert (done["scope"], done["counts"]["conversations"], done["counts"]["incidents"]) == ("conversation", 1, 1)


async def _with_number(sandbox: Sandbox, person: int) -> AsyncIterator[str]:
    """Yield the documents that have a person's number in their name or content."""
    async for path, held in everything(sandbox):
        if str(person) in f"{path} {held}":
            yield path


async def test_what_was_looked_up_elsewhere_and_said_again_goes_and_what_others_said_stays(sandbox: Sandbox) -> None:
    zed, bob = await sandbox.person("Zedrick"), await sandbox.person("Bob")
    group, own, others = await sandbox.group([zed, bob]), await sandbox.private(zed), await sandbox.private(bob)
    await group.writes(zed, f"the safe opens with {' '.join(SECRET)}")
    await group.rests()
    await sandbox.model.will_plan(
        {"kind": "schedule", "text": f"The safe opens with {' '.join(SECRET)}.", "after": "10 days"},
        match=f"chat_id={group.id} ",
    )
    await group.writes(bob, "@lull_bot remind us of what he said about the safe")
    await group.answers()
    looks_up = {"name": "search_conversations", "args": {"query": "how does the safe open"}}
    await sandbox.model.will({"function_calls": [looks_up], "match": f"chat_id={others.id} "})
    await sandbox.model.will_plan(
        {"kind": "send", "text": "First heron, then marmalade."},
        {"kind": "remember", "text": "The safe wants marmalade."},
        {"kind": "schedule", "text": "Take some marmalade along.", "after": "10 days"},
        match=f"chat_id={others.id} ",
    )
    await others.writes(bob, "look up how the safe opens, and remember it")
    await others.answers(3)
    await others.rests()
    offered = next(m for m in reversed(await others.said()) if m.get("buttons"))
    await press(others, bob, offered, 0)
    await others.answers()
    await will_say(sandbox, others, "It ends with a biscuit, after the marmalade.")
    await others.writes(bob, "and then?")
    await others.answers()
    await will_say(sandbox, others, "Tea suits you.")
    await others.writes(bob, "my tea is green")
    await others.answers()
    await others.rests()
    assert len([path async for path, held in everything(sandbox) if "marmalade" in held.lower()]) > 6
    await will_say(sandbox, own, "Hello.")
    await own.writes(zed, "hello")
    await own.answers()
    await forgets(sandbox, own, zed)
    left = await found_anywhere(sandbox, *SECRET, *(word.capitalize() for word in SECRET))
    assert not left, "\n".join(left)
    spoken = [(e["author"]["name"], e["text"]) for e in await others.spoken()]
    theirs = [text for name, text in spoken if name == bob.name]
    # he pressed a button whose words were made of his
    assert theirs == ["look up how the safe opens, and remember it", "[erased]", "and then?", "my tea is green"]
    assert ("lull", "Tea suits you.") in [(name.lower(), text) for name, text in spoken]
    comes = [one.to_dict() async for one in sandbox.firestore.collection("events").stream()]
    assert [one["text"] for one in comes if one and one["person"] == bob.id and one["next_at"]] == ["[erased]"] * 2
    await rest(group, own, others)


async def test_what_a_plan_was_shown_and_did_not_use_goes_from_it_and_the_answer_stays(sandbox: Sandbox) -> None:
    zed, eve, bob = [await sandbox.person(name) for name in ("Zebulon", "Eve", "Bob")]
    group, own, others = await sandbox.group([zed, eve, bob]), await sandbox.private(zed), await sandbox.private(bob)
    await will_say(sandbox, group, "I see.")
    await group.writes(zed, "@lull_bot the attic opens with a turnip lever")
    await group.answers()
    await group.writes(eve, "the attic wants patience")
    await group.writes(bob, "so it is")
    await group.rests()
    looks_up = {"name": "search_conversations", "args": {"query": "how does the attic open"}}
    await sandbox.model.will({"function_calls": [looks_up], "match": f"chat_id={others.id} "})
    await will_say(sandbox, others, "With patience.")
    await others.writes(bob, "look up what they said of it")
    await others.answers()
    await others.rests()
    spoken = await others.spoken()
    assert [zed.id in one["shown_of"] for one in spoken] == [True, True]
    assert [one["people"] for one in spoken[1]["elsewhere"]] == [[eve.id]], "what it is made of"
    assert [path async for path, held in everything(sandbox) if "turnip" in held and path.startswith("plans/")]
    await will_say(sandbox, own, "Hello.")
    await own.writes(zed, "hello")
    await own.answers()
    await forgets(sandbox, own, zed)
    left = await found_anywhere(sandbox, "turnip")
    assert not left, "\n".join(left)
    assert [one["text"] for one in await others.spoken()] == ["look up what they said of it", "With patience."]
    await rest(group, own, others)


async def test_what_others_forward_of_who_hides_their_account_goes_with_what_its_file_says(sandbox: Sandbox) -> None:
    bob, zoe = await sandbox.person("Bob"), await somebody_hidden(sandbox, "Zoe", "Quillonby")
    group, own, others = await sandbox.group([zoe, bob]), await sandbox.private(zoe), await sandbox.private(bob)
    await sandbox.model.will(shows(says="the pelican hides behind the clock"))
    spoken = await group.sends_voice(zoe, sound(seconds=0.55))
    written = await group.writes(zoe, "and the gannet eats turnips")
    await is_told(group)
    for message in (spoken, written):
        await will_say(sandbox, others, "The pelican does.")
        await others.writes(bob, "", forward_of={"chat": group.key, "message_id": message})
        await others.answers()
    await others.rests()
    marks = ("pelican", "gannet", "Quillonby")
    assert len(await found_anywhere(sandbox, "Quillonby")) > 1
    assert [path async for path, held in everything(sandbox) if path.startswith("media/") and "pelican" in held]
    await will_say(sandbox, own, "Hello.")
    await own.writes(zoe, "hello")
    await own.answers()
    await forgets(sandbox, own, zoe)
    left = await found_anywhere(sandbox, *marks)
    assert not left, "\n".join(left)
    theirs = [e["text"] for e in await others.spoken() if e["author"]["name"] == bob.name]
    assert theirs == ["[erased]", "[erased]"]
    await rest(group, own, others)


async def somebody_hidden(sandbox: Sandbox, first: str, last: str) -> Person:
    """Make a person whose forwards show only their name."""
    body = {"first_name": first, "last_name": last, "hides_account": True}
    found = (await sandbox.telegram.post("/world/people", json=body)).raise_for_status().json()
    return Person(found["id"], f"{first} {last}")


async def rest(*chats: Chat) -> None:
    """Let no conversation wait for notes, which would use words that another story scripts."""
    for chat in chats:
        conversation = (await chat.document())["conversation"]
        await chat.firestore.document(f"conversations/{conversation}").set({"due_at": None}, merge=True)
