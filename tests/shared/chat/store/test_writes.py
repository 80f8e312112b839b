"""Writes as a batch gets them, and the registry of records."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import pytest
from google.api_core import exceptions

from shared.chat.store.chats import ChatCommit, ChatSnapshot, FirestoreChats, writes_in
from shared.chat.store.conversations import ConversationState
from shared.chat.store.transcripts import TranscriptPart
from shared.chat.store.writes import Write, WriteBatch, WriteMode, replace_seen
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.message import AnyEntry
from tests.shared.chat.store.changes import change_of
from tests.shared.examples import KEY, NOW, plan_of, said, send


def entries(count: int) -> tuple[AnyEntry, ...]:
    return tuple(evolve(said("x", message_id=n), seq=n) for n in range(1, count + 1))


def test_creates_a_new_document_and_replaces_only_an_unchanged_one() -> None:
    assert replace_seen("a/b", {"c": 1}, None) == Write(path="a/b", document={"c": 1}, mode=WriteMode.CREATE)
    seen = object()
    assert replace_seen("a/b", {}, seen) == Write(path="a/b", document={}, mode=WriteMode.UPDATE, version=seen)


async def commit(
    chats: FirestoreChats, path: str, document: dict[str, Any], mode: WriteMode, version: Any = None
) -> Any:
    """Commit one write, and return the document's version."""
    batch = WriteBatch(chats.client)
    batch.add(Write(path=path, document=document, mode=mode, version=version))
    (result,) = await batch.commit()
    return result.update_time


async def read(chats: FirestoreChats, path: str) -> dict[str, Any] | None:
    return (await chats.client.document(path).get()).to_dict()


async def test_each_write_finds_what_it_expects(chats: FirestoreChats, key: ChatKey) -> None:
    path = f"chats/{key.id}"
    with pytest.raises(exceptions.NotFound):
        await commit(chats, path, {"a": 1}, WriteMode.UPDATE)
    await commit(chats, path, {"a": 1, "b": {"c": 1, "d": 1}}, WriteMode.CREATE)
    with pytest.raises(exceptions.AlreadyExists):
        await commit(chats, path, {"a": 2}, WriteMode.CREATE)
    await commit(chats, path, {"b": {"c": 2}}, WriteMode.MERGE)
    assert await read(chats, path) == {"a": 1, "b": {"c": 2, "d": 1}}
    await commit(chats, path, {"b": {"c": 3}}, WriteMode.UPDATE)
    assert await read(chats, path) == {"a": 1, "b": {"c": 3}}
    await commit(chats, path, {"a": 4}, WriteMode.SET)
    assert await read(chats, path) == {"a": 4}
    await commit(chats, path, {}, WriteMode.DELETE)
    assert await read(chats, path) is None
    await commit(chats, path, {}, WriteMode.SET)
    assert await read(chats, path) == {}


async def test_a_document_that_changed_since_is_not_updated(chats: FirestoreChats, key: ChatKey) -> None:
    path = f"chats/{key.id}"
    seen = await commit(chats, path, {"a": 1}, WriteMode.CREATE)
    newer = await commit(chats, path, {"a": 2}, WriteMode.UPDATE, seen)
    batch = WriteBatch(chats.client)
    batch.add(Write(path=f"{path}/inbox/1", document={"a": 3}, mode=WriteMode.SET))
    batch.add(Write(path=path, document={"a": 3}, mode=WriteMode.UPDATE, version=seen))
    with pytest.raises(exceptions.FailedPrecondition):
        await batch.commit()
    assert (await read(chats, path), await read(chats, f"{path}/inbox/1")) == ({"a": 2}, None)
    await commit(chats, path, {"a": 4}, WriteMode.UPDATE, newer)
    assert await read(chats, path) == {"a": 4}


class Kind(StrEnum):
    """An example of an enum."""

    ONE = "one"


#: values in a document → the values that are read from it
VALUES: dict[str, tuple[Any, Any]] = {
    "none": (None, None),
    "yes": (True, True),
    "no": (False, False),
    "zero": (0, 0),
    "long": (-(2**63), -(2**63)),
    "too long": (10**24, 2**63 - 1),
    "too short": ([{"c": -(10**24)}], [{"c": -(2**63)}]),
    "large": (1e300, 1e300),
    "empty": ("", ""),
    "enum": (Kind.ONE, "one"),
    "bytes": (b"\xff\x00", b"\xff\x00"),
    "before": (datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),) * 2,
    "empties": ([{}, {"a": []}], [{}, {"a": []}]),
    "tuple": (({"a": ()},), [{"a": []}]),
    "empty map": ({}, {}),
    "deep": ({"1": {"a.b": ["x", {"y": None}]}},) * 2,
}


@pytest.mark.parametrize("mode", [WriteMode.CREATE, WriteMode.SET, WriteMode.MERGE])
async def test_a_value_is_read_as_it_was_written(chats: FirestoreChats, key: ChatKey, mode: WriteMode) -> None:
    path = f"chats/{key.id}"
    await commit(chats, path, {name: written for name, (written, _) in VALUES.items()}, mode)
    assert await read(chats, path) == {name: stored for name, (_, stored) in VALUES.items()}


@pytest.mark.parametrize("mode", [WriteMode.CREATE, WriteMode.SET, WriteMode.MERGE, WriteMode.UPDATE])
async def test_the_names_of_fields_are_no_paths(chats: FirestoreChats, key: ChatKey, mode: WriteMode) -> None:
    path, document = f"chats/{key.id}", {"a.b": 1, "`": 2, "1": 3, "two words": 4, "c*": {"d.e": 5}}
    if mode is not WriteMode.CREATE:
        await commit(chats, path, {"a": {"b": 0}} if mode is WriteMode.UPDATE else {}, WriteMode.CREATE)
    await commit(chats, path, document, mode)
    assert await read(chats, path) == document | ({"a": {"b": 0}} if mode is WriteMode.UPDATE else {})


def test_what_no_document_holds_is_refused(chats: FirestoreChats) -> None:
    with pytest.raises(TypeError, match="Firestore Value"):
        WriteBatch(chats.client).add(Write(path="chats/a", document={"a": [{"b": object()}]}, mode=WriteMode.SET))


def test_a_conversation_that_is_left_is_written_whole_beside_the_new_one() -> None:
    held = ChatSnapshot(chat=Chat(key=KEY), version=None)
    old = evolve(held.chat, talk=evolve(held.chat.talk, seq=2), conversation="conv-1")
    new = evolve(held.chat, talk=evolve(held.chat.talk, seq=1), conversation="conv-2")
    records = (
        TranscriptPart(conversation="conv-1", entries=entries(2)),
        ConversationState(chat=old, newest_at=NOW),
        TranscriptPart(conversation="conv-2", entries=entries(1)),
    )
    assert [write.path for write in writes_in(held, ChatCommit(chat=new, records=records), "stamp")] == [
        f"chats/{KEY.id}",
        "conversations/conv-1/messages/0000000001",
        "conversations/conv-1",
        "conversations/conv-2/messages/0000000001",
    ]


def test_the_first_write_is_the_chat_and_nothing_is_written_that_did_not_change() -> None:
    held = ChatSnapshot(chat=Chat(key=KEY), version=None)
    (only,) = writes_in(held, ChatCommit(chat=held.chat), "stamp")
    assert (only.mode, only.document["stamp"]) == (WriteMode.CREATE, "stamp")
    version = object()
    chat = evolve(held.chat, talk=evolve(held.chat.talk, seq=2), conversation="conv-1")
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


def test_a_change_writes_nothing_but_the_chat_unless_it_is_told() -> None:
    unset = {name: field.default for name, field in ChatCommit.__dataclass_fields__.items() if name != "chat"}
    assert unset == {"records": ()}
