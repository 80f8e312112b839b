"""A segment: consecutive messages of a conversation, and what searching for them needs. Made from the transcript."""

from datetime import date, datetime

from pydantic import BaseModel, ConfigDict


class SegmentMessage(BaseModel):
    """A message of a segment, or a part of a long one."""

    model_config = ConfigDict(frozen=True)

    seq: int
    #: of a message that is too long for one segment: which part of it, from 0
    part: int = 0
    message_id: int
    turn: int = 0
    at: datetime
    #: who wrote it; the agent's own has the bot's id
    author: int
    name: str
    is_agent: bool = False
    text: str
    #: the terms of the text in their order, with spaces between them (`shared/base/language/terms.py`)
    terms: str = ""
    #: what of it is from outside, in lull's own words (`shared/planning/prompt/origins.py`); empty: nothing
    outside: str = ""


class SegmentNote(BaseModel):
    """An observation about messages of a segment, as the segment carries it to be found by."""

    model_config = ConfigDict(frozen=True)

    id: str
    text: str
    terms: str = ""
    #: the civil date of what it tells, as far as that is known: "2026-05-08", "2026-05", "2026"; empty: not known
    happened: str = ""
    #: when a newer observation contradicted it; none: none has
    superseded_on: date | None = None
    outside: str = ""


class SegmentStart(BaseModel):
    """Where a segment begins: whoever knows it makes the same segments from there on as from the first entry."""

    model_config = ConfigDict(frozen=True)

    number: int = 1
    #: the number of its first entry, and the part of it
    seq: int = 1
    part: int = 0
    terms_before: int = 0


class Segment(BaseModel):
    """Some consecutive messages, 150 words of them at most; the last of a conversation is open and grows."""

    model_config = ConfigDict(frozen=True)

    conversation: str
    #: its place among the conversation's segments, from 1
    number: int
    agent: str
    #: where it was said, which says who may see it (`shared/values/place.py`)
    place: str
    #: the id of the chat's document
    chat: str
    messages: tuple[SegmentMessage, ...]
    #: terms of the conversation before it, so that the length of the whole is known from its last segment
    terms_before: int = 0
    notes: tuple[SegmentNote, ...] = ()
    #: which model made its vector; empty: it has none yet
    embedding_model: str = ""

    @property
    def start(self) -> SegmentStart:
        """Where it begins."""
        first = self.messages[0]
        return SegmentStart(number=self.number, seq=first.seq, part=first.part, terms_before=self.terms_before)

    @property
    def first_seq(self) -> int:
        """The number of its first entry."""
        return self.messages[0].seq

    @property
    def last_seq(self) -> int:
        """The number of its last entry."""
        return self.messages[-1].seq

    @property
    def text(self) -> str:
        """What was said, a line for each message: `Name: text`. It is what a vector is made of."""
        return "\n".join(f"{one.name}: {one.text}" for one in self.messages)

    @property
    def outside(self) -> tuple[str, ...]:
        """What of its messages is from outside, each once; its notes tell that themselves."""
        return tuple(dict.fromkeys(filter(None, (one.outside for one in self.messages))))
