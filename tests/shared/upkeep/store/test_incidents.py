"""Incidents in the emulator, in a database of their own."""

import itertools
import os
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from shared.base.errors import StoreUnavailable, WriteConflict
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.inbox import FirestoreInbox
from shared.chat.store.incidents import decode_incident
from shared.chat.store.layout import as_read
from shared.upkeep.store.incidents import PAGE, FirestoreIncidents, IncidentSnapshot
from shared.values.incident import Incident, IncidentKind
from tests.shared.examples import KEY, NOW, SECOND, message_update, update_of

_numbers = itertools.count(1)
DEAD, UNKNOWN = IncidentKind.DEAD_LETTER, IncidentKind.UNKNOWN_DELIVERY


@pytest.fixture
async def kept(emulator: str) -> AsyncIterator[FirestoreIncidents]:
    """Make a project for this test alone."""
    found = FirestoreIncidents(f"incidents-{os.getpid()}-{next(_numbers)}")
    yield found
    found.client.close()  # type: ignore[no-untyped-call]


def incident(incident_id: str, kind: IncidentKind = DEAD, age_s: int = 0, **fields: object) -> Incident:
    return decode_incident(
        {"id": incident_id, "kind": kind, "at": NOW - age_s * SECOND, "why": "w", "agent": "lull", "body": "x"} | fields
    )


async def keep(kept: FirestoreIncidents, *incidents: Incident) -> None:
    inbox = FirestoreInbox(str(kept.client.project))
    for one in incidents:
        await inbox.add_incident(one)
    inbox.client.close()  # type: ignore[no-untyped-call]


async def found(kept: FirestoreIncidents, incident_id: str) -> IncidentSnapshot:
    seen = await kept.find(incident_id)
    assert seen is not None
    return seen


async def test_the_newest_come_first_and_no_more_than_asked(kept: FirestoreIncidents) -> None:
    old, new, other = incident("old", age_s=9), incident("new"), incident("other", UNKNOWN, age_s=3)
    await keep(kept, old, new, other)
    assert await kept.newest(None, 10, also_replayed=False) == [new, other, old]
    assert await kept.newest(None, 2, also_replayed=False) == [new, other]
    assert await kept.newest(DEAD, 10, also_replayed=False) == [new, old]
    assert await kept.newest(IncidentKind.DROPPED_PLAN, 10, also_replayed=False) == []


async def test_what_was_replayed_is_left_out_unless_it_is_asked_for(kept: FirestoreIncidents) -> None:
    await keep(kept, incident("one"), incident("two", age_s=1))
    await kept.note_replay(await found(kept, "one"), NOW)
    assert [i.id for i in await kept.newest(DEAD, 10, also_replayed=False)] == ["two"]
    assert [i.id for i in await kept.newest(DEAD, 10, also_replayed=True)] == ["one", "two"]
    assert (await found(kept, "one")).incident == incident("one", replayed_at=NOW)


async def test_one_that_waits_is_found_behind_pages_of_replayed_ones(kept: FirestoreIncidents) -> None:
    await keep(kept, *(incident(f"{n}", age_s=n, replayed_at=NOW) for n in range(PAGE + 5)), incident("z", age_s=999))
    assert [i.id for i in await kept.newest(None, 10, also_replayed=False)] == ["z"]
    assert len(await kept.newest(None, 1000, also_replayed=True)) == PAGE + 6


@pytest.mark.parametrize("name", ["nothing", "", ".", "..", "a/b", "a/b/c", "__x__", "x" * 2_000, "\n"])
async def test_what_is_no_incident_is_not_found(kept: FirestoreIncidents, name: str) -> None:
    assert await kept.find(name) is None


async def test_an_incident_of_another_shape_is_passed_over(kept: FirestoreIncidents) -> None:
    await keep(kept, incident("good"))
    await kept.client.document("incidents/odd").set({"at": NOW + SECOND, "kind": "sabotage"})
    assert [i.id for i in await kept.newest(None, 10, also_replayed=True)] == ["good"]
    assert await kept.find("odd") is None


async def test_a_put_aside_update_is_unread_again_in_the_same_commit(
    kept: FirestoreIncidents, chats: FirestoreChats
) -> None:
    raw = message_update(41)
    await keep(kept, incident("one", chat=KEY.id, update_id=41))
    path = f"chats/{KEY.id}/inbox/{41:020d}"
    await kept.client.document(path).set(as_read(NOW))
    seen = await found(kept, "one")
    await kept.put_back(seen, update_of(raw), NOW)
    document = (await kept.client.document(path).get()).to_dict() or {}
    assert (document["read"], document["update_id"], document["received_at"]) == (False, 41, NOW)
    assert "expires_at" not in document
    assert (await found(kept, "one")).incident.replayed_at == NOW

    await kept.client.document(path).update({"read": True})
    with pytest.raises(WriteConflict):
        await kept.put_back(seen, update_of(raw), NOW + SECOND)
    assert ((await kept.client.document(path).get()).to_dict() or {})["read"] is True


async def test_a_commit_whose_answer_was_lost_finds_itself(kept: FirestoreIncidents) -> None:
    await keep(kept, incident("one"))
    seen = await found(kept, "one")
    moment = NOW + timedelta(microseconds=123_456)
    for _ in range(2):  # the client repeats it with the version that it had read
        await kept.note_replay(seen, moment)
    with pytest.raises(WriteConflict, match="somebody else"):
        await kept.note_replay(seen, moment + SECOND)


async def test_one_that_is_gone_meanwhile_is_not_made_anew(kept: FirestoreIncidents) -> None:
    await keep(kept, incident("one"))
    seen = await found(kept, "one")
    await kept.client.document("incidents/one").delete()
    with pytest.raises(WriteConflict):
        await kept.note_replay(seen, NOW)
    assert await kept.find("one") is None


async def test_a_firestore_that_refuses_is_unavailable(kept: FirestoreIncidents) -> None:
    await keep(kept, incident("one"))
    nowhere = FirestoreIncidents("no such project")
    with pytest.raises(StoreUnavailable):
        await nowhere.newest(None, 1, also_replayed=True)
    nowhere.client.close()  # type: ignore[no-untyped-call]
