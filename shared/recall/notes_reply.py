"""What is taken of the model's answer: nothing that it made up about where it comes from, and no mark of lull's own."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from shared.base.text import abridged
from shared.planning.format.json_text import ReplyText, read_text
from shared.planning.prompt.escaping import escape, one_line
from shared.recall.notes_prompt import LONGEST_ABBREVIATION, MOST_OBSERVATIONS, NotesInput, NotesPrompt
from shared.recall.titles import title_in, topics_in
from shared.values.evolve import evolve
from shared.values.notes import Notes, Observation

#: characters of an observation
LONGEST_OBSERVATION: Final = 400
#: entries that one comes from
MOST_ENTRIES: Final = 20
#: a year, perhaps with a month, perhaps with a day
_DATE: Final = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?", re.ASCII)
#: people tell of their grandparents, and plan for their children
EARLIEST_YEAR: Final = 1850
LONGEST_AHEAD_YEARS: Final = 30
#: what a prompt adds to names to tell people apart
_NUMBER: Final = re.compile(r"(?<=\S)#\d{6}\b", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class NotesReply:
    """What the model noted; what is empty, it did not."""

    abbreviation: str = ""
    title: str = ""
    topics: tuple[str, ...] = ()
    observations: tuple[Observation, ...] = ()


def parse_notes(reply: str, asked: NotesPrompt, talk: NotesInput, made_at: datetime) -> NotesReply:
    """What is in the model's whole reply that can be used."""
    given = _last_object(reply)
    return NotesReply(
        abbreviation=_prose(given.get("abbreviation")),
        title=title_in(_without_numbers(given.get("title"))),
        topics=topics_in(given.get("topics")),
        observations=tuple(_observations(given.get("observations"), asked, talk, made_at)),
    )


def updated_notes(talk: NotesInput, asked: NotesPrompt, noted: NotesReply) -> Notes:
    """The conversation's notes once the model has noted something."""
    before = talk.notes
    title = {"title": noted.title} if talk.wants_title and noted.title else {}
    topics = {"topics": noted.topics} if noted.topics else {}
    # of a conversation that a person named the topics alone are asked for
    is_named = bool(title) or (talk.wants_topics and not talk.wants_title and bool(topics))
    return before.model_copy(
        update={
            "abbreviation": noted.abbreviation,
            "abbreviation_holds_outside": False,
            "noted_seq": max(before.noted_seq, asked.up_to_seq),
            "left_out": asked.left_out,
            "needs_abbreviation": False,
            "failures": 0,
            "embedding_model": "",
            **title,
            **topics,
            **({"titled_turn": before.turns} if is_named else {}),
        }
    )


def superseded_observations(asked: NotesPrompt, noted: NotesReply) -> tuple[Observation, ...]:
    """The older observations that are contradicted, each with since when."""
    older = {one.id: one for one in asked.known.values()}
    found = {one.supersedes: _supersede(older[one.supersedes], one) for one in noted.observations if one.supersedes}
    return tuple(found.values())


def _supersede(older: Observation, newer: Observation) -> Observation:
    since = first_day_of(newer.happened, (newer.said_at or newer.made_at).date())
    return evolve(older, superseded_on=since)


def _last_object(reply: str) -> Mapping[str, Any]:
    read = read_text(reply)
    values = [value.content for value in read.values] if isinstance(read, ReplyText) else []
    return next((value for value in reversed(values) if isinstance(value, dict)), {})


def _prose(text: object) -> str:
    return abridged(escape(_without_numbers(text)).strip(), LONGEST_ABBREVIATION)


def _without_numbers(text: object) -> str:
    return _NUMBER.sub("", text) if isinstance(text, str) else ""


def _observations(given: object, asked: NotesPrompt, talk: NotesInput, made_at: datetime) -> Iterator[Observation]:
    found = given if isinstance(given, list) else []
    made = (_observation(one, asked, talk, made_at) for one in found[:MOST_OBSERVATIONS] if isinstance(one, dict))
    yield from {one.id: one for one in made if one is not None}.values()


def _observation(
    given: Mapping[str, Any], asked: NotesPrompt, talk: NotesInput, made_at: datetime
) -> Observation | None:
    """An observation; none if it says nothing, or comes from no message that the model was shown."""
    text = abridged(one_line(_without_numbers(given.get("text"))), LONGEST_OBSERVATION)
    entries = _entries(given.get("entries"), asked)
    if not text or not entries:
        return None
    older = asked.known.get(str(given.get("supersedes", "")).strip())
    happened = given.get("happened")
    return Observation(
        id=_id(talk.conversation, text, entries),
        conversation=talk.conversation,
        agent=talk.key.agent,
        place=talk.place,
        text=text,
        about=_about(given.get("about"), asked),
        happened=parse_happened(happened, max(asked.days[seq] for seq in entries)) if isinstance(happened, str) else "",
        entries=entries,
        made_at=made_at,
        said_at=max(asked.moments[seq] for seq in entries),
        supersedes=older.id if older is not None else "",
    )


def _entries(given: object, asked: NotesPrompt) -> tuple[int, ...]:
    numbers = given if isinstance(given, list) else []
    known = (n for n in numbers if isinstance(n, int) and not isinstance(n, bool) and n in asked.shown)
    return tuple(sorted(set(known)))[:MOST_ENTRIES]


def _about(given: object, asked: NotesPrompt) -> tuple[int, ...]:
    """The ids of the people that are named; a bare name counts where only one is called so."""
    names = [one.strip() for one in given if isinstance(one, str)] if isinstance(given, list) else []
    return tuple(dict.fromkeys(one for name in names for one in _people_called(name, asked.people)))


def _people_called(name: str, people: Mapping[str, int]) -> Sequence[int]:
    if name in people:
        return (people[name],)
    called = {one for full, one in people.items() if full.rpartition("#")[0].casefold() == name.casefold()}
    return tuple(called) if len(called) == 1 else ()


def _id(conversation: str, text: str, entries: Sequence[int]) -> str:
    """The same for the same, so that what is written twice is there once."""
    parts = (conversation, text, *map(str, entries))
    return hashlib.sha256("\n".join(parts).encode(errors="replace")).hexdigest()[:24]


def parse_happened(text: str, said_on: date) -> str:
    """The date in a reply: "2026-05-08", "2026-05" or "2026"; empty for what is none, or cannot be meant.

    `said_on` is the date of the newest message that tells of it.
    """
    found = _DATE.fullmatch(text.strip())
    if found is None:
        return ""
    year, month, day = (int(part) if part else None for part in found.groups())
    if year is None or not EARLIEST_YEAR <= year <= said_on.year + LONGEST_AHEAD_YEARS:
        return ""
    try:
        date(year, month or 1, day or 1)
    except ValueError:
        return ""
    return found[0]


def first_day_of(happened: str, otherwise: date) -> date:
    """The first day of what such a date names; another day where it names none."""
    found = _DATE.fullmatch(happened)
    if found is None:
        return otherwise
    year, month, day = (int(part) if part else 1 for part in found.groups())
    return date(year, month, day)
