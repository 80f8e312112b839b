"""A segment: consecutive messages of a conversation, with the data needed to search them.

It is derived from the transcript.
"""

from datetime import date, datetime

from shared.values.evolve import FrozenModel


class SegmentMessage(FrozenModel):
    """A message of a segment, or a part of a long message."""

    seq: int
    #: index of the part, for a message that is too long for one segment
    part: int = 0
    message_id: int
    turn: int = 0
    at: datetime
    #: id of the author; the bot's id for the agent
    author: int
    name: str
    is_agent: bool = False
    text: str
    #: terms of the text in order, separated by spaces (`shared/base/language/terms.py`)
    terms: str = ""
    #: what in the text is from outside, in lull's own words (`shared/planning/prompt/origins.py`); "" if nothing is
    outside: str = ""


class SegmentNote(FrozenModel):
    """An observation about a segment's messages, copied into the segment so that a search finds it."""

    id: str
    text: str
    terms: str = ""
    #: civil date of the event: "2026-05-08", "2026-05" or "2026"; "" if unknown
    happened: str = ""
    #: day on which a newer observation first contradicted it, or None
    superseded_on: date | None = None
    outside: str = ""


class SegmentStart(FrozenModel):
    """The start of a segment. Segmenting from here gives the same segments as from the first entry."""

    number: int = 1
    #: number of the segment's first entry, and the index of the part if that entry is divided
    seq: int = 1
    part: int = 0
    terms_before: int = 0


class Segment(FrozenModel):
    """Consecutive messages of at most 150 words. The last segment of a conversation is open and grows."""

    conversation: str
    #: its number within the conversation, from 1
    number: int
    agent: str
    #: place of the conversation, which decides who may see it (`shared/values/place.py`)
    place: str
    #: document id of the chat
    chat: str
    messages: tuple[SegmentMessage, ...]
    #: number of the conversation's terms before this segment, so that the last segment tells the length of the whole
    #: conversation
    terms_before: int = 0
    notes: tuple[SegmentNote, ...] = ()
    #: model of its vector; "" if it has none yet
    embedding_model: str = ""

    @property
    def start(self) -> SegmentStart:
        first = self.messages[0]
        return SegmentStart(number=self.number, seq=first.seq, part=first.part, terms_before=self.terms_before)

    @property
    def first_seq(self) -> int:
        return self.messages[0].seq

    @property
    def last_seq(self) -> int:
        return self.messages[-1].seq

    @property
    def text(self) -> str:
        """The messages, one line each, as `Name: text`. The segment's vector is made from this text."""
        return "\n".join(f"{one.name}: {one.text}" for one in self.messages)

    @property
    def outside(self) -> tuple[str, ...]:
        """Descriptions of the text from outside in the segment's messages, without duplicates.

        Each of the segment's notes has its own field `outside`.
        """
        return tuple(dict.fromkeys(filter(None, (one.outside for one in self.messages))))
