"""Documents are encoded as the official client encodes them."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import pytest
from google.api_core.datetime_helpers import DatetimeWithNanoseconds
from google.cloud.firestore_v1.types import Write as WriteMessage

from shared.adapters.firestore import layout
from shared.adapters.firestore.chats import FirestoreChats
from shared.adapters.firestore.encoding import expect, name_fields, whole_write
from shared.adapters.firestore.records.transcripts import encode_page
from shared.adapters.firestore.writes import Batch, Mode, Write
from shared.models.chat import Chat
from tests.shared.values import KEY, NOW, plan_of, said, send


class Kind(StrEnum):
    """Some enum."""

    ONE = "one"


def moment(nanosecond: int) -> DatetimeWithNanoseconds:
    return DatetimeWithNanoseconds(2026, 11, 23, 5, nanosecond=nanosecond, tzinfo=UTC)  # type: ignore[no-untyped-call]


DOCUMENTS: dict[str, dict[str, Any]] = {
    "a chat": layout.encode_chat(Chat(key=KEY), "stamp"),
    "a page": encode_page((said("é 🦊"), said("x", message_id=2))),
    "a plan": layout.encode_plan(plan_of(send())),
    "read": layout.as_read(NOW),
    "nothing": {},
    "every kind of value": {
        "none": None,
        "yes": True,
        "no": False,
        "zero": 0,
        "long": -(2**63),
        "float": 1.5,
        "empty": "",
        "enum": Kind.ONE,
        "bytes": b"\xff\x00",
        "before": datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        "precise": moment(123_456_789),
        "empties": [{}, [{}], ()],
        "deep": {"1": {"a.b": ["x", {"y": None}]}},
    },
    "fields whose names must be quoted": {"a.b": 1, "`": 2, "1": 3, "two words": 4},
}
every_document = pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)


@every_document
async def test_a_document_is_encoded_as_the_client_does_it(chats: FirestoreChats, document: dict[str, Any]) -> None:
    batch, ref = chats.client.batch(), chats.client.document("chats/a")
    batch.set(ref, document)
    batch.create(ref, document)
    written, created = batch._write_pbs
    message = whole_write(ref._document_path, document)
    assert message == WriteMessage.pb(written)
    expect(message, exists=False)
    assert message == WriteMessage.pb(created)


@pytest.mark.parametrize("document", [one for name, one in DOCUMENTS.items() if name in {"a chat", "read"}])
async def test_an_update_is_encoded_as_the_client_does_it(chats: FirestoreChats, document: dict[str, Any]) -> None:
    batch, ref = chats.client.batch(), chats.client.document("chats/a")
    version = moment(123_456_000)  # as precise as Firestore tells it
    batch.update(ref, document, option=chats.client.write_option(last_update_time=version))
    (theirs,) = map(WriteMessage.pb, batch._write_pbs)
    message = whole_write(ref._document_path, document)
    name_fields(message, document)
    expect(message, version=version)
    assert sorted(message.update_mask.field_paths) == sorted(theirs.update_mask.field_paths)
    theirs.update_mask.CopyFrom(message.update_mask)  # its order says nothing
    assert message == theirs


@pytest.mark.parametrize("mode", [Mode.SET, Mode.MERGE])
async def test_a_number_of_more_than_64_bits_ends_no_commit(chats: FirestoreChats, mode: Mode) -> None:
    path = f"lookups/huge-{mode}"
    batch = Batch(chats.client)
    batch.add(Write(path=path, document={"a": 10**24, "b": [{"c": -(10**24)}], "d": True, "e": 1e300}, mode=mode))
    await batch.commit()
    written = (await chats.client.document(path).get()).to_dict()
    assert written == {"a": 2**63 - 1, "b": [{"c": -(2**63)}], "d": True, "e": 1e300}


def test_the_names_of_an_updates_fields_are_no_paths() -> None:
    document = DOCUMENTS["fields whose names must be quoted"]
    message = whole_write("chats/a", document)
    name_fields(message, document)
    assert list(message.update_mask.field_paths) == ["`a.b`", "`\\``", "`1`", "`two words`"]


def test_what_no_document_holds_is_refused() -> None:
    with pytest.raises(TypeError, match="no document holds a set"):
        whole_write("chats/a", {"a": [{"b": set()}]})
