"""Chats in the emulator: claims, preconditions, inboxes, windows."""

import asyncio
import json
import logging
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from shared.base.errors import LeaseLost, PlanUnreadable, StopRequested, StoreRefused, WriteConflict
from shared.chat.store.chats import ChatSnapshot, FirestoreChats
from shared.chat.store.inbox import FirestoreInbox
from shared.chat.store.layout import KEPT_UPDATES
from shared.tasks.plan import DeliveryState, Plan
from shared.values.chat import Chat, Lease
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.evolve import evolve
from shared.values.incident import Incident, IncidentKind
from shared.values.message import AnyEntry
from shared.values.update import Json
from tests.shared.chat.store.changes import change_of
from tests.shared.examples import NOW, SECOND, begun, message_update, plan_of, said, send, update_of, wait

LEASE = Lease(owner="tick-1", until=NOW + 60 * SECOND)


async def written(inbox: FirestoreInbox, key: ChatKey, update_id: int, at: datetime = NOW) -> None:
    """Store an update."""
    update = update_of(message_update(update_id), at=at)
    envelope = replace(update.envelope, key=key)
    await inbox.add(replace(update, envelope=envelope))


async def claimed(chats: FirestoreChats, key: ChatKey) -> ChatSnapshot:
    return await chats.claim(await chats.see(key), LEASE)


def entries(first: int, count: int, text: str = "hi") -> tuple[AnyEntry, ...]:
    return tuple(evolve(said(text, message_id=n), seq=n) for n in range(first, first + count))


def transcribed(chat: Chat, upto: int) -> Chat:
    return evolve(chat, talk=evolve(chat.talk, seq=upto), conversation=f"conv-{chat.key.chat_id}")


async def update_document(chats: FirestoreChats, key: ChatKey, update_id: int) -> Json:
    return (await chats.client.document(f"chats/{key.id}/inbox/{update_id:020d}").get()).to_dict() or {}


async def test_a_claim_takes_the_lease_and_counts_up(
    chats: FirestoreChats, inbox: FirestoreInbox, key: ChatKey
) -> None:
    first = await chats.see(key)
    assert first == ChatSnapshot(chat=Chat(key=key), version=None)
    held = await chats.claim(first, LEASE)
    assert (held.chat.claim.generation, held.chat.claim.lease) == (1, LEASE)
    assert await chats.see(key) == held
    assert (await chats.claim(held, LEASE)).chat.claim.generation == 2
    assert (await chats.see(key)).chat == held.chat.with_part(evolve(held.chat.claim, generation=2, starts=2))
    assert (await inbox.status(key)).generation == 2


async def test_of_many_claims_at_once_one_wins(chats: FirestoreChats, key: ChatKey) -> None:
    for generation in (1, 2):
        seen = await chats.see(key)
        claims = [chats.claim(seen, evolve(LEASE, owner=str(n))) for n in range(8)]
        results = await asyncio.gather(*claims, return_exceptions=True)
        won = [result for result in results if isinstance(result, ChatSnapshot)]
        assert len(won) == 1
        assert all(isinstance(result, ChatSnapshot | WriteConflict) for result in results)
        assert await chats.see(key) == won[0]
        assert won[0].chat.claim.generation == generation


async def test_a_commit_writes_everything_or_nothing(
    chats: FirestoreChats, inbox: FirestoreInbox, key: ChatKey
) -> None:
    for n in (1, 2):
        await written(inbox, key, n)
    held = await claimed(chats, key)
    chat = transcribed(
        evolve(
            held.chat,
            claim=evolve(held.chat.claim, lease=None),
            kind=ChatKind.PRIVATE,
            due_at=NOW,
            talk=evolve(held.chat.talk, turn=1),
        ),
        2,
    )
    incident = Incident(id=f"i-{key.chat_id}", kind=IncidentKind.UNKNOWN_DELIVERY, at=NOW, why="w", agent="lull")
    plan = plan_of(send(), wait(after=("1",)))
    plan = evolve(plan, tasks=(begun(send(), DeliveryState.CONFIRMED), plan.tasks[1]))
    said_now = entries(1, 2)
    change = change_of(
        chat, read=(1, 2), entries=said_now, window=said_now, plan=plan, conversation=True, incidents=(incident,)
    )
    await claimed(chats, key)
    with pytest.raises(LeaseLost):
        await chats.commit(held, change)
    assert await chats.unread_count(key) == 2
    assert await chats.plan(key) is None
    assert not (await chats.client.document(f"incidents/{incident.id}").get()).exists

    after = await chats.commit(await chats.see(key), change)
    assert await chats.see(key) == after
    assert after.chat == chat
    assert await chats.unread_count(key) == 0
    assert await chats.unread(key, 5) == []
    assert await chats.plan(key) == plan
    assert await chats.window(chat, 5) == said_now
    assert (await chats.client.document(f"incidents/{incident.id}").get()).exists
    conversation = (await chats.client.document(f"conversations/{chat.conversation}").get()).to_dict() or {}
    assert (conversation["entries"], conversation["chat"], conversation["updated_at"]) == (2, key.id, NOW)


async def test_an_update_may_be_deleted_from_when_it_was_read_on(
    chats: FirestoreChats, inbox: FirestoreInbox, key: ChatKey
) -> None:
    for n in (1, 2, 3):
        await written(inbox, key, n)
    held = await claimed(chats, key)
    before = datetime.now(UTC)
    await chats.commit(held, change_of(held.chat, read=(1,)))
    elsewhere = ChatKey(agent=key.agent, chat_id=key.chat_id, topic_id=7)
    await chats.forward((await chats.unread(key, 1))[0], elsewhere)
    after = datetime.now(UTC)
    read, handed_on, unread = [await update_document(chats, key, n) for n in (1, 2, 3)]
    assert [document["read"] for document in (read, handed_on, unread)] == [True, True, False]
    assert all(before <= document["expires_at"] - KEPT_UPDATES <= after for document in (read, handed_on))
    assert "expires_at" not in unread
    assert "expires_at" not in await update_document(chats, elsewhere, 2)


async def test_a_version_is_good_for_one_commit(chats: FirestoreChats, key: ChatKey) -> None:
    held = await claimed(chats, key)
    second = await chats.commit(held, change_of(held.chat))
    with pytest.raises(LeaseLost):
        await chats.commit(held, change_of(held.chat))
    await chats.commit(second, change_of(held.chat))


async def test_a_commit_whose_answer_was_lost_finds_itself(chats: FirestoreChats, key: ChatKey) -> None:
    held = await claimed(chats, key)
    later = evolve(held.chat, title="x")
    await chats.client.document(f"chats/{key.id}").set(later.model_dump() | {"stamp": "mine"})
    found = await chats._already_written(held, change_of(later), "mine", RuntimeError())
    assert found == await chats.see(key)
    with pytest.raises(LeaseLost):
        await chats._already_written(held, change_of(later), "another's", RuntimeError())


async def test_a_stop_request_is_met_though_the_answer_of_a_commit_was_lost(
    chats: FirestoreChats, key: ChatKey
) -> None:
    held = await claimed(chats, key)
    later = evolve(held.chat, title="x")
    await chats.client.document(f"chats/{key.id}").set(later.model_dump() | {"stamp": "mine"})
    await chats.ask_to_stop(key, 77)
    found = await chats._already_written(held, change_of(later), "mine", RuntimeError())
    with pytest.raises(StopRequested) as asked:
        await chats.commit(found, change_of(found.chat))
    assert asked.value.stop == 77


async def test_a_stop_request_changes_nothing_else_and_needs_no_version(chats: FirestoreChats, key: ChatKey) -> None:
    held = await claimed(chats, key)
    await chats.ask_to_stop(key, 77)
    assert (await chats.see(key)).chat == held.chat.with_part(evolve(held.chat.claim, stop=77))


async def test_unread_updates_come_oldest_first_and_no_more_than_asked(
    chats: FirestoreChats, inbox: FirestoreInbox, key: ChatKey
) -> None:
    for n in (5, 3, 11, 7):
        await written(inbox, key, n)
    assert [u.envelope.update_id for u in await chats.unread(key, 3)] == [3, 5, 7]
    held = await claimed(chats, key)
    await chats.commit(held, change_of(held.chat, read=(3, 7)))
    assert [u.envelope.update_id for u in await chats.unread(key, 3)] == [5, 11]
    assert await chats.unread_count(key) == 2


async def test_the_newest_update_counts_whether_or_not_it_was_read(
    chats: FirestoreChats, inbox: FirestoreInbox, key: ChatKey
) -> None:
    assert await chats.newest_update_at(key) is None
    await written(inbox, key, 2, NOW + SECOND)
    await written(inbox, key, 3, NOW)
    held = await claimed(chats, key)
    await chats.commit(held, change_of(held.chat, read=(2,)))
    assert await chats.newest_update_at(key) == NOW + SECOND


async def test_more_than_five_hundred_writes_are_one_commit(
    chats: FirestoreChats, inbox: FirestoreInbox, key: ChatKey
) -> None:
    await asyncio.gather(*(written(inbox, key, n) for n in range(1, 231)))
    held = await claimed(chats, key)
    chat = transcribed(held.chat, 230)
    await chats.commit(held, change_of(chat, read=tuple(range(1, 231)), entries=entries(1, 230)))
    assert await chats.unread_count(key) == 0


async def test_a_window_that_is_behind_is_rebuilt_from_the_transcript(chats: FirestoreChats, key: ChatKey) -> None:
    held = await claimed(chats, key)
    first, second = entries(1, 3), entries(4, 2)
    held = await chats.commit(held, change_of(transcribed(held.chat, 3), entries=first, window=first))
    held = await chats.commit(held, change_of(transcribed(held.chat, 5), entries=second))
    assert await chats.window(held.chat, 50) == first + second
    assert await chats.window(held.chat, 4) == (first + second)[-4:]
    other = evolve(held.chat, conversation="conv-another")
    assert await chats.window(other, 50) == ()


async def test_a_window_that_is_good_is_taken_as_it_is(chats: FirestoreChats, key: ChatKey) -> None:
    held = await claimed(chats, key)
    shown = entries(3, 1)
    held = await chats.commit(held, change_of(transcribed(held.chat, 3), entries=entries(1, 3), window=shown))
    assert await chats.window(held.chat, 50) == shown
    assert await chats.window(Chat(key=key), 50) == ()


async def test_a_long_transcript_is_cut_into_pages_and_put_together(chats: FirestoreChats, key: ChatKey) -> None:
    held = await claimed(chats, key)
    long = entries(1, 60, "x" * 20_000)
    held = await chats.commit(held, change_of(transcribed(held.chat, 60), entries=long))
    pages = await chats.client.collection(f"conversations/{held.chat.conversation}/messages").get()
    assert 4 <= len(pages) <= 6
    assert await chats.window(held.chat, 50) == long[-50:]


async def test_a_chat_keeps_its_moments(chats: FirestoreChats, key: ChatKey) -> None:
    held = await claimed(chats, key)
    chat = evolve(
        held.chat,
        due_at=NOW + timedelta(microseconds=1),
        planning=evolve(held.chat.planning, active_until=NOW),
        title="Zoë",
    )
    await chats.commit(held, change_of(chat))
    assert (await chats.see(key)).chat == chat


async def test_there_is_no_plan_at_first(chats: FirestoreChats, key: ChatKey) -> None:
    assert await chats.plan(key) is None


async def test_a_plan_replaces_the_one_before_it(chats: FirestoreChats, key: ChatKey) -> None:
    held = await claimed(chats, key)
    plans: list[Plan] = [plan_of(send(), wait(after=("1",))), plan_of(send("2"), plan_id="p2")]
    for plan in plans:
        held = await chats.commit(held, change_of(held.chat, plan=plan))
        assert await chats.plan(key) == plan


async def test_reports_an_unstorable_value_as_no_lost_lease(chats: FirestoreChats, key: ChatKey) -> None:
    held = await claimed(chats, key)
    with pytest.raises(StoreRefused, match="will never commit"):
        await chats.commit(held, change_of(evolve(held.chat, title="x" * 1_100_000)))
    await chats.commit(held, change_of(held.chat))


async def test_a_plan_of_an_unknown_shape_is_kept_to_be_looked_at(chats: FirestoreChats, key: ChatKey) -> None:
    stored = {"id": "old", "steps": [1, 2], "at": NOW}
    await chats.client.document(f"plans/{key.id}").set(stored)
    with pytest.raises(PlanUnreadable) as caught:
        await chats.plan(key)
    assert json.loads(caught.value.body) == stored | {"at": str(NOW)}
    assert "steps" not in str(caught.value)


@pytest.mark.parametrize("kept", [{"entries": '[{"type": "poll"}]'}, {"entries": []}, {"entries": "["}, {}])
async def test_a_window_that_cannot_be_read_is_rebuilt(
    chats: FirestoreChats, key: ChatKey, kept: dict[str, object]
) -> None:
    held = await claimed(chats, key)
    written = entries(1, 3)
    held = await chats.commit(held, change_of(transcribed(held.chat, 3), entries=written, window=written))
    named = {"seq": 3, "conversation": held.chat.conversation}
    await chats.client.document(f"chats/{key.id}/window/current").set(named | kept)
    assert await chats.window(held.chat, 2) == written[-2:]


async def test_leaves_unknown_kinds_out_of_a_rebuilt_window(
    chats: FirestoreChats, key: ChatKey, caplog: pytest.LogCaptureFixture
) -> None:
    held = await claimed(chats, key)
    held = await chats.commit(held, change_of(transcribed(held.chat, 3), entries=entries(1, 3)))
    page = chats.client.document(f"conversations/{held.chat.conversation}/messages/{1:010d}")
    found = (await page.get()).to_dict() or {}
    found["entries"][1] |= {"type": "poll", "text": "what Ann wrote"}
    await page.set(found)
    with caplog.at_level(logging.INFO, "lull"):
        assert [entry.seq for entry in await chats.window(held.chat, 50)] == [1, 3]
    (line,) = [record for record in caplog.records if record.name == "lull"]
    assert line.getMessage() == "an entry of a transcript cannot be read and is left out"
    assert "what Ann wrote" not in str(vars(line))
