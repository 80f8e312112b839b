"""The rows of each source, and how reading continues from any cursor."""

import json
from contextlib import aclosing
from datetime import timedelta

import pytest

from shared.base.text import Entity, EntityType
from shared.chat.store import paths
from shared.memory.store import change_write
from shared.privacy.export.sources import SOURCES, ExportLine, ExportRow, ExportSubject
from shared.privacy.store.belongings import FirestoreBelongings
from shared.values.chat_key import ChatKey
from shared.values.decision import Decision, DecisionTier
from shared.values.memory import Memory, MemoryChange, MemoryOwner, MemoryScope, MemorySource
from shared.values.message import AnyEntry, Edit, QuotedMessage, Reaction
from shared.values.origin import ConversationSpan
from tests.shared.examples import ME, NOW
from tests.shared.exports import ExportHarness, said, somebody


async def rows(subject: ExportSubject, number: int, cursor: str = "") -> list[ExportRow]:
    async with aclosing(SOURCES[number].rows(subject, cursor)) as found:
        return [row async for row in found]


async def owned_by(export_harness: ExportHarness, person: int) -> ExportSubject:
    belongings = FirestoreBelongings(export_harness.client)
    chats = await belongings.chats(person)
    conversations = await belongings.conversations(chats)
    return ExportSubject(
        person=person, belongings=belongings, chats=chats, conversations=conversations, asked_at=export_harness.now
    )


@pytest.mark.parametrize("number", range(len(SOURCES)), ids=[source.name for source in SOURCES])
async def test_whoever_goes_on_from_a_cursor_gets_what_follows(export_harness: ExportHarness, number: int) -> None:
    ann = somebody("Ann")
    key = ChatKey(agent="lull", chat_id=ann.id)
    await export_harness.talk(key, [said(ann, f"word {n}", n) for n in (1, 2, 3)])
    await export_harness.keep(f"people/{ann.id}", {"pronouns": "she"})
    for n in (1, 2, 3):
        await export_harness.keep(paths.event_path(f"r{ann.id}{n}"), {"person": ann.id, "text": f"tea {n}"})
        await export_harness.keep(paths.request_path(f"q{ann.id}{n}"), {"person": ann.id, "words": f"let me in {n}"})
        await export_harness.keep(paths.usage_path(f"u{ann.id}{n}"), {"person": ann.id, "day": f"2026-11-0{n}"})
        await export_harness.keep(paths.incident_path(f"i{ann.id}{n}"), {"chat": key.id, "body": f"broken {n}"})
    subject = await owned_by(export_harness, ann.id)
    found = await rows(subject, number)
    assert len(found) >= 3 or SOURCES[number].name not in {"messages", "reminders", "requests", "usage", "incidents"}
    for place, row in enumerate(found, start=1):
        assert await rows(subject, number, row.cursor) == found[place:]


async def test_an_observation_of_a_group_is_theirs_if_all_that_it_comes_from_is(export_harness: ExportHarness) -> None:
    ann, bob = somebody("Ann"), somebody("Bob")
    group = ChatKey(agent="lull", chat_id=-ann.id)
    entries = [said(ann, "I like tea", 1), said(bob, "Ann is tired", 2), said(ME, "to all", 3)]
    conversation = await export_harness.talk(group, entries)
    await export_harness.saw(group, ann)
    for name, about, of in (("a", [ann.id], [1]), ("b", [ann.id], [1, 2]), ("c", [bob.id], [1]), ("d", [], [1])):
        observed = {
            "id": name, "conversation": conversation, "agent": "lull", "place": "p", "text": f"observed {name}",
            "about": about, "entries": of, "made_at": NOW,
        }  # fmt: skip
        await export_harness.keep(paths.observation_path(conversation, name), observed)
    subject = await owned_by(export_harness, ann.id)
    number = next(n for n, source in enumerate(SOURCES) if source.name == "observations")
    found = [row.fields["text"] for row in await rows(subject, number) if isinstance(row, ExportLine)]
    assert found == ["observed a"]
    assert await rows(subject, [source.name for source in SOURCES].index("conversations")) == []


async def test_what_went_wrong_in_a_group_is_nobodys_to_take_out(export_harness: ExportHarness) -> None:
    ann = somebody("Ann")
    group = ChatKey(agent="lull", chat_id=-ann.id)
    await export_harness.talk(group, [said(ann, "hello", 1)])
    await export_harness.saw(group, ann)
    await export_harness.keep(paths.incident_path(f"i{ann.id}"), {"chat": group.id, "body": "what Bob said"})
    number = [source.name for source in SOURCES].index("incidents")
    assert await rows(await owned_by(export_harness, ann.id), number) == []


async def test_of_a_group_that_they_left_nothing_is_theirs_that_others_said_since(
    export_harness: ExportHarness,
) -> None:
    ann, bob = somebody("Ann"), somebody("Bob")
    group = ChatKey(agent="lull", chat_id=-ann.id)
    mention = (Entity(EntityType.MENTION, 0, len(ann.username) + 1),)
    below = QuotedMessage(message_id=1, author=ann, excerpt="I like tea")
    answered = Decision(respond=True, reason="named", tier=DecisionTier.EXPLICIT)
    entries: list[AnyEntry] = [
        said(ann, "I like tea", 1, turn=1, decision=answered),
        said(bob, f"@{ann.username} so do I", 2, entities=mention),
        said(bob, f"@{ann.username} the vault is open", 20, entities=mention),
        said(bob, "and it is empty", 21, reply=below),
        said(ME, "to both of you", 22, turn=1),
        Edit(at=NOW + timedelta(seconds=23), message_id=2, author=bob, text="edited since"),
        Reaction(at=NOW + timedelta(seconds=24), message_id=1, author=bob, emojis=("x",)),
        said(bob, f"@{ann.username} welcome back", 40, entities=mention),
    ]
    conversation = await export_harness.talk(group, entries, title="what it is called since")
    observed = {
        "id": "o", "conversation": conversation, "agent": "lull", "place": "p", "text": "observed since",
        "about": [ann.id], "entries": [3], "made_at": NOW,
    }  # fmt: skip
    await export_harness.keep(paths.observation_path(conversation, "o"), observed)
    left = {"left_at": [NOW + timedelta(seconds=10)], "is_member": False}
    await export_harness.saw(group, ann, **left)
    told = json.dumps([row.fields for row in await every_row(export_harness, ann.id)], default=str)
    assert "so do I" in told
    for since in ("vault", "empty", "both of you", "edited", "Reaction", "welcome", "called since", "observed since"):
        assert since not in told
    assert "reaction" not in told
    # they are back, but may not get the messages from the time of their absence
    await export_harness.saw(group, ann, left_at=left["left_at"], joined_at=[NOW + timedelta(seconds=30)])
    told = json.dumps([row.fields for row in await every_row(export_harness, ann.id)], default=str)
    assert "welcome back" in told
    assert "called since" in told
    assert "vault" not in told


async def test_somebody_who_is_not_known_to_be_there_gets_what_was_said_up_to_their_last_word(
    export_harness: ExportHarness,
) -> None:
    ann, bob = somebody("Ann"), somebody("Bob")
    group = ChatKey(agent="lull", chat_id=-ann.id)
    mention = (Entity(EntityType.MENTION, 0, len(ann.username) + 1),)
    for number, name in enumerate(("a", "b")):  # what they did in another conversation of the group counts
        spoken = [said(bob, f"@{ann.username} {name} {n}", 10 * number + n, entities=mention) for n in (2, 4)]
        first = said(ann, f"own {name}", 10 * number + 1)
        last = said(ann, f"last {name}", 10 * number + 3)
        await export_harness.talk(group, [first, spoken[0], last, spoken[1]], name=f"conv-{name}{ann.id}")
    await export_harness.saw(group, ann, fresh_until=None)
    found = [row.fields["content"] for row in await every_row(export_harness, ann.id) if "content" in row.fields]
    assert [text.rpartition("@")[2].removeprefix(f"{ann.username} ") for text in found] == [
        "own a", "a 2", "last a", "a 4", "own b", "b 2", "last b",
    ]  # fmt: skip


async def test_what_they_write_elsewhere_is_no_sign_that_they_are_in_a_group(export_harness: ExportHarness) -> None:
    """Another agent of the group never saw them in the group. It knows only their name, and messages to them."""
    ann, bob = somebody("Ann"), somebody("Bob")
    seen, unseen = ChatKey(agent="lull", chat_id=-ann.id), ChatKey(agent="moss", chat_id=-ann.id)
    named = (Entity(EntityType.TEXT_MENTION, 0, 3, user_id=ann.id),)
    await export_harness.talk(ChatKey(agent="moss", chat_id=ann.id), [said(ann, "hello", 90)])
    await export_harness.talk(seen, [said(ann, "hello all", 1)])
    spoken = [said(bob, "Ann is here", 5, entities=named), said(bob, "Ann has gone", 20, entities=named)]
    await export_harness.talk(unseen, spoken, name=f"conv-moss{ann.id}")
    left = {"left_at": [NOW + timedelta(seconds=10)], "is_member": False}
    await export_harness.saw(seen, ann, **left)
    told = json.dumps([row.fields for row in await every_row(export_harness, ann.id)], default=str)
    assert ("Ann is here" in told, "Ann has gone" in told) == (True, False)


async def test_their_direct_messages_to_a_channel_are_theirs_and_others_are_not(export_harness: ExportHarness) -> None:
    ann, bob = somebody("Ann"), somebody("Bob")
    for person in (ann, bob):
        key = ChatKey(agent="lull", chat_id=-ann.id, topic_id=-person.id)
        entries = [said(person, f"from {person.name}", 1), said(ME, f"to {person.name}", 2)]
        await export_harness.talk(key, entries, name=f"conv-d{person.id}")
        await export_harness.saw(key, person, fresh_until=None, places=[f"lull.{-ann.id}_{person.id}"])
    told = json.dumps([row.fields for row in await every_row(export_harness, ann.id)], default=str)
    assert ("from Ann" in told, "to Ann" in told) == (True, True)
    assert "Bob" not in told


async def every_row(export_harness: ExportHarness, person: int) -> list[ExportLine]:
    subject = await owned_by(export_harness, person)
    found = [row for number in range(len(SOURCES)) for row in await rows(subject, number)]
    return [row for row in found if isinstance(row, ExportLine)]


async def test_whose_words_of_other_chats_a_reminder_or_a_memory_may_be_made_of_is_not_told(
    export_harness: ExportHarness,
) -> None:
    ann, bob = somebody("Ann"), somebody("Bob")
    used = ConversationSpan(conversation="conv-x", chat_id=-ann.id, first_seq=1, last_seq=1, people=(bob.id,))
    await export_harness.talk(ChatKey(agent="lull", chat_id=ann.id), [said(ann, "tea?", 1)])
    await export_harness.keep(
        paths.event_path(f"r{ann.id}"), {"person": ann.id, "text": "tea", "elsewhere": [used.model_dump()]}
    )
    owner = MemoryOwner(scope=MemoryScope.PERSON, agent="lull", person=ann.id)
    source = MemorySource(place=f"lull.{ann.id}", person=ann.id)
    memory = Memory(
        id="m", text="tea", scope=owner.scope, source=source, made_at=NOW, changed_at=NOW, elsewhere=(used,)
    )
    written = change_write(MemoryChange(owner=owner, kept=(memory,)))
    await export_harness.keep(written.path, written.document or {})
    subject = await owned_by(export_harness, ann.id)
    told = {one.name: await rows(subject, number) for number, one in enumerate(SOURCES)}
    for name in ("memories", "reminders"):
        assert [row.fields["text"] for row in told[name] if isinstance(row, ExportLine)] == ["tea"]
        assert str(bob.id) not in str(told[name])
