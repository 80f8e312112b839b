"""The sizes of writes, checked with the examples in Firestore's documentation, and portions of records."""

from google.cloud.firestore_v1 import ArrayUnion
from google.cloud.firestore_v1.vector import Vector
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.chat.store import paths
from shared.chat.store.writes import (
    PORTION_BYTES,
    Write,
    WriteMode,
    committed_bytes,
    document_bytes,
    index_entries,
    portions_of,
    value_bytes,
)
from shared.recall.store.segments import SegmentRecord, encode_segment
from shared.values.chat import Chat
from shared.values.segment import Segment, SegmentMessage
from tests.shared.examples import KEY, NOW, PROPERTY
from tests.shared.firestore_limits import assert_within_limits


def written(path: str, **document: object) -> Write:
    return Write(path=path, document=document, mode=WriteMode.SET)


def segment(number: int, terms: int) -> Segment:
    """Make a segment with this many terms, each of which is another Chinese character."""
    words = " ".join(chr(0x4E00 + n) for n in range(terms))
    message = SegmentMessage(seq=number, message_id=1, at=NOW, author=1, name="A", text=words, terms=words)
    return Segment(number=number, messages=(message,), conversation="conv-1", agent="lull", place="p", chat="c")


def test_a_document_weighs_what_firestore_s_own_example_does() -> None:
    task = {"type": "Personal", "done": False, "priority": 1, "description": "Learn Cloud Firestore"}
    # 44 bytes for its name, 71 for its fields, and 32 more
    assert document_bytes(written("users/jeff/tasks/my_task_id", **task)) == 147


def test_values_weigh_what_they_are_in_utf_8() -> None:
    values: tuple[object, ...] = (
        None,
        True,
        10**18,
        1.5,
        NOW,
        "äß",
        "中",
        "😀",
        b"abc",
        Vector([0.5] * 3),
        ["a", "b"],
        ArrayUnion([1, 2]),
        {},
    )
    assert [value_bytes(one) for one in values] == [1, 1, 8, 8, 8, 5, 4, 5, 3, 24, 4, 16, 32]


def test_an_index_entry_weighs_what_firestore_s_own_example_does() -> None:
    # the bytes of the name, its parent's name, the field and the value, and 32 more; in either order
    (entries,) = index_entries(written("users/jeff/tasks/my_task_id", done=False))
    assert (entries.count, entries.total) == (2, 218)


def test_counts_no_index_entries_of_unindexed_fields() -> None:
    assert list(index_entries(written("messages/1", entries=[1, 2]), ("entries",))) == []


def test_an_index_entry_holds_the_beginning_of_a_long_value() -> None:
    (fits,), (longer,) = (index_entries(written("a/1", text="x" * length)) for length in (1_499, 9_000))
    assert fits == longer


def test_a_list_has_an_entry_for_each_value_and_a_map_one_for_each_field() -> None:
    found = list(index_entries(written("a/1", many=[1, 2, 3], inner={"one": 1, "two": {"three": 3}})))
    assert [one.count for one in found] == [3, 2, 2]


def test_each_term_of_a_segment_is_in_every_index_that_finds_it() -> None:
    path = "conversations/conv-1/segments/0000000001"
    few, many = (sum(e.count for e in index_entries(written(path, **encode_segment(segment(1, n))))) for n in (10, 110))
    assert many - few == 4 * 100


@settings(PROPERTY, max_examples=10)
@given(st.lists(st.sampled_from((0, 1, 600, 2_400)), max_size=6))
def test_portions_hold_all_in_order_and_each_fits_into_a_commit(terms: list[int]) -> None:
    records = [SegmentRecord(segment(number, count)) for number, count in enumerate(terms, 1)]
    portions = list(portions_of(records, Chat(key=KEY)))
    assert [record for portion in portions for record in portion] == records
    for portion in portions:
        writes = [
            written(paths.segment_path("conv-1", one.segment.number), **encode_segment(one.segment))
            for one in portion
            if isinstance(one, SegmentRecord)
        ]
        assert len(writes) == 1 or sum(map(committed_bytes, writes)) <= PORTION_BYTES
        assert_within_limits(writes)
