"""Writes as they reach a batch, and the registry of records."""

from datetime import UTC, datetime

import pytest

from shared.adapters.firestore.chats import FirestoreChats, writes_in
from shared.adapters.firestore.writes import Batch, Commit, Mode, Write, replace_seen, writes_of
from shared.models.chat import Chat
from shared.models.chat_key import ChatKey
from shared.models.evolve import evolve
from shared.models.message import AnyEntry
from shared.ports.chats import Change, ChatSnapshot
from shared.records import ConversationState, Record, TranscriptPart
from tests.shared.adapters.changes import change_of
from tests.shared.values import KEY, NOW, plan_of, said, send


def entries(count: int) -> tuple[AnyEntry, ...]:
    return tuple(evolve(said("x", message_id=n), seq=n) for n in range(1, count + 1))


def test_every_kind_of_record_is_mapped() -> None:
    kinds = Record.__subclasses__()
    assert kinds
    assert {kind for kind in kinds if writes_of.dispatch(kind) is writes_of.dispatch(object)} == set()


def test_a_record_that_nothing_maps_is_a_mistake() -> None:
    with pytest.raises(TypeError, match="maps Record"):
        writes_of(Record(), Commit(chat=Chat(key=KEY), at=NOW))


def test_what_was_not_there_is_created_and_what_was_must_be_unchanged() -> None:
    assert replace_seen("a/b", {"c": 1}, None) == Write(path="a/b", document={"c": 1}, mode=Mode.CREATE)
    seen = object()
    assert replace_seen("a/b", {}, seen) == Write(path="a/b", document={}, mode=Mode.UPDATE, version=seen)


async def test_each_write_finds_what_it_expects(chats: FirestoreChats, key: ChatKey) -> None:
    path = f"chats/{key.id}"
    version = datetime.now(UTC)
    given = [
        Write(path=path, document={"a": 1}, mode=Mode.CREATE),
        Write(path=path, document={"a": 1}, mode=Mode.SET),
        Write(path=path, document={"a": 1}, mode=Mode.MERGE),
        Write(path=path, document={"a": 1}, mode=Mode.UPDATE),
        Write(path=path, document={"a": 1}, mode=Mode.UPDATE, version=version),
    ]
    batch = Batch(chats.client)
    for write in given:
        batch.add(write)
    found = [(w.current_document, list(w.update_mask.field_paths)) for w in batch._write_pbs]
    assert [("exists" in c, c.exists, fields) for c, fields in found[:4]] == [
        (True, False, []),
        (False, False, []),
        (False, False, ["a"]),
        (True, True, ["a"]),
    ]
    assert found[4][0].update_time == version


def test_a_conversation_that_is_left_is_written_whole_beside_the_new_one() -> None:
    held = ChatSnapshot(chat=Chat(key=KEY), version=None)
    old = evolve(held.chat, seq=2, conversation="conv-1")
    new = evolve(held.chat, seq=1, conversation="conv-2")
    records = (
        TranscriptPart(conversation="conv-1", entries=entries(2)),
        ConversationState(chat=old, newest_at=NOW),
        TranscriptPart(conversation="conv-2", entries=entries(1)),
    )
    assert [write.path for write in writes_in(held, Change(chat=new, records=records), "stamp")] == [
        f"chats/{KEY.id}",
        "conversations/conv-1/messages/0000000001",
        "conversations/conv-1",
        "conversations/conv-2/messages/0000000001",
    ]


def test_the_first_write_is_the_chat_and_nothing_is_written_that_did_not_change() -> None:
    held = ChatSnapshot(chat=Chat(key=KEY), version=None)
    (only,) = writes_in(held, Change(chat=held.chat), "stamp")
    assert (only.mode, only.document["stamp"]) == (Mode.CREATE, "stamp")
    version = object()
    chat = evolve(held.chat, seq=2, conversation="conv-1")
    change = change_of(
        chat, read=(1, 2), entries=entries(2), window=entries(1), plan=plan_of(send()), conversation=True
    )
    writes = list(writes_in(ChatSnapshot(chat=chat, version=version), change, "stamp"))
    assert [write.path for write in writes] == [
        f"chats/{KEY.id}",
        f"chats/{KEY.id}/inbox/{1:020d}",
        f"chats/{KEY.id}/inbox/{2:020d}",
        "conversations/conv-1/messages/0000000001",
        f"chats/{KEY.id}/window/current",
        "conversations/conv-1",
        f"plans/{KEY.id}",
    ]
    assert [write.version for write in writes] == [version, *[None] * 6]
