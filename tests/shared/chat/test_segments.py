"""The segments of a session: every message is in one, however often the session commits."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import pytest

from shared.chat.session import SessionSegments
from shared.chat.terms import Segmenter
from shared.recall.store.segments import SegmentRecord
from shared.values.chat import Chat
from shared.values.evolve import evolve
from shared.values.message import AnyEntry
from shared.values.segment import Segment, SegmentMessage, SegmentStart
from tests.shared.examples import KEY, said


def one_each(chat: Chat, entries: Sequence[AnyEntry]) -> tuple[Chat, Sequence[Segment]]:
    """Make a segment for each entry, from the open segment on."""
    later = [entry for entry in entries if entry.seq >= chat.recall.segment.seq]
    about: dict[str, Any] = {"conversation": chat.conversation, "agent": "lull", "place": "p", "chat": "c"}
    segments = [
        Segment(
            number=e.seq,
            messages=(SegmentMessage(seq=e.seq, message_id=1, at=e.at, author=1, name="A", text="x"),),
            **about,
        )
        for e in later
    ]
    return chat.with_part(evolve(chat.recall, segment=SegmentStart(seq=later[-1].seq))), segments


def entry(seq: int) -> AnyEntry:
    return evolve(said("x"), seq=seq)


def segments_in(segments: SessionSegments) -> list[Segment]:
    """List the segments that are to be written."""
    return [one.segment for one in segments.records() if isinstance(one, SegmentRecord)]


def test_writes_each_segment_once_and_the_open_one_again() -> None:
    segments, chat = SessionSegments(Segmenter(one_each, SegmentRecord)), Chat(key=KEY, conversation="conv-1")
    segments.hear([entry(1), entry(2)])
    assert segments.is_behind
    chat = segments.make(chat, [entry(1)], is_written=True)
    assert not segments.is_behind
    assert [one.number for one in segments_in(segments)] == [1, 2]
    segments.forget()
    segments.hear([entry(3)])
    segments.make(chat, [entry(1), entry(2), entry(3)], is_written=True)
    assert [one.number for one in segments_in(segments)] == [2, 3]


def test_writes_failed_segments_once_with_the_next_ones() -> None:
    segments, chat = SessionSegments(Segmenter(one_each, SegmentRecord)), Chat(key=KEY, conversation="conv-1")
    segments.hear([entry(1)])
    chat = segments.make(chat, [], is_written=True)
    segments.hear([entry(2)])
    segments.make(chat, [entry(1), entry(2)], is_written=True)
    assert [one.number for one in segments_in(segments)] == [1, 2]


def test_a_conversation_that_is_left_keeps_its_segments_beside_the_new_one_s() -> None:
    segments, chat = SessionSegments(Segmenter(one_each, SegmentRecord)), Chat(key=KEY, conversation="conv-1")
    segments.hear([entry(1)])
    segments.make(chat, [], is_written=True)
    segments.hear([entry(1)])
    segments.make(Chat(key=KEY, conversation="conv-2"), [], is_written=True)
    assert [one.conversation for one in segments_in(segments)] == ["conv-1", "conv-2"]


def test_where_nothing_is_searched_nothing_is_made() -> None:
    segments, chat = SessionSegments(None), Chat(key=KEY)
    segments.hear([entry(1)])
    assert segments.make(chat, [], is_written=True) is chat
    assert not list(segments.records())


def two_each(chat: Chat, entries: Sequence[AnyEntry]) -> tuple[Chat, Sequence[Segment]]:
    """Make a segment for every two entries, from the open segment on."""
    _, ones = one_each(chat, entries)
    twos = [
        evolve(one, number=chat.recall.segment.number + n // 2, messages=(*one.messages, *second.messages))
        for n, (one, second) in enumerate(zip_longest(ones, ones[1:], fillvalue=ones[-1]))
        if n % 2 == 0
    ]
    return chat.with_part(evolve(chat.recall, segment=twos[-1].start)), twos


@pytest.mark.parametrize(("is_written", "numbers"), [(True, [2]), (False, [1, 2])])
def test_an_open_segment_that_stays_as_it_was_is_not_written_again(is_written: bool, numbers: list[int]) -> None:
    segments, chat = SessionSegments(Segmenter(two_each, SegmentRecord)), Chat(key=KEY, conversation="conv-1")
    segments.hear([entry(1), entry(2)])
    chat = segments.make(chat, [], is_written=True)
    segments.forget()
    segments.hear([entry(3)])
    segments.make(chat, [entry(1), entry(2)], is_written=is_written)
    assert [one.number for one in segments_in(segments)] == numbers


def test_an_open_segment_that_gives_some_of_its_messages_to_the_next_is_written_again() -> None:
    first, second = two_each(Chat(key=KEY, conversation="conv-1"), [entry(seq) for seq in (1, 2, 3, 4)])[1]
    made = [[first], [evolve(first, messages=first.messages[:1]), second]]

    def prepared(chat: Chat, _: object) -> tuple[Chat, Sequence[Segment]]:
        return chat.with_part(evolve(chat.recall, segment=first.start)), made.pop(0)

    segments = SessionSegments(Segmenter(prepared, SegmentRecord))
    chat = Chat(key=KEY, conversation="conv-1")
    segments.hear([entry(1), entry(2)])
    chat = segments.make(chat, [], is_written=True)
    segments.forget()
    segments.hear([entry(4)])
    segments.make(chat, [entry(1), entry(2)], is_written=True)
    assert [len(one.messages) for one in segments_in(segments)] == [1, 2]
