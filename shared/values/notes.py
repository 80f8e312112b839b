"""The notes of a conversation: its title, topics and a short version (the `abbreviation`). They are stored in its
document once nobody has written for a while, and can be made again from the transcript.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any, Final, TypeAlias

from pydantic import PlainSerializer, PlainValidator, TypeAdapter

from shared.values.evolve import FrozenModel, evolve

#: the most titles or topics, and the most abbreviations, to keep in a conversation's history
MOST_NAMES: Final = 100
MOST_ABBREVIATIONS: Final = 50


class NotedEvent(FrozenModel):
    """An event in the history of a conversation's notes: lull made a title with topics, topics alone, or a new short
    version (`abbreviation`).
    """

    at: datetime
    title: str = ""
    topics: tuple[str, ...] = ()
    abbreviation: str = ""
    #: whether it was made partly from text from outside
    holds_outside: bool = False


_EVENTS: TypeAdapter[tuple[NotedEvent, ...]] = TypeAdapter(tuple[NotedEvent, ...])


def history_text(events: Sequence[NotedEvent]) -> str:
    """Return events in their stored form: one JSON text, or "" for none."""
    return _EVENTS.dump_json(tuple(events), exclude_defaults=True).decode() if events else ""


def history_in(stored: Any) -> tuple[NotedEvent, ...]:
    """Return the events of a stored history. Raises ValueError if it is malformed."""
    return _EVENTS.validate_json(stored or "[]") if isinstance(stored, str) else _EVENTS.validate_python(stored)


History: TypeAlias = Annotated[tuple[NotedEvent, ...], PlainSerializer(history_text), PlainValidator(history_in)]


class Notes(FrozenModel):
    """The fields of a conversation's document that hold its notes, and the fields needed to make the notes.

    Older documents lack all of them, so each field has a default.
    """

    #: document id of the chat; "" if unknown
    chat: str = ""
    chat_title: str = ""
    #: place of the conversation, which decides who may see it (`shared/values/place.py`)
    place: str = ""
    entries: int = 0
    turns: int = 0
    updated_at: datetime | None = None
    #: when to make notes: once nobody has written for a while, or when a failure is retried; None if nothing is due
    due_at: datetime | None = None

    #: meeting notes of 100 to 200 tokens; "" if none were made yet
    abbreviation: str = ""
    #: whether it was made partly from text from outside
    abbreviation_holds_outside: bool = False
    #: number of the last entry that the notes cover
    noted_seq: int = 0
    #: numbers of earlier entries that the notes do not cover, because the author had reached their spending limit
    left_out: tuple[int, ...] = ()
    #: whether making the abbreviation failed when it was due
    needs_abbreviation: bool = False
    #: number of failures in a row, and the number of entries at that time
    failures: int = 0
    failed_seq: int = 0

    title: str = ""
    #: whether a person chose the title, which lull then leaves unchanged
    manually_named: bool = False
    topics: tuple[str, ...] = ()
    #: number of the turn at which the title (or only the topics) was made; 0 if never
    titled_turn: int = 0
    #: earlier and current titles, topics and abbreviations, oldest first
    history: History = ()

    #: name of the model that made the vectors of the conversation's segments and abbreviation; "" if the vectors are
    #: still to be made
    embedding_model: str = ""
    #: when a participant was last forgotten; notes that were made before are made again
    erased_at: datetime | None = None


class Observation(FrozenModel):
    """A short dated statement about a person or thing, from a conversation.

    Its words are never rewritten. If it contradicts an older observation, it has that observation's id in `supersedes`.
    """

    id: str
    conversation: str
    agent: str
    place: str
    text: str
    #: ids of the people that it is about
    about: tuple[int, ...] = ()
    #: civil date of the event: "2026-05-08", "2026-05" or "2026"; "" if unknown
    happened: str = ""
    #: numbers of the entries that it comes from
    entries: tuple[int, ...]
    made_at: datetime
    #: id of the older observation that it contradicts; "" for none
    supersedes: str = ""
    #: what in its entries is text from outside, in lull's own words; "" if nothing is
    outside: str = ""
    #: when the newest of its entries was written; None for old observations
    said_at: datetime | None = None
    #: day on which a newer observation first contradicted it, or None; the only field that ever changes
    superseded_on: date | None = None


def with_history(notes: Notes, before: Notes, now: datetime) -> Notes:
    """Return the notes with everything that differs from the stored notes (`before`) added to their history."""
    new: list[NotedEvent] = []
    outside = notes.abbreviation_holds_outside
    if (notes.title, notes.topics) != (before.title, before.topics) and (notes.title or notes.topics):
        title = notes.title if notes.title != before.title else ""
        new.append(NotedEvent(at=now, title=title, topics=notes.topics, holds_outside=outside))
    if notes.abbreviation not in {"", before.abbreviation}:
        new.append(NotedEvent(at=now, abbreviation=notes.abbreviation, holds_outside=outside))
    return evolve(notes, history=_newest((*before.history, *new)))


def _newest(events: Sequence[NotedEvent]) -> tuple[NotedEvent, ...]:
    names = [n for n, one in enumerate(events) if not one.abbreviation][-MOST_NAMES:]
    abbreviations = [n for n, one in enumerate(events) if one.abbreviation][-MOST_ABBREVIATIONS:]
    return tuple(events[n] for n in sorted((*names, *abbreviations)))


@dataclass(frozen=True, kw_only=True)
class DueConversation:
    """A conversation that is due for notes, and since when it is due."""

    conversation: str
    due_at: datetime
