"""The notes of a conversation: what lull keeps of it on its document once it rests. They can all be made again."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any, Final, TypeAlias

from pydantic import BaseModel, ConfigDict, PlainSerializer, PlainValidator, TypeAdapter

from shared.values.evolve import evolve

#: of one conversation, the newest: titles and topics, and abbreviations, each of which replaces those before it
MOST_NAMES: Final = 100
MOST_ABBREVIATIONS: Final = 50


class NotedEvent(BaseModel):
    """What lull made of a conversation at a moment: a title with topics, topics alone, or an abbreviation."""

    model_config = ConfigDict(frozen=True)

    at: datetime
    title: str = ""
    topics: tuple[str, ...] = ()
    abbreviation: str = ""
    #: whether it was made from texts from outside, too
    holds_outside: bool = False


_EVENTS: TypeAdapter[tuple[NotedEvent, ...]] = TypeAdapter(tuple[NotedEvent, ...])


def history_text(events: Sequence[NotedEvent]) -> str:
    """Events as they are stored: one JSON text."""
    return _EVENTS.dump_json(tuple(events), exclude_defaults=True).decode() if events else ""


def history_in(stored: Any) -> tuple[NotedEvent, ...]:
    """The events of a stored history. Raises ValueError if it is none."""
    return _EVENTS.validate_json(stored or "[]") if isinstance(stored, str) else _EVENTS.validate_python(stored)


History: TypeAlias = Annotated[tuple[NotedEvent, ...], PlainSerializer(history_text), PlainValidator(history_in)]


class Notes(BaseModel):
    """What a conversation's document says of its notes, and what making them needs to know of it.

    Documents of before have none of it: each field has its default.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    #: the id of the chat's document; empty: of a conversation that is not known to belong to one
    chat: str = ""
    chat_title: str = ""
    #: where it was said, which says who may see it (`shared/values/place.py`)
    place: str = ""
    entries: int = 0
    turns: int = 0
    updated_at: datetime | None = None
    #: when it is to be worked on: when it rests, or when what failed is tried again; none: nothing is due
    due_at: datetime | None = None

    #: meeting notes of 100 to 200 tokens; empty: it has none yet
    abbreviation: str = ""
    #: whether it was made from texts from outside, too
    abbreviation_holds_outside: bool = False
    #: the number of the last entry that the abbreviation and the observations speak of
    noted_seq: int = 0
    #: the numbers of earlier entries that they do not speak of yet: whoever wrote them was past their limit
    left_out: tuple[int, ...] = ()
    #: whether the abbreviation could not be made when it was due
    needs_abbreviation: bool = False
    #: how often it failed in a row, and how many entries there were
    failures: int = 0
    failed_seq: int = 0

    title: str = ""
    #: whether a person gave it its title, which nothing else changes then
    manually_named: bool = False
    topics: tuple[str, ...] = ()
    #: the turn at which its title was made, or its topics alone; 0: none were
    titled_turn: int = 0
    #: the titles, topics and abbreviations that it got one after the other, oldest first
    history: History = ()

    #: the model that made the vectors of its segments and of its abbreviation; empty: they are still to be made
    embedding_model: str = ""
    #: when somebody who spoke in it was last forgotten: what was made of what was said before is made again
    erased_at: datetime | None = None


class Observation(BaseModel):
    """A short dated statement about somebody or something that was said in a conversation.

    Its words are never rewritten: one that contradicts it names it.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    conversation: str
    agent: str
    place: str
    text: str
    #: the ids of the people that it is about
    about: tuple[int, ...] = ()
    #: the civil date of what it tells: "2026-05-08", "2026-05", "2026"; empty: not known
    happened: str = ""
    #: the numbers of the entries that it comes from
    entries: tuple[int, ...]
    made_at: datetime
    #: the id of the older one that it contradicts; empty: none
    supersedes: str = ""
    #: what of the entries that it comes from is from outside, in lull's own words; empty: nothing
    outside: str = ""
    #: when the newest of these entries was written; none: it is of before that was kept
    said_at: datetime | None = None
    #: since when a newer one contradicts it; none: none does. All that is ever written to it once it is made
    superseded_on: date | None = None


def with_history(notes: Notes, before: Notes, now: datetime) -> Notes:
    """The notes with what is new in them as events of their history; `before` is what is stored."""
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
    """A conversation that is to be worked on: its id, and since when."""

    conversation: str
    due_at: datetime
