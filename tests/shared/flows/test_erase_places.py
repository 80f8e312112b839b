"""Which conversations go with a chat, and what stays of the chat."""

from datetime import timedelta

from ulid import ULID

from shared.flows.erase_places import KEPT, is_before
from shared.models.chat import Chat
from tests.shared.values import NOW


def test_a_conversation_tells_when_it_began() -> None:
    one = f"conv-{ULID.from_datetime(NOW)}"
    assert is_before(one, NOW)
    assert not is_before(one, NOW - timedelta(seconds=1))
    assert is_before("conv-of-before", NOW)


def test_what_stays_of_a_chat_are_no_words() -> None:
    assert set(KEPT) <= Chat.model_fields.keys()
    assert not {"title", "topic", "conversation_title", "keyboards", "conversation", "last_language"} & set(KEPT)
