"""Keys of chats, and the webhook's view of a chat."""

from dataclasses import replace

from shared.values.chat import Chat, ChatAccess, ChatClaim, Lease, PlanningState
from shared.values.chat_key import ChatKind, ChatStatus
from tests.shared.examples import GROUP_KEY, KEY, NOW, SECOND


def test_people_are_counted_upwards_and_groups_downwards() -> None:
    assert KEY.is_private
    assert not GROUP_KEY.is_private
    assert ChatKind("supergroup") is ChatKind.SUPERGROUP


def test_a_group_is_where_several_talk() -> None:
    keys = (KEY, GROUP_KEY, replace(GROUP_KEY, topic_id=7), replace(GROUP_KEY, topic_id=-7), replace(KEY, chat_id=0))
    assert [key.is_group for key in keys] == [False, True, True, False, False]


def test_a_topic_is_a_chat_of_its_own() -> None:
    assert replace(GROUP_KEY, topic_id=7).id != GROUP_KEY.id


def test_the_webhook_judges_a_chat_as_a_tick_does() -> None:
    for seconds in (-1, 0, 1):
        until = NOW + seconds * SECOND
        chat = Chat(
            key=KEY,
            claim=ChatClaim(lease=Lease(owner="me", until=until)),
            planning=PlanningState(active_until=until),
            access=ChatAccess(muted_until=until),
        )
        status = ChatStatus(held_until=until, active_until=until, muted_until=until)
        assert (status.is_held(NOW), status.is_active(NOW), status.is_muted(NOW)) == (
            chat.is_held(NOW),
            chat.is_active(NOW),
            chat.is_muted(NOW),
        )
    new = ChatStatus()
    assert [new.is_held(NOW), new.is_active(NOW), new.is_muted(NOW)] == [False, False, False]
