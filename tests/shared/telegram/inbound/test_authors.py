"""Authors of messages."""

import pytest

from shared.telegram.inbound.authors import author_from_user, author_of
from shared.values.message import Author
from tests.shared.examples import ANN, ME, user
from tests.shared.updates import BOT_ID, RAW


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("text_start_command_deeplink", Author(id=1100000001, name="Alice Ångström", username="alice_a")),
        ("text_plain_private", Author(id=1100000002, name="Боб")),
        ("anonymous_group_admin", Author(id=-1002012345678, name="Project Chat", username="project_chat_demo")),
        ("channel_post_text", Author(id=-1001700000001, name="News & Notes", username="news_notes_demo")),
    ],
)
def test_a_person_a_group_or_a_channel_speaks(name: str, expected: Author) -> None:
    raw = RAW[name]
    assert author_of(raw.get("message") or raw["channel_post"], BOT_ID) == expected


def test_the_agent_knows_itself() -> None:
    assert author_from_user(user(ME), ME.id) == ME
    assert author_from_user(user(ANN), ME.id) == ANN
    assert not author_from_user(user(ME), ANN.id).is_agent


@pytest.mark.parametrize(
    "found", [{}, {"id": "5"}, {"id": 2**70}, {"id": True}, {"first_name": 7}, {"first_name": ""}, {"is_bot": 1}]
)
def test_a_user_without_sense_is_someone(found: dict[str, object]) -> None:
    author = author_from_user(found, 1)
    assert (author.id, author.name, author.is_bot) == (0, "someone", False)


def test_a_message_from_nowhere_is_someones() -> None:
    assert author_of({}, 1).name == "someone"
    assert author_of({"chat": [], "from": "x", "sender_chat": 7}, 1).name == "someone"
