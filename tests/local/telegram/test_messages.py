from dataclasses import replace
from pathlib import Path

import pytest

from local.telegram.messages import LocalMessage, LocalMessages, LocalReaction
from local.telegram.store import WorldStore


@pytest.fixture
def messages() -> LocalMessages:
    kept = LocalMessages(WorldStore(None))
    for id_ in range(1, 8):
        kept.keep(LocalMessage(chat="g1", id=id_, sender=1, date=id_, topic_id=3 if id_ % 2 else None, text=str(id_)))
    return kept


def ids(page: list[LocalMessage]) -> list[int]:
    return [message.id for message in page]


def test_a_page_is_the_newest_first_read_and_oldest_first_shown(messages: LocalMessages) -> None:
    assert ids(messages.page("g1", None, None, 3)) == [5, 6, 7]
    assert ids(messages.page("g1", None, 5, 3)) == [2, 3, 4]
    assert ids(messages.page("g1", None, 2, 3)) == [1]
    assert messages.page("g2", None, None, 3) == []


def test_a_page_of_a_topic_holds_only_that_topic(messages: LocalMessages) -> None:
    assert ids(messages.page("g1", 3, None, 2)) == [5, 7]
    assert ids(messages.page("g1", 1, None, 9)) == [2, 4, 6]


def test_a_deleted_message_is_gone_but_keeps_its_place(messages: LocalMessages) -> None:
    message = messages.get("g1", 2)
    assert message is not None
    messages.keep(replace(message, deleted=True))
    assert messages.get("g1", 2) is None
    assert 2 in ids(messages.page("g1", None, None, 9))


def test_who_reacted_how() -> None:
    message = LocalMessage(
        chat="g1", id=1, sender=1, date=0, caption="c", reactions=(LocalReaction(sender=2, emoji="👍"),)
    )
    assert message.reaction_of(2) == "👍"
    assert message.reaction_of(3) is None
    assert message.words == "c"


def test_messages_outlive_the_process_in_their_order(tmp_path: Path) -> None:
    store = WorldStore(tmp_path)
    kept = LocalMessages(store)
    for id_ in (9, 10, 11):
        kept.keep(LocalMessage(chat="g1", id=id_, sender=1, date=0, text="x"))
    kept.keep(LocalMessage(chat="g1", id=9, sender=1, date=0, text="edited"))
    store.close()
    again = WorldStore(tmp_path)
    assert [(one.id, one.text) for one in LocalMessages(again).page("g1", None, None, 9)] == [
        (9, "edited"),
        (10, "x"),
        (11, "x"),
    ]
    again.close()
