"""The agent's place in a chat."""

import pytest

from shared.telegram.membership import migrated_from, migrated_to, was_removed
from tests.shared.updates import RAW, stored
from tests.shared.values import message_update, update_of

REMOVED = {"my_chat_member_blocked_by_user"}


@pytest.mark.parametrize("name", RAW)
def test_of_the_collection_it_knows_what_removed_or_moved_the_agent(name: str) -> None:
    update = stored(name)
    assert bool(was_removed(update)) == (name in REMOVED)
    assert (was_removed(update) is None) == ("my_chat_member" not in update.raw)
    assert (migrated_to(update) is not None) == (name == "migrate_to_chat_id")
    assert (migrated_from(update) is not None) == (name == "migrate_from_chat_id")


@pytest.mark.parametrize(
    "odd",
    [None, "x", [], {"new_chat_member": "x"}, {"new_chat_member": {"status": 1}}, {"new_chat_member": {"status": []}}],
)
def test_odd_updates_say_nothing(odd: object) -> None:
    assert not was_removed(update_of({"update_id": 1, "my_chat_member": odd}))
    assert migrated_to(update_of(message_update(1, migrate_to_chat_id=odd))) is None
