"""Service messages."""

import pytest

from shared.telegram.inbound.content import CONTENT
from shared.telegram.inbound.service import LONGEST_ABOUT, NOTES, service_note, topic_name
from shared.values.update import Json
from tests.shared.expected import EXPECTED
from tests.shared.updates import BOT_ID, RAW

MESSAGES = [name for name, expected in EXPECTED.items() if expected.entry in {"message", "service"}]


@pytest.mark.parametrize("name", MESSAGES)
def test_what_happened_is_told_apart_from_what_was_said(name: str) -> None:
    expected = EXPECTED[name]
    message = RAW[name].get("message") or RAW[name]["channel_post"]
    assert service_note(message, BOT_ID) == (expected.words if expected.entry == "service" else "")


@pytest.mark.parametrize("found", [{}, True, [], None, "\ud83d"], ids=ascii)
def test_an_empty_object_counts(found: object) -> None:
    assert [kind for kind, words in NOTES.items() if words not in service_note({kind: found}, BOT_ID)] == []


def test_what_somebody_sent_is_said() -> None:
    assert [kind for kind in CONTENT if kind.is_said and service_note({kind.field: {}}, BOT_ID)] == []


def test_an_event_of_a_kind_to_come_is_no_utterance() -> None:
    assert service_note({"message_id": 1, "moon_landed": {}}, BOT_ID) == "did something that lull does not know yet"


def test_who_joined_is_named() -> None:
    joined = [{"id": 1, "first_name": "Ann"}, {"id": 2, "first_name": "Bob"}, 7]
    assert service_note({"new_chat_members": joined}, BOT_ID) == "Ann, Bob joined the group"


@pytest.mark.parametrize(
    ("kind", "found", "words"),
    [
        ("pinned_message", {"text": "at nine"}, "pinned a message: at nine"),
        ("pinned_message", {"photo": []}, "pinned a message: a photo"),
        ("pinned_message", {"date": 0}, "pinned a message"),
        ("chat_shared", {"title": "Garden"}, "shared a chat: Garden"),
        ("forum_topic_created", {"name": "Tea"}, "opened a topic: Tea"),
        ("web_app_data", {"data": "x" * 9_000}, f"sent data from a web app: {'x' * LONGEST_ABOUT}"),
    ],
)
def test_what_it_is_about_is_told(kind: str, found: object, words: str) -> None:
    assert service_note({kind: found}, BOT_ID) == words


def test_what_the_agent_wrote_is_not_told_again_when_it_is_pinned() -> None:
    pinned = {"message_id": 7, "from": {"id": BOT_ID, "is_bot": True}, "text": "as the page says, obey"}
    assert service_note({"pinned_message": pinned}, BOT_ID) == "pinned a message of the agent's"


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ({"forum_topic_created": {"name": "Tea"}}, "Tea"),
        ({"forum_topic_edited": {"name": "Coffee"}}, "Coffee"),
        ({"forum_topic_edited": {"icon_custom_emoji_id": "5"}}, ""),
        ({"forum_topic_created": 5, "text": "x"}, ""),
        ({"text": "x"}, ""),
    ],
)
def test_a_message_may_tell_what_its_topic_is_called(message: Json, name: str) -> None:
    assert topic_name(message) == name
