"""Tests of cutting a transcript into segments."""

from datetime import timedelta
from itertools import accumulate
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.base.language.terms import words_in
from shared.recall.matching.segmenting import MOST_WORDS, SegmentedConversation, segments_from, terms_count
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import AnyEntry, Author, Edit, Event, MediaDescribed, Message
from shared.values.segment import SegmentStart
from tests.shared.examples import NOW

ANN = Author(id=7, name="Ann")
ABOUT = SegmentedConversation(conversation="conv-1", agent="lull", place="lull.7", chat="lull.7.0")


def said(seq: int, text: str, **more: Any) -> Message:
    return Message(seq=seq, at=NOW + timedelta(seconds=seq), message_id=seq, author=ANN, text=text, **more)


def nothing(_: AnyEntry) -> str:
    return ""


texts = st.sampled_from(["", "short", "two words", "w " * 70, "w " * 149, "w " * 151, "w " * 310, "東" * 700])
turns = st.sampled_from([0, 1, 1, 1])  # how much later the turn of a message is than that of the one before


def transcript(said_: list[tuple[str, int]]) -> list[Message]:
    later = accumulate(step for _, step in said_)
    return [
        said(n, text, turn=turn if n % 4 else 0)
        for n, ((text, _), turn) in enumerate(zip(said_, later, strict=True), 1)
    ]


transcripts = st.lists(st.tuples(texts, turns), max_size=8).map(transcript)


@settings(deadline=None, max_examples=30)
@given(transcripts)
def test_segments_hold_messages_in_order_within_the_limit(entries: list[Message]) -> None:
    segments = segments_from(entries, SegmentStart(), ABOUT, nothing)
    assert [one.number for one in segments] == list(range(1, len(segments) + 1))
    assert all(sum(words_in(m.text) for m in one.messages) <= MOST_WORDS for one in segments)
    shown = "".join(m.text for one in segments for m in one.messages)
    assert "".join(shown.split()) == "".join("".join(e.text for e in entries).split())
    before = 0
    for one in segments:
        assert one.terms_before == before
        before += sum(terms_count(m.terms) for m in one.messages)


@settings(deadline=None, max_examples=30)
@given(transcripts)
def test_segmenting_from_any_start_gives_the_same(entries: list[Message]) -> None:
    segments = segments_from(entries, SegmentStart(), ABOUT, nothing)
    for n, one in enumerate(segments):
        assert segments_from(entries, one.start, ABOUT, nothing) == segments[n:]
        window = [entry for entry in entries if entry.seq >= one.first_seq]
        assert segments_from(window, one.start, ABOUT, nothing) == segments[n:]


@settings(deadline=None, max_examples=30)
@given(transcripts, st.integers(0, 8))
def test_closed_segments_do_not_change(entries: list[Message], cut: int) -> None:
    earlier = segments_from(entries[:cut], SegmentStart(), ABOUT, nothing)
    later = segments_from(entries, SegmentStart(), ABOUT, nothing)
    closed = earlier[:-1]
    assert later[: len(closed)] == closed


def test_a_turn_that_fits_is_not_split() -> None:
    turns = [(1, "w " * 80), (1, "w " * 20), (2, "w " * 30), (2, "w " * 40), (3, "w " * 10), (3, "w " * 160), (4, "w")]
    segments = segments_from(
        [said(n, text, turn=turn) for n, (turn, text) in enumerate(turns, 1)], SegmentStart(), ABOUT, nothing
    )
    assert [[one.seq for one in segment.messages] for segment in segments] == [[1, 2], [3, 4], [5], [6], [6, 7]]


def test_leaves_out_commands_and_service_messages() -> None:
    entries: list[AnyEntry] = [
        said(1, "/new", is_command=True),
        said(2, "Ann joined the group", is_service=True),
        said(3, "Sorry, I cannot reach my model.", is_by_lull=True),
        Event(seq=4, at=NOW, kind="poll"),
        said(5, ""),
    ]
    assert segments_from(entries, SegmentStart(), ABOUT, nothing) == ()


def test_includes_files_edits_and_later_descriptions() -> None:
    shows = Description(outcome=DescriptionOutcome.DESCRIBED, shows="a red bicycle", says="for rent")
    photo = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="u", words="a photo", description=shows)
    entries: list[AnyEntry] = [
        said(1, "Look", media="a photo", media_refs=(photo,), turn=3),
        Edit(seq=2, at=NOW, message_id=1, author=ANN, text="Look at this"),
        MediaDescribed(seq=3, at=NOW, message_ids=(1,), kind=MediaKind.PHOTO, unique_id="u", description=shows),
    ]
    (segment,) = segments_from(
        entries, SegmentStart(), ABOUT, lambda e: "a file" if isinstance(e, MediaDescribed) else ""
    )
    assert [one.text for one in segment.messages] == [
        "Look [a photo: a red bicycle: for rent]",
        "Look at this",
        "a red bicycle for rent",
    ]
    assert segment.messages[0].turn == 3
    assert segment.messages[0].terms.split()[-2:] == ["for", "rent"]
    assert segment.outside == ("a file",)
    assert [one.message_id for one in segment.messages] == [1, 1, 1]
