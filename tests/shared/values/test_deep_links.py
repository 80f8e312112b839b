"""Links to messages, in those chats where Telegram has them."""

from shared.values.chat_key import ChatKey
from shared.values.links import message_link


def key(chat_id: int, topic_id: int = 0) -> ChatKey:
    return ChatKey(agent="lull", chat_id=chat_id, topic_id=topic_id)


def test_direct_messages_to_a_channel_have_no_links() -> None:
    assert message_link(key(-1_001_234_567_890, -7), 5) == ""


def test_a_supergroup_s_messages_have_links_with_their_topic() -> None:
    assert message_link(key(-1001234567890), 7) == "https://t.me/c/1234567890/7"
    assert message_link(key(-1001234567890, 3), 7) == "https://t.me/c/1234567890/3/7"


def test_those_of_private_chats_and_small_groups_and_those_that_moved_have_none() -> None:
    assert [message_link(key(5), 7), message_link(key(-5), 7), message_link(key(-1001234567890), -7)] == ["", "", ""]
