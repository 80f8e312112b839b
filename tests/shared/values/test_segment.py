"""A segment: the range of its messages, and its text from outside."""

from datetime import UTC, datetime

from shared.values.segment import Segment, SegmentMessage, SegmentNote

AT = datetime(2026, 11, 1, tzinfo=UTC)


def said(seq: int, text: str, outside: str = "") -> SegmentMessage:
    return SegmentMessage(seq=seq, message_id=seq, at=AT, author=5, name="Ann", text=text, outside=outside)


SEGMENT = Segment(
    conversation="conv-1",
    number=1,
    agent="lull",
    place="lull.5",
    chat="c",
    messages=(said(3, "hello"), said(4, "look", "a forwarded message")),
    notes=(SegmentNote(id="n", text="Ann greets", outside="a forwarded message"),),
)


def test_a_segment_spans_its_messages() -> None:
    assert (SEGMENT.first_seq, SEGMENT.last_seq) == (3, 4)
    assert SEGMENT.text == "Ann: hello\nAnn: look"


def test_what_is_from_outside_is_told_once() -> None:
    assert SEGMENT.outside == ("a forwarded message",)
