"""Deletions in the real Firestore: data that is deleted, that stays, and that stays without the person."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from shared.base.errors import WriteConflict
from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.layout import EMPTY
from shared.chat.store.people import DailyCounter, DailyQuota, FirestorePeople
from shared.chat.store.transcripts import encode_page
from shared.privacy.store.chat_deletion import FirestoreChatDeletion
from shared.privacy.store.deletion_lookup import ConversationOutline, TranscriptPage
from shared.privacy.store.person_deletion import BotDeletionCriteria, FirestorePersonDeletion
from shared.values.access_request import request_id
from shared.values.chat_key import ChatKey
from shared.values.memory import MemoryOwner, MemoryScope
from shared.values.message import Author
from shared.values.transcript import TranscriptScan
from tests.shared.new_chats import entry

SOON = datetime.now(UTC) + timedelta(hours=1)
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
ROOM = ChatKey(agent="lull", chat_id=-5)
ANN = 1_100_000_001


def never(_: object) -> bool:
    return False


async def put(chats: FirestoreChats, path: str, **fields: Any) -> None:
    await chats.client.document(path).set(fields)


async def left(chats: FirestoreChats, *wanted: str) -> list[str]:
    return [path for path in wanted if (await chats.client.document(path).get()).exists]


async def test_a_conversation_goes_with_whatever_is_below_it(chats: FirestoreChats) -> None:
    below = [paths.page_path("conv-1", 1), paths.segment_path("conv-1", 1), "conversations/conv-1/later/x"]
    for path in below:
        await put(chats, path, text="x")
    await put(chats, "conversations/conv-1", entries=7)
    await put(chats, "conversations/conv-2", entries=7)
    erasing = FirestoreChatDeletion(chats.client)
    assert await erasing.delete_conversation("conv-1") == {"documents": 4, "conversations": 1, "entries": 7}
    assert await erasing.delete_conversation("conv-1") == {}
    assert await left(chats, *below, "conversations/conv-1", "conversations/conv-2") == ["conversations/conv-2"]


async def test_what_models_are_shown_of_a_conversation_goes_and_its_transcript_stays(
    chats: FirestoreChats,
) -> None:
    shown = [
        paths.segment_path("conv-1", 1),
        paths.compression_path("conv-1"),
        paths.replaced_compression_path("conv-1", 7),
        f"{paths.observations_path('conv-1')}/1",
    ]
    for path in (*shown, paths.page_path("conv-1", 1)):
        await put(chats, path, text="x")
    await put(chats, "conversations/conv-1", abbreviation="x", embedding=[1.0], opening="x", title="t")
    assert await FirestoreChatDeletion(chats.client).delete_derived("conv-1") == 4
    assert await left(chats, *shown, paths.page_path("conv-1", 1)) == [paths.page_path("conv-1", 1)]
    known = (await chats.client.document("conversations/conv-1").get()).to_dict() or {}
    assert (known["abbreviation"], known["opening"], known["title"], "embedding" in known) == ("", "", "t", False)


async def test_whom_a_conversation_of_before_names_itself_goes_from_it(
    chats: FirestoreChats,
) -> None:
    told = {"people": [1, 2, 3], "participants": {"1": {"name": "Ann"}, "2": {"name": "Bob"}}}
    await put(chats, "conversations/conv-1", **told)
    await put(chats, "conversations/conv-2", opening="x")
    bob = Author(id=2, name="Bob", username="b")
    telling = TranscriptScan(participants={2: bob, 9: Author(id=9, name="Cy")}, people={2, 3, 9})
    await put(chats, "conversations/conv-3", participants=[9, 1, 2])
    for name in ("conv-1", "conv-2", "conv-3"):
        outline = ConversationOutline(conversation=name, chat="c", title="", is_named_by_hand=False, entries=1)
        await FirestoreChatDeletion(chats.client).reduce_conversation(outline, telling)
    left = (await chats.client.document("conversations/conv-1").get()).to_dict() or {}
    assert (left["people"], left["participants"]) == ([2, 3], {"2": {"name": "Bob", "username": "b"}})
    assert ((await chats.client.document("conversations/conv-3").get()).to_dict() or {})["participants"] == [9, 2]
    assert not ((await chats.client.document("conversations/conv-2").get()).to_dict() or {}).keys() & told.keys()


async def test_those_of_whom_something_is_remembered_are_found_among_many(chats: FirestoreChats) -> None:
    owners = [MemoryOwner(scope=MemoryScope.PERSON, agent="lull", person=n) for n in range(1, 700)]
    for one in (owners[0], owners[650]):
        await put(chats, paths.memories_path(one), memories={})
    assert await FirestorePersonDeletion(chats.client).owners_with_memories(owners) == [owners[0], owners[650]]


async def test_a_page_that_changed_is_not_written_over(chats: FirestoreChats) -> None:
    path = paths.page_path("conv-1", 1)
    await put(chats, path, **encode_page([entry(1, "a")]))
    seen = await chats.client.document(path).get()
    page = TranscriptPage(path=path, version=seen.update_time, entries=(entry(1, "a"),))
    erasing = FirestoreChatDeletion(chats.client)
    await erasing.rewrite([(page, [entry(1, "b")])])
    other = paths.page_path("conv-1", 2)
    await put(chats, other, **encode_page([entry(2, "a")]))
    fresh = await chats.client.document(other).get()
    second = TranscriptPage(path=other, version=fresh.update_time, entries=(entry(2, "a"),))
    with pytest.raises(WriteConflict):
        await erasing.rewrite([(second, [entry(2, "c")]), (page, [entry(1, "c")])])
    assert (await chats.client.document(other).get()).update_time == fresh.update_time, "neither is written"


async def test_updates_are_emptied_and_stay_so_that_a_repeat_is_one(chats: FirestoreChats) -> None:
    for number, at in ((1, LONG_AGO), (2, SOON)):
        await put(chats, paths.update_path(ROOM, number), raw='{"a": 1}', read=number == 1, received_at=at, trace="t")
    erasing = FirestoreChatDeletion(chats.client)
    assert (await erasing.delete_below_chat(ROOM, datetime.now(UTC)))["documents"] == 1
    first, second = [(await chats.client.document(paths.update_path(ROOM, n)).get()).to_dict() or {} for n in (1, 2)]
    assert (first["raw"], first["trace"], second["raw"]) == (EMPTY, "", '{"a": 1}')


async def test_what_has_a_person_in_a_field_goes_and_what_came_later_stays(chats: FirestoreChats) -> None:
    await put(chats, "events/a", person=ANN, text="x")
    await put(chats, "events/b", person=2, text="x")
    await put(chats, "memberships/a", person=ANN)
    erasing = FirestorePersonDeletion(chats.client)
    assert (await erasing.delete_documents_of_person(ANN, LONG_AGO)).total() == 0
    assert await left(chats, "events/a", "memberships/a") == ["events/a", "memberships/a"]
    counts = await erasing.delete_documents_of_person(ANN, SOON)
    assert (counts["documents"], counts["events"]) == (2, 1)
    assert await left(chats, "events/a", "events/b", "memberships/a") == ["events/b"]


async def test_what_a_person_made_as_an_owner_goes_too(chats: FirestoreChats) -> None:
    await put(chats, "marks/of", person=ANN, by=ANN)
    await put(chats, "marks/by", person=2, by=ANN)
    await put(chats, "marks/others", person=2, by=3)
    counts = await FirestorePersonDeletion(chats.client).delete_documents_of_person(ANN, SOON)
    assert (counts["documents"], counts["marks"]) == (2, 2)
    assert await left(chats, "marks/of", "marks/by", "marks/others") == ["marks/others"]


async def test_what_is_settled_later_loses_its_person_too_and_its_sum_stays(chats: FirestoreChats) -> None:
    await put(chats, "usage/a", id="a", person=ANN, chat="lull:1", day="2026-11-25", used={"usd": 0.5})
    counts = await FirestorePersonDeletion(chats.client).delete_documents_of_person(ANN, LONG_AGO)
    assert counts["usage"] == 1
    stripped = (await chats.client.document("usage/a").get()).to_dict()
    assert stripped == {"id": "a", "day": "2026-11-25", "used": {"usd": 0.5}}


async def test_who_told_something_of_themselves_told_nothing(chats: FirestoreChats) -> None:
    owner = MemoryOwner(scope=MemoryScope.PERSON, agent="lull", person=ANN)
    await put(chats, paths.person_path(ANN), pronouns="they/them")
    await put(chats, paths.memories_path(owner), memories={})
    counts = await FirestorePersonDeletion(chats.client).delete_person_document(ANN, SOON)
    assert counts["documents"] == 2
    assert await left(chats, paths.person_path(ANN), paths.memories_path(owner)) == []


async def test_what_is_counted_after_the_cut_keeps_nothing_that_was_told_before_it(chats: FirestoreChats) -> None:
    people, erasing, cut = (
        FirestorePeople(chats.client),
        FirestorePersonDeletion(chats.client),
        LONG_AGO + timedelta(hours=1),
    )
    today = DailyQuota(counted=DailyCounter.READ, agent="lull", day="2026-11-28", most=5)
    await people.keep_pronouns(ANN, "they/them", LONG_AGO)
    await people.draw(ANN, today, 1)
    assert (await erasing.delete_person_document(ANN, cut))["documents"] == 1
    assert await left(chats, paths.person_path(ANN)) == []
    await people.draw(ANN, today, 1)
    await people.keep_zone(ANN, "Asia/Tokyo", cut + timedelta(hours=1))
    assert (await erasing.delete_person_document(ANN, cut))["documents"] == 0, (
        "they told that after they were forgotten"
    )
    assert (await people.profile(ANN)).zone == "Asia/Tokyo"
    assert (await erasing.delete_person_document(ANN, SOON))["documents"] == 1


async def test_of_a_chat_that_is_in_another_conversation_goes_what_is_of_earlier_ones(
    chats: FirestoreChats,
) -> None:
    moments = {1: LONG_AGO, 2: datetime.now(UTC), 3: LONG_AGO, 4: datetime.now(UTC)}
    for number, at in moments.items():
        await put(chats, paths.update_path(ROOM, number), raw='{"a": 1}', read=number < 3, received_at=at, trace="t")
    erasing, cut = FirestoreChatDeletion(chats.client), LONG_AGO + timedelta(hours=1)
    assert await erasing.empty_inbox(ROOM, cut, cut) == 2
    raws = [(await chats.client.document(paths.update_path(ROOM, n)).get()).get("raw") for n in moments]
    assert raws == [EMPTY, '{"a": 1}', EMPTY, '{"a": 1}']
    window = paths.window_path(ROOM)
    await put(chats, window, conversation="conv-2", entries="x")
    assert await erasing.delete_other_window(ROOM, "conv-2") == 0
    assert await left(chats, window) == [window]
    assert await erasing.delete_other_window(ROOM) == 1
    assert await erasing.delete_other_window(ROOM) == 0


async def test_what_is_beside_a_chat_of_a_conversation_that_it_leaves_goes(chats: FirestoreChats) -> None:
    there = [paths.plan_path(ROOM), paths.past_plan_path(ROOM, "p2"), paths.window_path(ROOM)]
    for path in there:
        await put(chats, path, notes=["y"])
    assert await FirestoreChatDeletion(chats.client).delete_window_and_plans(ROOM) == 3
    assert await left(chats, *there) == []


async def test_incidents_and_flood_waits_are_of_nobody_then_but_for_those_since(chats: FirestoreChats) -> None:
    await put(chats, "incidents/a", chat=ROOM.id, body="")
    await put(chats, "incidents/b", chat="", body=f'{{"from": {ANN}}}')
    await put(chats, "incidents/c", chat="", body="x")
    erasing = FirestorePersonDeletion(chats.client)
    await put(chats, "incidents/d", chat=ROOM.id, body="", at=SOON)
    assert await erasing.delete_incidents([ROOM.id], ANN, datetime.now(UTC)) == 2
    assert await left(chats, "incidents/a", "incidents/b", "incidents/c", "incidents/d") == [
        "incidents/c",
        "incidents/d",
    ]
    await put(chats, "bots/lull", waits={str(ANN): SOON})
    assert await erasing.erase_from_bots(BotDeletionCriteria(ANN, [ANN], SOON)) == 1


async def test_of_a_group_go_its_reminders_who_was_seen_and_its_wish_to_be_let_in_and_not_of_other_agents(
    chats: FirestoreChats,
) -> None:
    former, others = ChatKey(agent="lull", chat_id=-4), ChatKey(agent="other", chat_id=ROOM.chat_id)
    requests = [paths.request_path(request_id(key)) for key in (ROOM, former, others)]
    for path in requests:
        await put(chats, path, at=LONG_AGO, title="x")
    await put(chats, "events/a", chat=ROOM.id, agent="lull")
    await put(chats, "events/b", chat=former.id, agent="lull")
    await put(chats, "memberships/a", chat_id=ROOM.chat_id, agent="other")
    erasing = FirestorePersonDeletion(chats.client)
    assert (await erasing.delete_documents_of_group([ROOM, former], datetime(2019, 1, 1, tzinfo=UTC))).total() == 0
    counts = await erasing.delete_documents_of_group([ROOM, former], SOON)
    assert (counts["documents"], counts["events"], counts["requests"]) == (4, 2, 2)
    assert await left(chats, *requests, "events/a", "memberships/a") == [requests[2], "memberships/a"]
