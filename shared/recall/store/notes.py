"""Reads and writes the notes of conversations in Firestore, for the jobs that make these notes."""

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

from shared.base.errors import WriteConflict
from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, translate_errors
from shared.chat.store.conversations import FirestoreCompressions
from shared.chat.store.queries import (
    OBSERVATIONS_BY_MOMENT,
    OBSERVATIONS_OF_PLACE,
    SEGMENTS_BY_EMBEDDING,
    SEGMENTS_BY_MOMENT,
)
from shared.chat.store.writes import WriteBatch
from shared.recall.store.segments import decode_segment, encode_segment
from shared.values.chat_key import ChatKey
from shared.values.message import AnyEntry
from shared.values.notes import Notes, Observation, history_text
from shared.values.segment import Segment


@dataclass(frozen=True, kw_only=True)
class NotesSnapshot:
    """A conversation's notes, and the version that the document must still have when it is written next."""

    conversation: str
    notes: Notes
    version: object


@dataclass(frozen=True, kw_only=True)
class NotesChange:
    """The content of one write: the notes, new observations, and the older observations that these contradict."""

    notes: Notes
    observations: tuple[Observation, ...] = ()
    superseded: tuple[Observation, ...] = ()
    #: the time of the earliest message with a new observation: segments from then on must be updated
    since: datetime | None = None
    #: the abbreviation's vector; None: keep the stored one, or remove it if the notes name no model
    vector: tuple[float, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class SegmentSnapshot:
    """A segment, and the version that it must still have when it is written next."""

    segment: Segment
    version: object


#: the fields of a conversation's document that the notes job writes; ticks write the others
WRITTEN: Final = (
    "abbreviation", "abbreviation_holds_outside", "due_at", "embedding_model", "failed_seq", "failures",
    "left_out", "needs_abbreviation", "noted_seq", "title", "titled_turn", "topics",
)  # fmt: skip
#: the largest number of segments that are updated after one call
MOST_SEGMENTS: Final = 200
FIELDS: Final = tuple(Notes.model_fields)


class FirestoreNotes:
    """The notes of conversations. Create one per instance, inside the running loop.

    Every method may raise StoreUnavailable or StoreRefused.
    """

    def __init__(self, client: AsyncClient) -> None:
        """`client` belongs to the running loop."""
        self.client = client
        self.entries_of = FirestoreCompressions(client).entries_after

    async def read(self, conversation: str) -> NotesSnapshot | None:
        """Return a conversation's notes; None if the conversation does not exist."""
        document: Any = self.client.document(paths.conversation_path(conversation))
        with translate_errors("read a conversation's notes"):
            found = await document.get(FIELDS, retry=RETRY, timeout=CALL_SECONDS)
        if not found.exists:
            return None
        notes = Notes.model_validate(found.to_dict() or {})
        return NotesSnapshot(conversation=conversation, notes=notes, version=found.update_time)

    async def entries_after(self, conversation: str, seq: int) -> tuple[AnyEntry, ...]:
        """Return the entries after number `seq`, oldest first. Only a limited number of transcript pages is read."""
        return await self.entries_of(conversation, seq)

    async def observations_of_place(self, place: str, limit: int) -> Sequence[Observation]:
        """Return up to `limit` observations of a chat, group or topic (`place`), the newest first."""
        query = OBSERVATIONS_OF_PLACE.on(self.client, place).limit(limit)
        with translate_errors("read observations"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return [one for one in (decode_observation(document.to_dict()) for document in found) if one is not None]

    async def write(self, seen: NotesSnapshot, change: NotesChange) -> None:
        """Write the change atomically. Raises WriteConflict if the conversation's document changed since the read."""
        batch = WriteBatch(self.client)
        option = self.client.write_option(last_update_time=seen.version)
        batch.update(self.client.document(paths.conversation_path(seen.conversation)), encode_notes(change), option)
        for one in change.observations:
            batch.set(self.client.document(paths.observation_path(one.conversation, one.id)), encode_observation(one))
        if change.observations and change.since is not None:
            await self._mark_for_update(batch, seen.conversation, change.since, MOST_SEGMENTS)
        for one in change.superseded:
            await self._mark(batch, seen.conversation, one)
        with translate_errors("store a conversation's notes"):
            try:
                await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED as cause:
                raise WriteConflict("the conversation's document was changed meanwhile") from cause

    async def _mark(self, batch: WriteBatch, conversation: str, one: Observation) -> None:
        """Mark an observation as contradicted by a newer one, and the segment with its message as to be updated."""
        since = one.superseded_on.isoformat() if one.superseded_on else ""
        batch.set(
            self.client.document(paths.observation_path(one.conversation, one.id)), {"superseded_on": since}, merge=True
        )
        if one.said_at is None:
            return
        await self._mark_for_update(batch, one.conversation, one.said_at, 1)
        if one.conversation != conversation:
            of = self.client.document(paths.conversation_path(one.conversation))
            batch.update(of, {"due_at": one.made_at})

    async def _mark_for_update(self, batch: WriteBatch, conversation: str, moment: datetime, limit: int) -> None:
        """Mark the segments whose last message is at or after `moment`, for an update by the job that makes vectors."""
        query = SEGMENTS_BY_MOMENT.on(self.client.document(paths.conversation_path(conversation)))
        query = query.where(filter=FieldFilter("last_at", ">=", moment)).select([]).limit(limit)
        with translate_errors("find the segments of observations"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        for segment in found:
            batch.update(segment.reference, {"embedding_model": ""})

    async def stale_segments(self, conversation: str, model: str, limit: int) -> Sequence[SegmentSnapshot]:
        """Return up to `limit` segments that have no vector of this model."""
        query = SEGMENTS_BY_EMBEDDING.on(self.client.document(paths.conversation_path(conversation)))
        query = query.where(filter=FieldFilter("embedding_model", "!=", model)).limit(limit)
        with translate_errors("find segments without vectors"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return [one for one in map(_segment, found) if one is not None]

    async def observations_since(self, conversation: str, moment: datetime, limit: int) -> Sequence[Observation]:
        """Return the observations about a conversation's messages from `moment` on, oldest first."""
        query = OBSERVATIONS_BY_MOMENT.on(self.client.document(paths.conversation_path(conversation)))
        query = query.where(filter=FieldFilter("said_at", ">=", moment)).limit(limit)
        with translate_errors("read observations"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return [one for one in (decode_observation(document.to_dict()) for document in found) if one is not None]

    async def write_segment(self, seen: SegmentSnapshot, segment: Segment, vector: tuple[float, ...]) -> bool:
        """Write a segment and its vector. Return False if the segment changed since the read: a later run retries."""
        batch = WriteBatch(self.client)
        document = encode_segment(segment, vector) | ({} if vector else {"embedding": DELETE_FIELD})
        option = self.client.write_option(last_update_time=seen.version)
        batch.update(self.client.document(paths.segment_path(segment.conversation, segment.number)), document, option)
        with translate_errors("store a segment"):
            try:
                await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED:
                return False
        return True

    async def zone(self, key: ChatKey) -> str:
        """Return the time zone that an administrator set for a group, or that the person of a private chat set or
        mentioned; "" if unknown.
        """
        if key.is_private:
            told = (await self._get(paths.person_path(key.chat_id), ("zone", "said_zone"))) or {}
            return str(told.get("zone") or told.get("said_zone") or "")
        return str(((await self._get(paths.chat_path(key), ("group_zone",))) or {}).get("group_zone") or "")

    async def _get(self, path: str, fields: Sequence[str]) -> layout.Document | None:
        document: Any = self.client.document(path)
        with translate_errors("read a time zone"):
            found = await document.get(fields, retry=RETRY, timeout=CALL_SECONDS)
        stored: layout.Document | None = found.to_dict()
        return stored


def _segment(document: Any) -> SegmentSnapshot | None:
    try:
        return SegmentSnapshot(segment=decode_segment(document.to_dict() or {}), version=document.update_time)
    except (KeyError, ValidationError):
        log("a segment has a form that this version does not know", id=document.id)
        return None


def encode_notes(change: NotesChange) -> layout.Document:
    """Return the fields of a conversation's document that a change writes. A vector of older text is removed."""
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
    since = one.superseded_on.isoformat() if one.superseded_on else ""
    return one.model_dump() | {"superseded_on": since}


def decode_observation(document: layout.Document | None) -> Observation | None:
    """Return an observation; None if the document has an unknown form."""
    stored = document or {}
    try:
        return Observation.model_validate(stored | {"superseded_on": stored.get("superseded_on") or None})
    except ValidationError:
        log("an observation has a form that this version does not know")
        return None
