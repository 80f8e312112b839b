"""The judge of plays counts how often a file was reported."""

from collections import Counter
from typing import Any

from tests.crash.files import told_in

KNOWN = {"outcome": "described"}


def message(message_id: int, description: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "message",
        "message_id": message_id,
        "media_refs": [{"unique_id": "cat", "description": description}],
    }


def described(*message_ids: int, updates: tuple[int, ...] = (9,), outcome: str = "described") -> dict[str, Any]:
    description = {"outcome": outcome}
    ids = list(message_ids)
    return {"type": "described", "message_ids": ids, "unique_id": "cat", "description": description, "updates": updates}


def test_a_file_is_told_with_its_message_or_later() -> None:
    assert told_in([message(1, KNOWN)]) == Counter({("cat", 1): 1})
    assert told_in([message(1), described(1)]) == Counter({("cat", 1): 1})
    assert told_in([message(1)]) == Counter()
    assert told_in([message(1), described(1, outcome="temporary_failure")]) == Counter()
    # a tick found the description itself
    assert told_in([message(1), described(1, updates=())]) == Counter()


def test_of_a_late_part_of_an_album_the_same_file_is_told_once_more() -> None:
    assert told_in([message(1), described(1), message(3, KNOWN)]) == Counter({("cat", 1): 1, ("cat", 3): 1})


def test_twice_of_one_message_is_twice() -> None:
    assert told_in([message(1), described(1), described(1, 2)])["cat", 1] == 2
    assert told_in([message(1, KNOWN), described(1)])["cat", 1] == 2
