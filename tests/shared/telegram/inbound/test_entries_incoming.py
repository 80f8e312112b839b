"""Parsed updates: the entry, the agent's membership, and the sender."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.telegram.inbound.entries import LONGEST_TAG, entry_of, read_update
from tests.shared.examples import GROUP, JSON_VALUES, PROPERTY, message_update, private_chat, update_of
from tests.shared.updates import BOT_ID, RAW, stored

REMOVED = {"my_chat_member_blocked_by_user"}


@pytest.mark.parametrize("name", RAW)
def test_an_update_brings_its_entry_and_what_removed_or_moved_the_agent(name: str) -> None:
    update = stored(name)
    read = read_update(update, BOT_ID)
    assert (read.update_id, read.chat_kind) == (update.envelope.update_id, update.envelope.chat_kind)
    assert read.entry == entry_of(update, BOT_ID)
    assert bool(read.members.was_removed) == (name in REMOVED)
    assert (read.members.was_removed is None) == ("my_chat_member" not in update.raw)
    assert (read.migration.to_chat is not None) == (name == "migrate_to_chat_id")
    assert (read.migration.from_chat is not None) == (name == "migrate_from_chat_id")


@pytest.mark.parametrize(
    "odd",
    [None, "x", [], {"new_chat_member": "x"}, {"new_chat_member": {"status": 1}}, {"new_chat_member": {"status": []}}],
)
def test_odd_updates_say_nothing(odd: object) -> None:
    assert not read_update(update_of({"update_id": 1, "my_chat_member": odd}), BOT_ID).members.was_removed
    assert read_update(update_of(message_update(1, migrate_to_chat_id=odd)), BOT_ID).migration.to_chat is None


def test_a_group_says_what_it_is_called() -> None:
    assert read_update(update_of(message_update(1, chat=GROUP | {"title": "Tea"})), BOT_ID).names.title == "Tea"
    assert read_update(update_of(message_update(1)), BOT_ID).names.title == ""


@PROPERTY
@given(
    st.sampled_from(["message", "my_chat_member", "callback_query", "x"]),
    st.dictionaries(st.sampled_from(["chat", "from", "new_chat_member", "migrate_to_chat_id"]), JSON_VALUES),
)
def test_whatever_comes_is_read(kind: str, subject: dict[str, object]) -> None:
    read = read_update(update_of({"update_id": 7, kind: subject}), BOT_ID)
    assert (read.names.title + read.language).encode().decode() == read.names.title + read.language


@pytest.mark.parametrize(
    ("name", "expected"),
    [("callback_query_data", "en"), ("callback_query_inline_message_id", "ru"), ("channel_post_text", "")],
)
def test_the_language_is_that_of_whoever_caused_it(name: str, expected: str) -> None:
    assert read_update(stored(name), BOT_ID).language == expected


@pytest.mark.parametrize("user", [None, 5, {}, {"language_code": 5}, {"language_code": "x" * 99}])
def test_a_language_of_any_shape_is_a_short_text(user: object) -> None:
    raw = {"update_id": 1, "message": {"chat": private_chat(), "from": user}}
    assert len(read_update(update_of(raw), BOT_ID).language) <= LONGEST_TAG
