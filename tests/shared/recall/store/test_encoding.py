"""How segments are stored as documents."""

from datetime import date

import pytest
from google.cloud.firestore_v1.vector import Vector

from shared.chat.store.writes import CommitContext, WriteMode
from shared.recall.store.segments import SegmentRecord, decode_segment, encode_segment, terms_in
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.segment import Segment, SegmentMessage, SegmentNote
from tests.shared.examples import NOW

MESSAGE = SegmentMessage(seq=4, message_id=9, turn=2, at=NOW, author=7, name="Ann", text="The sea", terms="the sea")
NOTE = SegmentNote(id="n", text="Ann swims", terms="ann swim", superseded_on=date(2026, 5, 8))
SEGMENT = Segment(
    conversation="conv-1",
    number=3,
    agent="lull",
    place="lull.7",
    chat="lull.7.0",
    messages=(MESSAGE, evolve(MESSAGE, seq=5, turn=0)),
    notes=(NOTE,),
    embedding_model="m",
)


def test_a_segment_is_read_back() -> None:
    document = encode_segment(SEGMENT, (0.6, 0.8))
    assert decode_segment(document) == SEGMENT
    assert document["embedding"] == Vector([0.6, 0.8])
    assert "embedding" not in encode_segment(SEGMENT)


def test_it_is_found_by_its_terms_its_authors_and_where_it_stands() -> None:
    document = encode_segment(SEGMENT)
    assert document["terms_set"] == ["@7", "ann", "sea", "swim", "the"] == sorted(terms_in(SEGMENT))
    assert (document["first_seq"], document["last_seq"]) == (4, 5)
    assert (document["first_turn"], document["last_turn"]) == (2, 2)
    assert (document["first_at"], document["last_at"]) == (NOW, NOW)


def test_one_that_changed_replaces_what_was_there() -> None:
    commit = CommitContext(chat=Chat(key=ChatKey(agent="lull", chat_id=7)), at=NOW)
    (write,) = SegmentRecord(SEGMENT).writes(commit)
    assert (write.path, write.mode) == ("conversations/conv-1/segments/000003", WriteMode.SET)


def test_one_of_no_messages_is_of_another_form() -> None:
    with pytest.raises(KeyError):
        decode_segment(encode_segment(SEGMENT) | {"messages": "[]"})
