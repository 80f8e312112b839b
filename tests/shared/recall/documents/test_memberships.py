"""A membership is written below no person's name."""

from shared.chat.store.layout import EXPIRES
from shared.chat.store.paths import entity_path
from shared.chat.store.writes import Commit, Mode
from shared.recall.documents.memberships import MembersChanged, SeenInGroup
from shared.values.chat import Chat, Moves
from shared.values.chat_key import ChatKey
from tests.shared.examples import NOW


def test_it_is_merged_and_asks_telegram_anew() -> None:
    chat = Chat(key=ChatKey(agent="lull", chat_id=-100), moves=Moves(moved_from=-5))
    (write,) = SeenInGroup(person=5, is_member=True).writes(Commit(chat=chat, at=NOW))
    assert write.mode is Mode.MERGE
    assert write.path.startswith("memberships/")
    assert (write.document["places"], write.document["fresh_until"]) == (["lull.-100", "lull.-5"], None)


def test_how_many_are_there_is_not_fresh_any_more() -> None:
    key = ChatKey(agent="lull", chat_id=-100, topic_id=5)
    (write,) = MembersChanged().writes(Commit(chat=Chat(key=key), at=NOW))
    assert (write.path, write.mode) == (entity_path(key), Mode.MERGE)
    assert write.document == {EXPIRES: NOW}
