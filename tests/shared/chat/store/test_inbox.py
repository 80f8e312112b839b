"""The webhook's writes in the emulator: if the answer is 200, the update is stored once."""

import json
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest

from shared.base.logs import about
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.inbox import FirestoreInbox
from shared.chat.store.incidents import decode_incident
from shared.chat.store.layout import KEPT_INCIDENTS, KEPT_UPDATES, LONGEST_RAW, as_read, encode_update
from shared.values.chat import Chat, ChatAccess, ChatClaim, Lease, PlanningState
from shared.values.chat_key import ChatKey, ChatStatus
from shared.values.incident import Incident, IncidentKind
from shared.values.update import Envelope, InboxUpdate, Json
from tests.shared.examples import NOW, SECOND, message_update, update_of
from tests.shared.updates import RAW


def in_chat(key: ChatKey, update: InboxUpdate) -> InboxUpdate:
    envelope = replace(update.envelope, key=key)
    return replace(update, envelope=envelope)


async def stored(inbox: FirestoreInbox, path: str) -> dict[str, object]:
    return (await inbox.client.document(path).get()).to_dict() or {}


async def test_an_update_is_stored_once_and_a_repeat_is_known(inbox: FirestoreInbox, key: ChatKey) -> None:
    first, repeat = in_chat(key, update_of(message_update(7, "one"))), in_chat(key, update_of(message_update(7, "two")))
    with about(trace="t1"):
        assert await inbox.add(first)
    assert not await inbox.add(repeat)
    assert await stored(inbox, f"chats/{key.id}/inbox/{7:020d}") == {
        "update_id": 7,
        "kind": "message",
        "chat_kind": "private",
        "received_at": NOW,
        "read": False,
        "trace": "t1",
        "raw": json.dumps(first.raw, separators=(",", ":")),
    }, "without a moment at which it is deleted: it is not read yet"


def test_keeps_read_updates_for_a_while() -> None:
    assert as_read(NOW) == {"read": True, "expires_at": NOW + KEPT_UPDATES}
    assert timedelta(days=1) < KEPT_UPDATES, "Telegram repeats an update for a day"


async def test_every_known_update_comes_back_as_it_was(
    inbox: FirestoreInbox, chats: FirestoreChats, key: ChatKey
) -> None:
    updates = {raw["update_id"]: in_chat(key, update_of(raw)) for raw in RAW.values()}
    for update in updates.values():
        assert await inbox.add(update)
    assert await chats.unread(key, 200) == [updates[update_id] for update_id in sorted(updates)]


#: all letters that UTF-8 encodes in two bytes; a random text of them cannot be compressed well
TWO_BYTES = list(map(chr, range(0x80, 0x800)))
ODD: dict[str, Json] = {
    "lone surrogates": {"update_id": 1, "message": {"text": "\ud83d", "\udc00": "\udfff"}},
    "nested lists and odd keys": {"update_id": 1, "message": {"a": [[[]]], "__x__": {"": 1}, ".`": None}},
    "huge numbers": {"update_id": 1, "message": {"n": 10**30, "f": 1e308}},
    "an empty update": {"update_id": 1},
    "NUL": {"update_id": 1, "message": {"text": "\x00"}},
    "a body of a mebibyte": {"update_id": 1, "message": {"text": "".join(map(chr, range(0x4E00, 0x8E00))) * 21}},
    "a body of a mebibyte that hardly packs": {
        "update_id": 1,
        "message": {"text": "".join(Random(1).choices(TWO_BYTES, k=524_000))},
    },
}


@pytest.mark.parametrize("name", ODD)
async def test_odd_updates_are_stored_and_come_back(
    inbox: FirestoreInbox, chats: FirestoreChats, key: ChatKey, name: str
) -> None:
    update = in_chat(key, update_of(ODD[name]))
    assert len(json.dumps(update.raw, ensure_ascii=False).encode("utf-8", "surrogatepass")) < 1024 * 1024 + 200
    assert await inbox.add(update)
    assert await chats.unread(key, 5) == [update]


def test_a_long_update_is_packed() -> None:
    short = update_of(message_update(7, "x" * (LONGEST_RAW - 1000)))
    long = update_of(message_update(7, "x" * LONGEST_RAW))
    assert isinstance(encode_update(short)["raw"], str)
    assert isinstance(encode_update(long)["raw"], bytes)
    assert len(encode_update(long)["raw"]) < 10_000


async def test_a_chat_that_nobody_wrote_is_a_new_one(inbox: FirestoreInbox, key: ChatKey) -> None:
    assert await inbox.status(key) == ChatStatus()


async def test_the_webhook_is_told_what_a_chat_document_says(inbox: FirestoreInbox, key: ChatKey) -> None:
    lease = Lease(owner="me", until=NOW)
    chat = Chat(
        key=key,
        claim=ChatClaim(generation=5, lease=lease),
        planning=PlanningState(active_until=NOW + SECOND),
        access=ChatAccess(muted_until=NOW + 2 * SECOND),
    )
    await inbox.client.document(f"chats/{key.id}").set(chat.model_dump() | {"stamp": "x"})
    expected = ChatStatus(generation=5, held_until=NOW, active_until=NOW + SECOND, muted_until=NOW + 2 * SECOND)
    assert await inbox.status(key) == expected
    await inbox.client.document(f"chats/{key.id}").set(Chat(key=key, claim=ChatClaim(generation=6)).model_dump())
    assert await inbox.status(key) == ChatStatus(generation=6)


async def test_an_incident_is_kept_once_and_for_a_while(inbox: FirestoreInbox, key: ChatKey) -> None:
    kind, name = IncidentKind.DEAD_LETTER, f"dead-{key.chat_id}"
    incident = Incident(id=name, kind=kind, at=NOW, why="w", agent="lull", body="{")
    assert await inbox.add_incident(incident)
    assert not await inbox.add_incident(replace(incident, why="met again"))
    found = await stored(inbox, f"incidents/{name}")
    assert found.pop("expires_at") == NOW + KEPT_INCIDENTS
    assert decode_incident(found) == incident


async def test_the_order_of_the_names_is_the_order_of_the_ids(
    inbox: FirestoreInbox, chats: FirestoreChats, key: ChatKey
) -> None:
    ids = [10, 9, 2**62, 731540001, 0]
    for update_id in ids:
        await inbox.add(in_chat(key, update_of({"update_id": update_id})))
    envelopes: list[Envelope] = [update.envelope for update in await chats.unread(key, 10)]
    assert [envelope.update_id for envelope in envelopes] == sorted(ids)
