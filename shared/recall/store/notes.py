"""What Firestore keeps of the notes of conversations, for what makes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_query import FieldFilter
from google.cloud.firestore_v1.transforms import DELETE_FIELD
from google.cloud.firestore_v1.vector import Vector
from pydantic import ValidationError

from shared.base.errors import Contended
from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, translated
from shared.chat.store.conversations import FirestoreCompressions
from shared.chat.store.queries import (
    OBSERVATIONS_BY_MOMENT,
    OBSERVATIONS_OF_PLACE,
    SEGMENTS_BY_EMBEDDING,
    SEGMENTS_BY_MOMENT,
)
from shared.chat.store.writes import Batch
from shared.recall.store.segments import decode_segment, encode_segment
from shared.values.chat_key import ChatKey
from shared.values.message import AnyEntry
from shared.values.notes import Notes, Observation, history_text
from shared.values.segment import Segment


@dataclass(frozen=True, kw_only=True)
class NotesSnapshot:
    """A conversation's notes as they were read: with the version that a write of them must still find."""

    conversation: str
    notes: Notes
    version: object


@dataclass(frozen=True, kw_only=True)
class NotesChange:
    """What is written at once: the notes; what was observed; which older observations are contradicted by that."""

    notes: Notes
    observations: tuple[Observation, ...] = ()
    superseded: tuple[Observation, ...] = ()
    #: when what was observed had begun to be said: segments from then on are to carry it
    since: datetime | None = None
    #: the abbreviation's vector; none: it is left as it is, or goes if the notes name no model
    vector: tuple[float, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class SegmentSnapshot:
    """A segment as it was read: with the version that a write of it must still find."""

    segment: Segment
    version: object


#: what noting writes of a conversation's document; the rest is the ticks'
WRITTEN: Final = (
    "abbreviation", "abbreviation_holds_outside", "due_at", "embedding_model", "failed_seq", "failures",
    "left_out", "needs_abbreviation", "noted_seq", "title", "titled_turn", "topics",
)  # fmt: skip
#: segments that carry what one call observed, at most
MOST_SEGMENTS: Final = 200
FIELDS: Final = tuple(Notes.model_fields)


class FirestoreNotes:
    """The notes. One client per instance, made inside the running loop.

    Every call raises StoreUnavailable or StoreRefused.
    """

    def __init__(self, client: AsyncClient) -> None:
        """`client` belongs to the running loop."""
        self.client = client
        self.entries_of = FirestoreCompressions(client).entries_after

    async def read(self, conversation: str) -> NotesSnapshot | None:
        """A conversation's notes; none if there is no such conversation."""
        document: Any = self.client.document(paths.conversation_path(conversation))
        with translated("read a conversation's notes"):
            found = await document.get(FIELDS, retry=RETRY, timeout=CALL_SECONDS)
        if not found.exists:
            return None
        notes = Notes.model_validate(found.to_dict() or {})
        return NotesSnapshot(conversation=conversation, notes=notes, version=found.update_time)

    async def entries_after(self, conversation: str, seq: int) -> tuple[AnyEntry, ...]:
        """The entries that follow number `seq`, oldest first: those of so many pages of the transcript."""
        return await self.entries_of(conversation, seq)

    async def known(self, place: str, limit: int) -> Sequence[Observation]:
        """What was observed in a place, the newest first."""
        query = OBSERVATIONS_OF_PLACE.on(self.client, place).limit(limit)
        with translated("read what was observed"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return [one for one in (decode_observation(document.to_dict()) for document in found) if one is not None]

    async def write(self, seen: NotesSnapshot, change: NotesChange) -> None:
        """Write a change, all of it or nothing. Raises Contended if the document changed since it was seen."""
        batch = Batch(self.client)
        option = self.client.write_option(last_update_time=seen.version)
        batch.update(self.client.document(paths.conversation_path(seen.conversation)), encode_notes(change), option)
        for one in change.observations:
            batch.set(self.client.document(paths.observation_path(one.conversation, one.id)), encode_observation(one))
        if change.observations and change.since is not None:
            await self._have_refreshed(batch, seen.conversation, change.since, MOST_SEGMENTS)
        for one in change.superseded:
            await self._mark(batch, seen.conversation, one)
        with translated("keep a conversation's notes"):
            try:
                await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED as cause:
                raise Contended("the conversation's document was changed meanwhile") from cause

    async def _mark(self, batch: Batch, conversation: str, one: Observation) -> None:
        """Mark an observation that is contradicted, and have the segment that carries it brought up to date."""
        since = one.superseded_on.isoformat() if one.superseded_on else ""
        batch.set(
            self.client.document(paths.observation_path(one.conversation, one.id)), {"superseded_on": since}, merge=True
        )
        if one.said_at is None:
            return
        await self._have_refreshed(batch, one.conversation, one.said_at, 1)
        if one.conversation != conversation:
            of = self.client.document(paths.conversation_path(one.conversation))
            batch.update(of, {"due_at": one.made_at})

    async def _have_refreshed(self, batch: Batch, conversation: str, moment: datetime, limit: int) -> None:
        """Have the segments of what was said from a moment on brought up to date, by what makes vectors."""
        query = SEGMENTS_BY_MOMENT.on(self.client.document(paths.conversation_path(conversation)))
        query = query.where(filter=FieldFilter("last_at", ">=", moment)).select([]).limit(limit)
        with translated("find the segments of what was observed"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        for segment in found:
            batch.update(segment.reference, {"embedding_model": ""})

    async def stale_segments(self, conversation: str, model: str, limit: int) -> Sequence[SegmentSnapshot]:
        """Some segments whose vectors another model made than this one, or that have none yet."""
        query = SEGMENTS_BY_EMBEDDING.on(self.client.document(paths.conversation_path(conversation)))
        query = query.where(filter=FieldFilter("embedding_model", "!=", model)).limit(limit)
        with translated("find segments without vectors"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return [one for one in map(_segment, found) if one is not None]

    async def observations_since(self, conversation: str, moment: datetime, limit: int) -> Sequence[Observation]:
        """What was observed of what was said in a conversation from a moment on, the oldest first."""
        query = OBSERVATIONS_BY_MOMENT.on(self.client.document(paths.conversation_path(conversation)))
        query = query.where(filter=FieldFilter("said_at", ">=", moment)).limit(limit)
        with translated("read what was observed"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return [one for one in (decode_observation(document.to_dict()) for document in found) if one is not None]

    async def write_segment(self, seen: SegmentSnapshot, segment: Segment, vector: tuple[float, ...]) -> bool:
        """Write a segment whole; false if it changed since it was seen: then it will be looked at again."""
        batch = Batch(self.client)
        document = encode_segment(segment, vector) | ({} if vector else {"embedding": DELETE_FIELD})
        option = self.client.write_option(last_update_time=seen.version)
        batch.update(self.client.document(paths.segment_path(segment.conversation, segment.number)), document, option)
        with translated("keep a segment"):
            try:
                await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED:
                return False
        return True

    async def zone(self, key: ChatKey) -> str:
        """The zone that a group's administrator set, or that the person of a private chat told."""
        if key.is_private:
            told = (await self._get(paths.person_path(key.chat_id), ("zone", "said_zone"))) or {}
            return str(told.get("zone") or told.get("said_zone") or "")
        return str(((await self._get(paths.chat_path(key), ("group_zone",))) or {}).get("group_zone") or "")

    async def _get(self, path: str, fields: Sequence[str]) -> layout.Document | None:
        document: Any = self.client.document(path)
        with translated("read a time zone"):
            found = await document.get(fields, retry=RETRY, timeout=CALL_SECONDS)
        known: layout.Document | None = found.to_dict()
        return known


def _segment(document: Any) -> SegmentSnapshot | None:
    """A segment; none if it is of a shape that this version does not know."""
    try:
        return SegmentSnapshot(segment=decode_segment(document.to_dict() or {}), version=document.update_time)
    except (KeyError, ValidationError):
        log("a segment is of a shape that this version does not know", id=document.id)
        return None


def encode_notes(change: NotesChange) -> layout.Document:
    """What of a conversation's document is written. A vector of older words goes with them."""
    fields: layout.Document = {name: getattr(change.notes, name) for name in WRITTEN}
    fields["history"] = history_text(change.notes.history)
    if change.vector is not None:
        fields["embedding"] = Vector(change.vector)
    elif not change.notes.embedding_model:
        fields["embedding"] = DELETE_FIELD
    if not change.notes.title:
        fields = {name: value for name, value in fields.items() if name != "title"}
    return fields


def encode_observation(one: Observation) -> layout.Document:
    """An observation's document."""
    since = one.superseded_on.isoformat() if one.superseded_on else ""
    return one.model_dump() | {"superseded_on": since}


def decode_observation(document: layout.Document | None) -> Observation | None:
    """An observation; none if its document is of a shape that this version does not know."""
    known = document or {}
    try:
        return Observation.model_validate(known | {"superseded_on": known.get("superseded_on") or None})
    except ValidationError:
        log("an observation is of a shape that this version does not know")
        return None
