"""Places of messages, and the people who may see them."""

from dataclasses import replace

from shared.values.chat_key import ChatKey
from shared.values.place import VisibleChats, chat_of, place_of


def test_each_topic_of_a_channel_s_direct_messages_is_a_place_and_is_read_as_it_was_written() -> None:
    group = ChatKey(agent="lull.x", chat_id=-100)
    direct = replace(group, topic_id=-7)
    assert len({place_of(group), place_of(direct), place_of(replace(group, topic_id=-8))}) == 3
    assert [chat_of(place_of(key)) for key in (group, direct)] == [group, direct]


def test_all_topics_of_a_group_are_one_place_and_another_agent_has_its_own() -> None:
    group = ChatKey(agent="lull", chat_id=-100)
    assert place_of(ChatKey(agent="lull", chat_id=-100, topic_id=7)) == place_of(group)
    assert place_of(ChatKey(agent="moss", chat_id=-100)) != place_of(group)


def test_visible_chats_hold_only_their_places() -> None:
    visible = VisibleChats(agent="lull", places=("lull.5",))
    assert visible.holds("lull.5")
    assert not visible.holds("lull.6")


def test_whoever_sees_everything_sees_one_agent_s_places() -> None:
    visible = VisibleChats(agent="lull", places=(), is_everything=True)
    assert visible.holds("lull.-100")
    assert not visible.holds("moss.-100")
    assert not visible.holds("lull.moss.5")
