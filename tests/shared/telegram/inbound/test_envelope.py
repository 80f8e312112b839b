"""Envelopes: enough of any update to store it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from local.telegram.spec import bot_api
from shared.telegram.inbound.envelope import (
    ALLOWED_UPDATES,
    about_message,
    brings_message,
    direct_person_of,
    is_id,
    read_envelope,
    thread_of,
    topic_of,
)
from shared.values.chat_key import ChatKind
from shared.values.update import Envelope, Json
from tests.shared.examples import JSON_VALUES, PROPERTY, message_update, update_of
from tests.shared.updates import RAW

ENVELOPE = TypeAdapter(Envelope)

WITHOUT_A_CHAT = {
    *("inline_query", "chosen_inline_result", "poll", "poll_answer", "pre_checkout_query", "shipping_query"),
    *("purchased_paid_media", "business_connection"),
}
IN_A_TOPIC = {
    "forum_topic_message": 312,
    "forum_topic_edited": 313,
    "forum_topic_closed": 313,
    "reply_to_bot_inside_topic": 312,
    "direct_messages_topic": -991,
}


@pytest.mark.parametrize("name", RAW)
def test_every_update_has_its_envelope(name: str) -> None:
    raw = RAW[name]
    found = read_envelope("lull", raw)
    assert found is not None
    kind = next(field for field in raw if field != "update_id")
    assert (found.update_id, found.kind, found.key.agent) == (raw["update_id"], kind, "lull")
    assert found.key.topic_id == IN_A_TOPIC.get(name, 0)
    has_chat = kind not in WITHOUT_A_CHAT and name != "callback_query_inline_message_id"
    assert (found.key.chat_id != 0) == has_chat == (found.chat_kind is not ChatKind.NONE)


def test_a_button_belongs_to_the_chat_of_its_message() -> None:
    raw = RAW["callback_query_data"]
    found = read_envelope("lull", raw)
    assert found is not None
    assert found.key.chat_id == raw["callback_query"]["message"]["chat"]["id"]


def test_each_person_s_direct_messages_to_a_channel_are_a_chat() -> None:
    chat = {"id": -1001, "type": "supergroup", "is_direct_messages": True}
    message = {"chat": chat, "message_id": 5, "direct_messages_topic": {"topic_id": 77, "user": {"id": 78}}}
    for raw in ({"message": message}, {"edited_message": message}, {"callback_query": {"message": message}}):
        update = update_of({"update_id": 1, **raw})
        assert (update.envelope.key.topic_id, update.envelope.chat_kind) == (-77, ChatKind.DIRECT)
        assert direct_person_of(update) == 78
    # its author is unknown, so it gets no answer
    found = read_envelope("lull", {"update_id": 1, "message": {"chat": chat}})
    assert found is not None
    assert (found.key.topic_id, found.chat_kind) == (0, ChatKind.CHANNEL)


@pytest.mark.parametrize("update_id", [None, "7", 7.0, True, -1, 2**63, [7], {}])
def test_without_an_update_id_it_is_no_update(update_id: object) -> None:
    assert read_envelope("lull", {"update_id": update_id, "message": {}}) is None
    assert read_envelope("lull", {"message": {}}) is None


@pytest.mark.parametrize("kind", ["", "\ud800", "Message", "a" * 65, "two words", "é", "__name__"])
def test_a_kind_that_the_bot_api_could_not_have_is_stored_without_a_name(kind: str) -> None:
    found = read_envelope("lull", {"update_id": 7, kind: {"chat": {"id": 1, "type": "private"}}})
    assert found is not None
    assert (found.kind, found.key.chat_id) == ("", 0)


def test_a_plain_reply_in_a_group_has_a_thread_id_that_is_no_topic() -> None:
    assert topic_of({"message_thread_id": 5}) == 0
    assert topic_of({"message_thread_id": 5, "is_topic_message": True}) == 5
    assert topic_of({"message_thread_id": "5", "is_topic_message": True}) == 0


@PROPERTY
@given(
    st.dictionaries(
        st.sampled_from(["update_id", "message", "callback_query", "x"]) | st.text(max_size=5),
        JSON_VALUES
        | st.fixed_dictionaries({"chat": st.fixed_dictionaries({"id": JSON_VALUES, "type": JSON_VALUES})})
        | st.fixed_dictionaries({"message": JSON_VALUES, "message_thread_id": JSON_VALUES}),
    )
)
def test_no_json_raises_and_every_envelope_can_be_sent_and_read(update: dict[str, object]) -> None:
    found = read_envelope("lull", update)
    assert (found is None) == (not is_id(update.get("update_id")) or json.dumps(update["update_id"]).startswith("-"))
    if found is not None:
        assert ENVELOPE.validate_json(ENVELOPE.dump_json(found)) == found


@pytest.mark.parametrize(
    ("value", "expected"), [(0, True), (-(2**63), True), (2**63, False), (True, False), ("1", False)]
)
def test_an_id_has_sixty_four_bits(value: object, expected: bool) -> None:
    assert is_id(value) is expected


@pytest.mark.parametrize(
    ("raw", "message_id"),
    [
        (message_update(7), 7),
        ({"update_id": 1, "edited_message": {"message_id": 3}}, 3),
        ({"update_id": 1, "callback_query": {"id": "q", "message": {"message_id": 4}}}, 4),
        ({"update_id": 1, "poll": {"id": "p"}}, None),
        ({"update_id": 1, "message": {"message_id": "5"}}, None),
    ],
)
def test_the_message_that_an_update_is_about_is_found(raw: Json, message_id: int | None) -> None:
    assert about_message(update_of(raw)) == message_id


def test_every_kind_that_is_asked_for_is_one_of_telegrams() -> None:
    assert set(ALLOWED_UPDATES) <= {field.name for field in bot_api().types["Update"]}
    # Telegram sends these only if asked
    assert {"message_reaction", "chat_member"} <= set(ALLOWED_UPDATES)


@pytest.mark.parametrize("name", RAW)
def test_a_message_is_told_from_other_updates(name: str) -> None:
    found = read_envelope("lull", RAW[name])
    assert found is not None
    assert brings_message(found) is ("message" in RAW[name])


def test_a_thread_of_replies_is_no_topic() -> None:
    assert thread_of({"message_thread_id": 5}) == 5
    assert thread_of({"message_thread_id": 5, "is_topic_message": True}) == 0
    assert thread_of({"message_thread_id": "x"}) == thread_of({}) == 0
