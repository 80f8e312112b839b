"""Each kind of document is read as it was written."""

import json
from datetime import timedelta

import pytest
from google.auth.credentials import AnonymousCredentials
from google.cloud.firestore_v1 import DELETE_FIELD
from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.store import layout
from shared.chat.store.bots import decode_owner, decode_waits, encode_owner, encode_waits
from shared.chat.store.chats import decode_chat
from shared.chat.store.conversations import encode_compression, encode_conversation
from shared.chat.store.incidents import decode_incident
from shared.chat.store.plans import encode_past_plan, encode_plan
from shared.chat.store.queries import Cursor, encode_cursor
from shared.chat.store.transcripts import encode_page
from shared.chat.store.writes import Write, WriteBatch, WriteMode
from shared.telegram.inbound.entries import entry_of
from shared.values.chat import Chat, ChatAccess, ChatClaim, CurrentConversation, Lease, PlanningState
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.incident import Incident, IncidentKind
from shared.values.keyboard import Keyboard
from shared.values.message import Event
from shared.values.prompt import CompressionSummary
from tests.shared.examples import KEY, NOW, message_update, plan_of, said, send, update_of

#: only makes values and sends no request
CLIENT = AsyncClient(project="lull", credentials=AnonymousCredentials())  # type: ignore[no-untyped-call]


def test_a_chat_is_read_as_it_was_written_whatever_its_stamp() -> None:
    chat = Chat(key=KEY, title="Club", due_at=NOW)
    assert layout.encode_chat(chat) == chat.model_dump() | {"offered_at": None}
    stamped = layout.encode_chat(chat, "s1")
    assert (layout.stamp_in(stamped), layout.stamp_in(layout.encode_chat(chat))) == ("s1", "")
    assert decode_chat(KEY, stamped) == chat
    assert decode_chat(KEY, None) == Chat(key=KEY)


ODD: tuple[object, ...] = (
    1e24,
    1e308,
    float("nan"),
    -1,
    0.5,
    "12",
    "x",
    True,
    None,
    2**63 - 1,
    -(2**63),
    [],
    {},
    [1],
    {"a": 1},
)


@pytest.mark.parametrize("name", [*Chat(key=KEY).model_dump(), "lease.until"])
def test_an_odd_field_ends_no_chat_and_costs_no_other(name: str) -> None:
    for odd in ODD:
        assert_costs_no_other(name, odd)


def assert_costs_no_other(name: str, odd: object) -> None:
    chat = Chat(
        key=KEY,
        kind=ChatKind.PRIVATE,
        title="Club",
        topic="Tea",
        conversation="conv-1",
        talk=CurrentConversation(seq=3, turn=2, unpaged=(said("a", seq=3),)),
        claim=ChatClaim(generation=7, lease=Lease(owner="t", until=NOW)),
        access=ChatAccess(muted_until=NOW),
        planning=PlanningState(active_until=NOW),
        due_at=NOW,
    )
    document = layout.encode_chat(chat)
    if name == "lease.until":
        document["lease"] = {"owner": "t", "until": odd}
    else:
        document[name] = odd
    found = decode_chat(KEY, document)
    assert found.key == KEY
    assert found.title == ("Club" if name != "title" else found.title)
    # if the progress is unknown, a new conversation begins, which has no pages yet
    assert found.conversation != "conv-1" or (found.talk.seq, found.talk.turn) == (3, 2) or name in {"seq", "turn"}
    WriteBatch(CLIENT).add(Write(path="chats/a", document=layout.encode_chat(found), mode=WriteMode.SET))
    status = layout.decode_status(document)
    assert status.generation >= 0
    for is_so in (status.is_muted, status.is_active, status.is_held):
        assert is_so(NOW) is False


def test_a_generation_that_is_none_is_one_that_no_task_has() -> None:
    assert decode_chat(KEY, layout.encode_chat(Chat(key=KEY)) | {"generation": 0.5}).claim.generation > 10**9


def test_an_update_is_read_as_it_was_written() -> None:
    for text in ("hi", "x" * layout.LONGEST_RAW, "\ud83d"):
        update = update_of(message_update(7, text))
        document = layout.encode_update(update)
        assert document["read"] is False
        assert layout.decode_update(update.envelope.key, document) == update
        assert layout.decode_raw(document) == update.raw
    elsewhere = ChatKey(agent="moss", chat_id=1)
    assert layout.decode_update(elsewhere, document).envelope.key == elsewhere


@pytest.mark.parametrize("odd", [None, 5, ["x"], {"a": 1}, "?", b"?", float("nan")])
def test_drops_malformed_fields_of_an_update(odd: object) -> None:
    known = layout.encode_update(update_of(message_update(7, "hi")))
    for fields in (known.keys() - {"update_id"}, ("kind",), ("chat_kind",), ("raw",), ("received_at",)):
        found = layout.decode_update(KEY, {**known, **dict.fromkeys(fields, odd)})
        assert found.envelope.update_id == 7
        assert isinstance(entry_of(found, 1), Event) or "raw" not in fields
    assert layout.decode_update(KEY, {"update_id": 7}).raw == {}


def test_writes_the_expiry_of_documents() -> None:
    incident = Incident(id="i", kind=IncidentKind.DEAD_LETTER, at=NOW, why="w", agent="lull")
    assert decode_incident(layout.encode_incident(incident)) == incident
    assert layout.encode_incident(incident)["expires_at"] == NOW + timedelta(days=90)
    assert layout.as_read(NOW) == {"read": True, "expires_at": NOW + timedelta(days=7)}
    plan = plan_of(send())
    assert encode_past_plan(plan)["expires_at"] == plan.created_at + timedelta(days=90)
    assert "expires_at" not in encode_plan(plan)


def test_documents_say_where_they_belong() -> None:
    chat = Chat(key=KEY, talk=CurrentConversation(seq=7, turn=2), conversation="conv-1", title="T")
    entries = (said("a", seq=6), said("b", seq=7))
    assert encode_page(entries)["first_seq"] == 6
    found = encode_conversation(chat, NOW)
    assert (found["chat_title"], found["entries"], found["updated_at"]) == ("T", 7, NOW)
    assert "title" not in found, "a title that was found for it is not to be lost"
    summary = CompressionSummary(up_to_seq=7, text="t", made_at=NOW)
    assert CompressionSummary.model_validate(encode_compression(summary)) == summary


def test_a_conversation_is_called_what_a_person_called_it() -> None:
    found = encode_conversation(Chat(key=KEY, talk=CurrentConversation(conversation_title="Tea", model="big")), None)
    assert (found["title"], found["manually_named"], found["model"], found["updated_at"]) == ("Tea", True, "big", None)


def test_lists_no_conversation_without_messages() -> None:
    assert "updated_at" not in encode_conversation(
        Chat(key=KEY, talk=CurrentConversation(seq=2), conversation="conv-1"), NOW
    )


def test_a_bot_has_waits_and_an_owner() -> None:
    assert encode_waits({-5: NOW, 6: DELETE_FIELD}) == {"waits": {"-5": NOW, "6": DELETE_FIELD}}
    assert decode_waits({"waits": {"-5": NOW}}) == {-5: NOW}
    assert (decode_waits(None), decode_owner(None)) == ({}, None)
    assert decode_owner(encode_owner(7, NOW)) == 7
    odd = {"waits": {"-5": NOW, "6": "soon", "x": NOW, "": None}, "owner": "7"}
    assert (decode_waits(odd), decode_waits({"waits": 3})) == ({-5: NOW}, {})
    assert decode_owner(odd) is None
    one = {"username": "a_bot", "at": NOW, "in_persona": ""}
    names = {"5": one | {"later": 1}, "x": one, "6": {"username": 7, "at": NOW}, "7": one | {"at": "soon"}, "8": None}
    assert layout.names_in({"names": names}) == {"5": one}
    assert layout.names_in({"names": ["?"]}) == layout.names_in(None) == {}


def test_a_mark_is_read_as_it_was_written() -> None:
    cursor = Cursor(at=NOW, path="chats/x")
    assert Cursor(**encode_cursor(cursor)) == cursor


def test_raw_json_is_ascii() -> None:
    raw = layout.encode_update(update_of(message_update(7, "\ud83d")))["raw"]
    assert raw.isascii()
    assert json.loads(raw)["message"]["text"] == "\ud83d"


def test_the_newest_open_offer_of_a_chat_can_be_asked_for() -> None:
    def keyboard(number: int, *pressed: int) -> Keyboard:
        effect = {"kind": "remember", "text": "tea"}
        at = NOW + timedelta(hours=number)
        return Keyboard(id=f"k{number}", choices=("Remember: tea",), effects=(effect,), pressed=pressed, at=at)

    offers = (keyboard(1), keyboard(2), keyboard(3, 0), Keyboard(id="k4", choices=("yes",), at=NOW))
    chat = Chat(key=KEY, talk=CurrentConversation(keyboards=offers))
    assert layout.encode_chat(chat)["offered_at"] == NOW + timedelta(hours=2)
    assert layout.encode_chat(Chat(key=KEY, talk=CurrentConversation(keyboards=offers[2:])))["offered_at"] is None
