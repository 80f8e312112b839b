"""How a chat's own records are written: read updates, and its move."""

from shared.adapters.firestore.layout import KEPT_UPDATES
from shared.adapters.firestore.writes import Commit, Mode, Write, writes_of
from shared.models.chat import Chat, ChatKey
from shared.records import MovedChat, ReadUpdates
from tests.shared.adapters.changes import written_by
from tests.shared.values import KEY, NOW, plan_of, send

THERE = ChatKey(agent=KEY.agent, chat_id=-100)


def test_a_read_update_may_be_deleted_from_then_on() -> None:
    change = {"read": True, "expires_at": NOW + KEPT_UPDATES}
    assert written_by(ReadUpdates((3, 11)), Chat(key=KEY)) == [
        ("update", f"chats/{KEY.id}/inbox/{3:020d}", change),
        ("update", f"chats/{KEY.id}/inbox/{11:020d}", change),
    ]


def test_a_moved_chat_is_written_only_where_it_was_seen_and_takes_its_plan_along() -> None:
    chat, plan, seen = Chat(key=THERE, title="Club"), plan_of(send()), object()
    moved = MovedChat(chat=chat, version=seen, plan=plan)
    assert list(writes_of(moved, Commit(chat=Chat(key=KEY), at=NOW))) == [
        Write(path=f"chats/{THERE.id}", document=chat.model_dump(), mode=Mode.UPDATE, version=seen),
        Write(path=f"plans/{THERE.id}", document=plan.model_dump(), mode=Mode.SET),
    ]
    first = MovedChat(chat=chat, version=None, plan=None)
    assert written_by(first, Chat(key=KEY)) == [("create", f"chats/{THERE.id}", chat.model_dump())]
