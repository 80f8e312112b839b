"""The next commit of a session writes everything that was noted, or nothing, and only while the session holds the
lease.
"""

import logging
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.errors import LeaseLost, StopRequested
from shared.chat.conversation import UNPAGED_BYTES, WINDOW_BYTES, newest
from shared.chat.session import Session
from shared.chat.store.chats import ChatCommit, ChatSnapshot, FirestoreChats, ReadUpdates
from shared.chat.store.inbox import FirestoreInbox
from shared.chat.store.incidents import NewIncident
from shared.chat.store.plans import CurrentPlan
from shared.chat.store.transcripts import decode_window
from shared.chat.store.writes import Record
from shared.chat.terms import SessionTerms
from shared.recall.matching.segmenting import SEGMENTING
from shared.recall.store.segments import SegmentRecord
from shared.values.chat import Lease
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.incident import Incident, IncidentKind
from tests.shared.examples import NOW, PROPERTY, SECOND, message_update, plan_of, said, send, update_of


def terms(owner: str = "tick-1", lease: timedelta = 60 * SECOND, window_entries: int = 3) -> SessionTerms:
    return SessionTerms(owner=owner, lease=lease, window_entries=window_entries, clock=lambda: NOW)


async def held(chats: FirestoreChats, key: ChatKey, how: SessionTerms | None = None) -> Session:
    how = how or terms()
    seen = await chats.claim(await chats.see(key), Lease(owner=how.owner, until=NOW + how.lease))
    hold = Session(chats, seen, how)
    hold.note_chat(evolve(hold.chat, conversation=f"conv-{key.chat_id}"))
    return hold


async def written(inbox: FirestoreInbox, key: ChatKey, *update_ids: int) -> None:
    for update_id in update_ids:
        update = update_of(message_update(update_id))
        await inbox.add(replace(update, envelope=replace(update.envelope, key=key)))


async def test_nothing_is_written_before_the_commit_and_all_of_it_by_it(
    chats: FirestoreChats, inbox: FirestoreInbox, key: ChatKey
) -> None:
    await written(inbox, key, 1, 2, 3)
    hold = await held(chats, key)
    await hold.note_entries([said("one"), said("two")])
    hold.note(ReadUpdates((1, 2)))
    hold.note_chat(evolve(hold.chat, title="T"))
    hold.note(NewIncident(Incident(id=f"i{key.chat_id}", kind=IncidentKind.DEAD_LETTER, at=NOW, why="w", agent="lull")))
    assert hold.noted_read == {1, 2}
    assert [entry.seq for entry in await hold.window()] == [1, 2]
    assert (await chats.see(key)).chat.talk.seq == 0
    assert await chats.unread_count(key) == 3

    await hold.commit(plan_of(send()))
    chat = (await chats.see(key)).chat
    assert (chat.talk.seq, chat.title, chat.claim.lease) == (2, "T", Lease(owner="tick-1", until=NOW + 60 * SECOND))
    assert await chats.plan(key) == plan_of(send())
    assert [update.envelope.update_id for update in await chats.unread(key, 5)] == [3]
    assert hold.noted_read == frozenset()
    assert (await chats.client.document(f"incidents/i{key.chat_id}").get()).exists


async def test_an_incident_is_logged_once_when_it_is_kept(
    chats: FirestoreChats, key: ChatKey, caplog: pytest.LogCaptureFixture
) -> None:
    hold = await held(chats, key)
    with caplog.at_level(logging.INFO, "lull"):
        hold.note(
            NewIncident(Incident(id=f"i{key.chat_id}", kind=IncidentKind.DROPPED_PLAN, at=NOW, why="w", agent="lull"))
        )
        assert caplog.messages == []
        await hold.commit()
        await hold.commit()
    (line,) = [record for record in caplog.records if record.getMessage() == "an incident"]
    assert vars(line)["fields"] == {"kind": "dropped_plan", "incident": f"i{key.chat_id}"}


async def test_a_chat_is_behind_only_while_something_was_noted_in_it(chats: FirestoreChats, key: ChatKey) -> None:
    hold = await held(chats, key)
    hold.note_chat(evolve(hold.chat, title="T"))
    await hold.commit()
    assert not (await chats.see(key)).chat.talk.is_behind
    await hold.note_entries([said("one")])
    await hold.commit()
    assert (await chats.see(key)).chat.talk.is_behind
    await hold.commit(release=True)
    assert not (await chats.see(key)).chat.talk.is_behind


async def test_writes_nothing_twice(chats: FirestoreChats, key: ChatKey) -> None:
    hold = await held(chats, key)
    await hold.note_entries([said("one")])
    await hold.commit()
    pages = chats.client.collection(f"conversations/{hold.chat.conversation}/messages")
    assert not await pages.get()
    assert [entry.seq for entry in (await chats.see(key)).chat.talk.unpaged] == [1]
    await hold.note_entries([said("two")])
    await hold.commit(release=True)
    chat = (await chats.see(key)).chat
    assert (chat.claim.lease, chat.talk.unpaged) == (None, ())
    assert [[entry["seq"] for entry in page.get("entries")] for page in await pages.get()] == [[1, 2]]
    assert [entry.seq for entry in await chats.window(chat, 5)] == [1, 2]


async def test_writes_entries_too_long_for_the_chat_as_a_page_at_once(chats: FirestoreChats, key: ChatKey) -> None:
    hold = await held(chats, key)
    await hold.note_entries([said("w" * UNPAGED_BYTES)])
    await hold.commit()
    assert not (await chats.see(key)).chat.talk.unpaged
    await hold.note_entries([said("two")])
    await hold.commit(release=True)
    pages = await chats.client.collection(f"conversations/{hold.chat.conversation}/messages").get()
    assert [page.get("first_seq") for page in pages] == [1, 2]
    assert [entry.seq for entry in await hold.window()] == [1, 2]


async def test_the_window_and_the_conversation_are_brought_up_to_date_when_the_chat_is_given_back(
    chats: FirestoreChats, key: ChatKey
) -> None:
    hold = await held(chats, key)
    await hold.note_entries([said(str(n)) for n in range(5)])
    await hold.commit()
    window = chats.client.document(f"chats/{key.id}/window/current")
    assert not (await window.get()).exists
    await hold.commit(release=True)
    assert [entry.seq for entry in decode_window((await window.get()).to_dict())] == [3, 4, 5]
    assert (await chats.client.document(f"conversations/conv-{key.chat_id}").get()).get("entries") == 5


async def test_a_tick_that_lost_the_chat_changes_nothing_more(chats: FirestoreChats, key: ChatKey) -> None:
    first = await held(chats, key)
    second = await held(chats, key, terms("tick-2"))
    await first.note_entries([said("too late")])
    with pytest.raises(LeaseLost):
        await first.commit(plan_of(send()), release=True)
    await second.commit()
    chat = (await chats.see(key)).chat
    assert chat.claim.lease is not None
    assert (chat.claim.lease.owner, chat.talk.seq) == ("tick-2", 0)
    assert await chats.plan(key) is None


async def test_a_stop_request_that_a_commit_wrote_over_is_heeded_by_the_next_that_heeds_any(
    chats: FirestoreChats, key: ChatKey
) -> None:
    hold = await held(chats, key)
    await chats.ask_to_stop(key, 7)
    hold.note_chat(evolve(hold.chat, title="T"))
    await hold.commit()
    assert (await chats.see(key)).chat.title == "T"
    with pytest.raises(StopRequested):
        await hold.commit(release=True, raises_stop=True)
    assert (await chats.see(key)).chat.claim.lease is not None
    await hold.commit(release=True, raises_stop=True)
    assert (await chats.see(key)).chat.claim.lease is None


async def test_a_chat_that_is_given_back_has_names_that_nobody_used(chats: FirestoreChats, key: ChatKey) -> None:
    hold = await held(chats, key)
    await hold.commit()
    claimed = (await chats.see(key)).chat.claim.generation
    await hold.commit(release=True)
    assert (claimed, (await chats.see(key)).chat.claim.generation) == (1, 2)


async def test_a_new_tick_goes_on_where_the_transcript_ends(chats: FirestoreChats, key: ChatKey) -> None:
    first = await held(chats, key)
    await first.note_entries([said("one"), said("two")])
    await first.commit()
    second = await held(chats, key, terms("tick-2"))
    await second.note_entries([said("three")])
    assert [entry.seq for entry in await second.window()] == [1, 2, 3]


@PROPERTY
@given(st.lists(st.integers(0, WINDOW_BYTES), max_size=8), st.integers(1, 5))
def test_a_window_is_the_newest_entries_that_fit(sizes: list[int], most: int) -> None:
    entries = [said("x" * size, message_id=n) for n, size in enumerate(sizes)]
    kept = newest(entries, most)
    assert list(kept) == entries[len(entries) - len(kept) :]
    assert len(kept) <= most
    assert bool(kept) == bool(entries)
    weight = sum(len(entry.model_dump_json()) for entry in kept)
    assert len(kept) == 1 or weight <= WINDOW_BYTES


async def test_another_conversation_begins_empty_and_what_was_noted_stays_with_the_old_one(
    chats: FirestoreChats, key: ChatKey
) -> None:
    hold = await held(chats, key)
    hold.note_conversation()
    old = hold.chat.conversation
    assert old == f"conv-{key.chat_id}", "the chat had one"
    hold.note_part(evolve(hold.chat.talk, conversation_title="Tea", model="big"))
    await hold.note_entries([said("one"), said("two")])
    await hold.note_other_conversation()
    assert await hold.window() == ()
    await hold.note_entries([said("three")])
    assert (await chats.see(key)).chat.talk.seq == 0, "nothing is written before the commit"
    await hold.commit(release=True)
    chat = (await chats.see(key)).chat
    assert chat.conversation.startswith("conv-")
    assert (chat.conversation != old, chat.talk.seq, chat.talk.conversation_title, chat.talk.model) == (
        True,
        1,
        "",
        "big",
    )
    assert (chat.talk.turn, [getattr(e, "turn", 0) for e in await chats.window(chat, 50)]) == (1, [1])
    assert [e.seq for e in await chats.window(chat, 50)] == [1]
    left = evolve(chat, conversation=old, talk=evolve(chat.talk, seq=2))
    assert [e.seq for e in await chats.window(left, 50)] == [1, 2]
    found = (await chats.client.document(f"conversations/{old}").get()).to_dict() or {}
    assert (found["title"], found["entries"], found["turns"], found["updated_at"]) == ("Tea", 2, 1, NOW)


async def test_a_conversation_that_was_only_begun_leaves_nothing_behind(chats: FirestoreChats, key: ChatKey) -> None:
    hold = await held(chats, key)
    hold.note_chat(evolve(hold.chat, conversation=""))
    hold.note_conversation()
    first = hold.chat.conversation
    await hold.note_other_conversation()
    await hold.commit(release=True)
    assert hold.chat.conversation not in {"", first}
    assert not (await chats.client.document(f"conversations/{first}").get()).exists
    assert await chats.window((await chats.see(key)).chat, 50) == ()


async def test_catches_up_with_entries_of_a_killed_tick(chats: FirestoreChats, key: ChatKey) -> None:
    dead = await held(chats, key)
    await dead.note_entries([said("one"), said("two")])
    await dead.commit(plan_of(send()))
    conversation = chats.client.document(f"conversations/{dead.chat.conversation}")
    assert not (await conversation.get()).exists
    assert [entry.seq for entry in await chats.window((await chats.see(key)).chat, 3)] == [1, 2]

    late = terms("tick-2")
    until = NOW + 600 * SECOND
    heir = Session(chats, await chats.claim(await chats.see(key), Lease(owner="tick-2", until=until)), late)
    await heir.commit(release=True)
    told = (await conversation.get()).to_dict() or {}
    assert (told["entries"], "changed_at" in told) == (2, True)
    chat = (await chats.see(key)).chat
    assert not chat.talk.is_behind
    assert [entry.seq for entry in await chats.window(chat, 3)] == [1, 2]
    pages = await conversation.collection("messages").get()
    assert [[entry["text"] for entry in page.get("entries")] for page in pages] == [["one", "two"]]


async def test_entries_of_a_killed_tick_stay_with_their_conversation(chats: FirestoreChats, key: ChatKey) -> None:
    dead = await held(chats, key)
    await dead.note_entries([said("one")])
    await dead.commit(plan_of(send()))
    lease = Lease(owner="tick-2", until=NOW + 600 * SECOND)
    heir = Session(chats, await chats.claim(await chats.see(key), lease), terms("tick-2"))
    await heir.note_other_conversation()
    await heir.note_entries([said("two")])
    await heir.commit()
    await heir.commit(release=True)
    for conversation, text in ((dead.chat.conversation, "one"), (heir.chat.conversation, "two")):
        pages = await chats.client.collection(f"conversations/{conversation}/messages").get()
        assert [[entry["text"] for entry in page.get("entries")] for page in pages] == [[text]]


async def test_moves_unpaged_entries_of_the_new_chat_into_its_transcript(chats: FirestoreChats, key: ChatKey) -> None:
    new = ChatKey(agent=key.agent, chat_id=-key.chat_id)
    dead = await held(chats, new)
    await dead.note_entries([said("there")])
    await dead.commit()
    old = await held(chats, key)
    await old.note_entries([said("here")])
    await old.commit()
    await old.move(await chats.see(new), None)
    chat = (await chats.see(new)).chat
    assert (chat.conversation, chat.talk.unpaged) == (old.chat.conversation, ())
    for conversation, text in ((dead.chat.conversation, "there"), (old.chat.conversation, "here")):
        pages = await chats.client.collection(f"conversations/{conversation}/messages").get()
        assert [[entry["text"] for entry in page.get("entries")] for page in pages] == [[text]]


@pytest.mark.parametrize("is_counted", [True, False])
async def test_letting_go_counts_the_generation_as_any_giving_back(
    chats: FirestoreChats, key: ChatKey, is_counted: bool
) -> None:
    hold = await held(chats, key)
    await hold.note_entries([said("one")])
    claimed = (await chats.see(key)).chat
    await hold.let_go(is_counted=is_counted)
    chat = (await chats.see(key)).chat
    assert (chat.claim.lease, chat.talk.seq, chat.claim.generation) == (None, 0, claimed.claim.generation + 1)
    assert chat.claim.starts == claimed.claim.starts - (not is_counted)


async def test_segments_that_no_commit_takes_are_written_before_it_and_the_plan_before_them(
    chats: FirestoreChats, key: ChatKey
) -> None:
    hold = await held(chats, key, replace(terms(window_entries=50), segmenting=SEGMENTING))
    await hold.note_entries([said("".join(chr(0x4E00 + n * 50 + i) for i in range(4_000))) for n in range(8)])
    await chats.ask_to_stop(key, 7)
    with pytest.raises(StopRequested):
        await hold.commit(plan_of(send()), release=True, raises_stop=True)
    assert await chats.plan(key) is None
    await hold.commit(plan_of(send()))
    segments = chats.client.collection(f"conversations/conv-{key.chat_id}/segments")
    assert (await chats.see(key)).chat.recall.segment.number == 1
    assert not await segments.get()
    await hold.commit(plan_of(send()), release=True, raises_stop=True)
    numbers = [int(one.id) for one in await segments.select([]).get()]
    assert numbers == list(range(1, len(numbers) + 1))
    chat = (await chats.see(key)).chat
    assert (chat.claim.lease, chat.talk.is_behind, chat.recall.segment.number) == (None, False, len(numbers))


class Watched(FirestoreChats):
    """Chats that record the writes of each commit."""

    def __init__(self, project: str) -> None:
        super().__init__(project)
        self.kinds = list[set[type[Record]]]()

    async def commit(self, held: ChatSnapshot, change: ChatCommit) -> ChatSnapshot:
        self.kinds.append({type(one) for one in change.records})
        return await super().commit(held, change)


@pytest.mark.parametrize("release", [False, True])
async def test_writes_a_calls_result_before_many_segments(emulator: str, key: ChatKey, release: bool) -> None:
    chats = Watched(emulator)
    hold = await held(chats, key, replace(terms(window_entries=50), segmenting=SEGMENTING))
    await hold.note_entries([said("".join(chr(0x4E00 + n * 50 + i) for i in range(4_000))) for n in range(8)])
    chats.kinds.clear()
    await (hold.commit(plan_of(send()), release=True) if release else hold.keep_up(plan_of(send())))
    first, *later = chats.kinds
    assert (CurrentPlan in first, SegmentRecord in first) == (True, False)
    assert sum(SegmentRecord in kinds for kinds in later) > 1
    stored = await chats.client.collection(f"conversations/conv-{key.chat_id}/segments").select([]).get()
    seen = (await chats.see(key)).chat
    assert (seen.recall.segment.number, seen.claim.lease is None) == (len(stored), release)
    chats.client.close()  # type: ignore[no-untyped-call]


async def test_few_segments_wait_for_the_end_of_the_tick(chats: FirestoreChats, key: ChatKey) -> None:
    hold = await held(chats, key, replace(terms(window_entries=50), segmenting=SEGMENTING))
    await hold.note_entries([said("tea")])
    await hold.keep_up(plan_of(send()))
    assert (await chats.see(key)).chat.talk.is_behind
    await hold.commit(release=True)
    assert not (await chats.see(key)).chat.talk.is_behind
