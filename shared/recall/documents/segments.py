"""Records of what is searched: segments of conversations, with what they are found by."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from google.cloud.firestore_v1.vector import Vector
from pydantic import TypeAdapter

from shared.base.language.terms import author_term
from shared.chat.store import layout, paths
from shared.chat.store.writes import Commit, Mode, Record, Write
from shared.values.segment import Segment, SegmentMessage, SegmentNote

_MESSAGES: Final[TypeAdapter[tuple[SegmentMessage, ...]]] = TypeAdapter(tuple[SegmentMessage, ...])
_NOTES: Final[TypeAdapter[tuple[SegmentNote, ...]]] = TypeAdapter(tuple[SegmentNote, ...])
#: what a search needs not read
DERIVED: Final = ("terms_set", "embedding")


@dataclass(frozen=True)
class SegmentState(Record):
    """A segment of a conversation as it is from now on, in place of what it was: its words changed.

    Its vector was of what it said before, and goes; its notes come again when the conversation rests.
    """

    segment: Segment

    def writes(self, _: Commit) -> Iterator[Write]:
        """Replace the segment's document."""
        path = paths.segment_path(self.segment.conversation, self.segment.number)
        yield Write(path=path, document=encode_segment(self.segment), mode=Mode.SET)


def encode_segment(segment: Segment, vector: tuple[float, ...] = ()) -> layout.Document:
    """A segment's document, whole; `vector` is of the model that the segment names, empty if it has none.

    Messages and notes are one JSON text each: a search reads a hundred segments, and a text takes a tenth of the time
    that as many maps take.
    """
    turns = [one.turn for one in segment.messages if one.turn] or [0]
    document: layout.Document = segment.model_dump(exclude={"messages", "notes"}) | {
        "messages": _MESSAGES.dump_json(segment.messages, exclude_defaults=True).decode(),
        "notes": _NOTES.dump_json(segment.notes, exclude_defaults=True).decode(),
        "terms_set": sorted(terms_in(segment)),
        "first_seq": segment.first_seq,
        "last_seq": segment.last_seq,
        "first_turn": min(turns),
        "last_turn": max(turns),
        "first_at": segment.messages[0].at,
        "last_at": segment.messages[-1].at,
    }
    return document | ({"embedding": Vector(vector)} if vector else {})


def decode_segment(document: layout.Document) -> Segment:
    """The segment, which has a message at least. Raises ValidationError or KeyError if it is of another form."""
    known = {name: value for name, value in document.items() if name in Segment.model_fields}
    messages = _MESSAGES.validate_json(document["messages"])
    if not messages:
        raise KeyError("messages")
    notes = _NOTES.validate_json(document.get("notes") or "[]")
    return Segment.model_validate(known | {"messages": messages, "notes": notes})


def terms_in(segment: Segment) -> set[str]:
    """The terms that a segment is found by: those of its messages and notes, and who wrote in it."""
    texts = (*(one.terms for one in segment.messages), *(one.terms for one in segment.notes))
    return {term for text in texts for term in text.split()} | {author_term(one.author) for one in segment.messages}
