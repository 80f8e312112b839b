"""Noting one conversation that rests: its abbreviation, title, topics and observations, in one call of the model.

It may be killed anywhere and repeated: what a call gave is written at once, all of it or nothing, and the conversation
stays due until everything is done. It claims no chat; what a tick or a person wrote meanwhile stays as they wrote it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from shared.errors import Contended, ModelError
from shared.flows.find_notes import note_job
from shared.logs import about, log
from shared.models.agent import zone_named
from shared.models.chat_key import ChatKey
from shared.models.notes import Notes
from shared.models.observation import Observation
from shared.models.occasion import Occasion
from shared.models.place import place_of
from shared.models.usage import ModelUse, Purpose
from shared.noting.asking import Asked, Talk, asked_of
from shared.noting.due import failed, has_news, is_given_up, settled
from shared.noting.happened import day_of
from shared.noting.reading import Noted, noted_in
from shared.noting.titles import is_title_due
from shared.ports.chats import JobQueue
from shared.ports.notes import NotesChange, NotesSnapshot, NotesStore
from shared.ports.world import Models
from shared.scheduling.zones import first_zone

#: calls of the model that one run makes, and how long after its start it may still begin another
MOST_CALLS: Final = 3
LONGEST_RUN: Final = timedelta(seconds=30)
#: how often a change is put on top of what others wrote meanwhile
MOST_WRITES: Final = 5
#: observations of a place that are read, from which those about the people here are shown
MOST_KNOWN: Final = 60


@dataclass(frozen=True, kw_only=True)
class Noter:
    """What noting needs. `model` is the name of the one that is asked; empty: none is, and nothing is noted."""

    store: NotesStore
    models: Models
    model: str
    queue: JobQueue
    clock: Callable[[], datetime]
    #: characters of a prompt
    room: int
    #: by agent, the zone of its times
    zones: Mapping[str, str] = field(default_factory=dict)


async def note(noter: Noter, occasion: Occasion) -> Mapping[str, int]:
    """What was done for the conversation of this occasion, in numbers.

    Raises a StoreError or a QueueError: then the same may be asked for again.
    """
    conversation = occasion.conversation
    with about(conversation=conversation):
        seen = await noter.store.read(conversation)
        if seen is None:
            log("there is no such conversation")
            return {}
        return await _Run(noter, occasion, noter.clock() + LONGEST_RUN).of(seen)


@dataclass(frozen=True)
class _Run:
    """One run for one conversation."""

    by: Noter
    occasion: Occasion
    until: datetime

    async def of(self, seen: NotesSnapshot) -> Mapping[str, int]:
        notes = seen.notes
        if notes.due_at is None or notes.due_at > self.by.clock():
            return {}
        calls, observed = 0, 0
        while self._is_to_be_noted(notes) and calls < MOST_CALLS and self.by.clock() <= self.until:
            calls += 1
            made = await self._noted(seen)
            if made is None:
                return {"calls": calls, "observations": observed}
            observed += len(made.observations)
            notes = made.notes
            fresh = await self.by.store.read(seen.conversation)
            if fresh is None or notes.needs_abbreviation:
                return {"calls": calls, "observations": observed}
            seen, notes = fresh, fresh.notes
        if self._is_to_be_noted(notes):
            job = note_job(seen.conversation, str(notes.noted_seq), self.by.clock(), self.occasion.traceparent)
            await self.by.queue.enqueue(job)
        else:
            await self._keep(seen, NotesChange(notes=notes.model_copy(update={"due_at": None})))
        return {"calls": calls, "observations": observed}

    def _is_to_be_noted(self, notes: Notes) -> bool:
        return bool(self.by.model) and has_news(notes) and not is_given_up(notes)

    async def _noted(self, seen: NotesSnapshot) -> NotesChange | None:
        """What one call gave, written; none if it was not written, since another run noted the same."""
        talk = await self._talk(seen)
        if talk is None:
            log("the conversation belongs to no chat, and is not noted")
            return await self._keep(seen, NotesChange(notes=_passed_over(seen.notes, seen.notes.entries)))
        asked = asked_of(talk)
        if asked.prompt is None:
            return await self._keep(seen, NotesChange(notes=_passed_over(seen.notes, asked.up_to_seq)))
        reply = await self._asked(talk, asked)
        noted = noted_in(reply, asked, talk, self.by.clock()) if reply else Noted()
        if not noted.abbreviation:
            notes = failed(seen.notes, "the model gave no notes", self.by.clock())
            return await self._keep(seen, NotesChange(notes=notes))
        return await self._keep(seen, _change(talk, asked, noted))

    async def _talk(self, seen: NotesSnapshot) -> Talk | None:
        notes = seen.notes
        try:
            key = ChatKey.from_id(notes.chat)
        except ValueError:
            return None
        zone = first_zone(await self.by.store.zone(key), self.by.zones.get(key.agent, ""))
        return Talk(
            conversation=seen.conversation,
            key=key,
            notes=notes,
            entries=await self.by.store.entries_after(seen.conversation, notes.noted_seq),
            known=await self.by.store.known(notes.place or place_of(key), MOST_KNOWN),
            zone=zone_named(zone),
            wants_title=is_title_due(notes),
            room=self.by.room,
        )

    async def _asked(self, talk: Talk, asked: Asked) -> str:
        """The model's whole reply; empty if it gives none now."""
        assert asked.prompt is not None
        model = self.by.models.model(self.by.model, ModelUse(purpose=Purpose.ABBREVIATE, chat=talk.key))
        try:
            reply = await model.generate(asked.prompt, asked.schema)
        except ModelError as error:
            log(f"no notes: {error}")
            return ""
        return reply.text if reply.is_complete else ""

    async def _keep(self, seen: NotesSnapshot, change: NotesChange) -> NotesChange | None:
        """The change as it was written, on top of what others wrote meanwhile; none if another run was first."""
        now: NotesSnapshot | None = seen
        for _ in range(MOST_WRITES):
            notes = settled(change.notes, seen.notes, now.notes) if now is not None else None
            if now is None or notes is None:
                log("another run has noted the same")
                return None
            try:
                await self.by.store.write(now, replace(change, notes=notes))
            except Contended:
                now = await self.by.store.read(seen.conversation)
                continue
            return replace(change, notes=notes)
        raise Contended("the conversation's document is written all the time")


def _passed_over(notes: Notes, up_to_seq: int) -> Notes:
    """The notes after entries of which nothing can be told."""
    return notes.model_copy(update={"noted_seq": up_to_seq})


def _change(talk: Talk, asked: Asked, noted: Noted) -> NotesChange:
    """What the model noted, as it is to be written."""
    before = talk.notes
    named = {"title": noted.title, "titled_turn": before.turns} if talk.wants_title and noted.title else {}
    topics = {"topics": noted.topics} if noted.topics else {}
    notes = before.model_copy(
        update={
            "abbreviation": noted.abbreviation,
            "abbreviation_holds_outside": before.abbreviation_holds_outside or noted.holds_outside,
            "noted_seq": asked.up_to_seq,
            "needs_abbreviation": False,
            "failures": 0,
            "embedding_model": "",
            **named,
            **topics,
        }
    )
    older = {one.id: one for one in asked.known.values()}
    superseded = {
        one.supersedes: _superseded(older[one.supersedes], one) for one in noted.observations if one.supersedes
    }
    return NotesChange(notes=notes, observations=noted.observations, superseded=tuple(superseded.values()))


def _superseded(older: Observation, newer: Observation) -> Observation:
    since = day_of(newer.happened, newer.made_at.date())
    return older.model_copy(update={"superseded_on": since})
