"""Reads a model's reply to the request for notes.

References to entries and people are kept only if the model was shown them. The numbers by which a prompt tells people
of the same name apart are removed.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from shared.base.text import abridge
from shared.planning.format.json_text import ReplyText, read_text
from shared.planning.prompt.escaping import escape, one_line
from shared.recall.notes_prompt import LONGEST_ABBREVIATION, MOST_OBSERVATIONS, NotesInput, NotesPrompt
from shared.recall.titles import title_in, topics_in
from shared.values.evolve import evolve
from shared.values.notes import Notes, Observation

#: the largest number of characters in an observation
LONGEST_OBSERVATION: Final = 400
#: the largest number of entries that an observation cites
MOST_ENTRIES: Final = 20
#: a year, optionally with a month and a day
_DATE: Final = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?", re.ASCII)
#: years outside of this range are implausible: people speak of their grandparents and plan for their children
EARLIEST_YEAR: Final = 1850
LONGEST_AHEAD_YEARS: Final = 30
#: the number that a prompt adds to the names of people with the same name
_NUMBER: Final = re.compile(r"(?<=\S)#\d{6}\b", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class NotesReply:
    """The usable parts of the model's reply. A part that the model did not give is empty."""

    abbreviation: str = ""
    title: str = ""
    topics: tuple[str, ...] = ()
    observations: tuple[Observation, ...] = ()


def parse_notes(reply: str, prompt: NotesPrompt, source: NotesInput, made_at: datetime) -> NotesReply:
    """Return the usable parts of the model's complete reply."""
    given = _last_object(reply)
    return NotesReply(
        abbreviation=_prose(given.get("abbreviation")),
        title=title_in(_without_numbers(given.get("title"))),
        topics=topics_in(given.get("topics")),
        observations=tuple(_observations(given.get("observations"), prompt, source, made_at)),
    )


def updated_notes(source: NotesInput, prompt: NotesPrompt, noted: NotesReply) -> Notes:
    """Return the conversation's notes, updated by the model's reply."""
    before = source.notes
    title = {"title": noted.title} if source.wants_title and noted.title else {}
    topics = {"topics": noted.topics} if noted.topics else {}
    # if a person chose the title, the model is asked only for topics
    is_named = bool(title) or (source.wants_topics and not source.wants_title and bool(topics))
    return before.model_copy(
        update={
            "abbreviation": noted.abbreviation,
            "abbreviation_holds_outside": False,
            "noted_seq": max(before.noted_seq, prompt.up_to_seq),
            "left_out": prompt.left_out,
            "needs_abbreviation": False,
            "failures": 0,
            "embedding_model": "",
            **title,
            **topics,
            **({"titled_turn": before.turns} if is_named else {}),
        }
    )


def superseded_observations(prompt: NotesPrompt, noted: NotesReply) -> tuple[Observation, ...]:
    """Return the older observations that new ones contradict, each with the date from which it is no longer valid."""
    older = {one.id: one for one in prompt.known.values()}
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
    return abridge(escape(_without_numbers(text)).strip(), LONGEST_ABBREVIATION)


def _without_numbers(text: object) -> str:
    return _NUMBER.sub("", text) if isinstance(text, str) else ""


def _observations(given: object, prompt: NotesPrompt, source: NotesInput, made_at: datetime) -> Iterator[Observation]:
    found = given if isinstance(given, list) else []
    made = (_observation(one, prompt, source, made_at) for one in found[:MOST_OBSERVATIONS] if isinstance(one, dict))
    yield from {one.id: one for one in made if one is not None}.values()


def _observation(
    given: Mapping[str, Any], prompt: NotesPrompt, source: NotesInput, made_at: datetime
) -> Observation | None:
    """Return an observation; None if it has no text, or cites no entry that the model was shown."""
    text = abridge(one_line(_without_numbers(given.get("text"))), LONGEST_OBSERVATION)
    entries = _entries(given.get("entries"), prompt)
    if not text or not entries:
        return None
    older = prompt.known.get(str(given.get("supersedes", "")).strip())
    happened, said_on = given.get("happened"), max(prompt.days[seq] for seq in entries)
    return Observation(
        id=_id(source.conversation, text, entries),
        conversation=source.conversation,
        agent=source.key.agent,
        place=source.place,
        text=text,
        about=_about(given.get("about"), prompt),
        happened=parse_happened(happened, said_on) if isinstance(happened, str) else "",
        entries=entries,
        made_at=made_at,
        said_at=max(prompt.moments[seq] for seq in entries),
        supersedes=older.id if older is not None else "",
    )


def _entries(given: object, prompt: NotesPrompt) -> tuple[int, ...]:
    numbers = given if isinstance(given, list) else []
    known = (n for n in numbers if isinstance(n, int) and not isinstance(n, bool) and n in prompt.shown)
    return tuple(sorted(set(known)))[:MOST_ENTRIES]


def _about(given: object, prompt: NotesPrompt) -> tuple[int, ...]:
    """Return the ids of the named people (`Ann#000123`). A name without a number counts only if one person has it."""
    names = [one.strip() for one in given if isinstance(one, str)] if isinstance(given, list) else []
    return tuple(dict.fromkeys(one for name in names for one in _people_called(name, prompt.people)))


def _people_called(name: str, people: Mapping[str, int]) -> Sequence[int]:
    if name in people:
        return (people[name],)
    called = {one for full, one in people.items() if full.rpartition("#")[0].casefold() == name.casefold()}
    return tuple(called) if len(called) == 1 else ()


def _id(conversation: str, text: str, entries: Sequence[int]) -> str:
    """Return an id made from the content, so that an observation that is written twice is stored once."""
    parts = (conversation, text, *map(str, entries))
    return hashlib.sha256("\n".join(parts).encode(errors="replace")).hexdigest()[:24]


def parse_happened(text: str, said_on: date) -> str:
    """Return the date in a reply ("2026-05-08", "2026-05" or "2026"); "" if it is missing or implausible.

    `said_on` is the date of the newest message that the observation cites.
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
    """Return the first day of a date such as "2026-05-08", "2026-05" or "2026"; `otherwise` for any other text."""
    found = _DATE.fullmatch(happened)
    if found is None:
        return otherwise
    year, month, day = (int(part) if part else 1 for part in found.groups())
    return date(year, month, day)
