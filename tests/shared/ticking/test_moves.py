"""A group under its new id."""

from shared.models.chat import Chat, ChatKind, Lease
from shared.ticking.moves import moved_chat, new_key
from tests.shared.values import GROUP_KEY, NOW


def test_it_goes_on_with_what_was_kept() -> None:
    old = Chat(
        key=GROUP_KEY, kind=ChatKind.GROUP, title="Garden", conversation="conv-1", seq=7, due_at=NOW, generation=9,
        model="big", muted_until=NOW, named="Beds", turn=3, is_answered=True,
    )  # fmt: skip
    there = Chat(key=new_key(GROUP_KEY, -100), generation=3, lease=Lease(owner="x", until=NOW))
    new = moved_chat(old, there)
    assert (new.key.chat_id, new.key.topic_id, new.key.agent) == (-100, 0, "lull")
    assert (new.kind, new.title, new.conversation, new.seq, new.due_at) == (
        ChatKind.SUPERGROUP, "Garden", "conv-1", 7, NOW,
    )  # fmt: skip
    assert (new.turn, new.is_answered) == (3, True)
    assert (new.model, new.muted_until, new.named) == ("big", NOW, "Beds")
    assert (new.generation, new.lease) == (4, None)
