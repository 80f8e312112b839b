"""The harness for tests of the notes job: the real store, the scripted model, and a queue that keeps its tasks."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from google.cloud.firestore_v1.async_client import AsyncClient
from ulid import ULID

from shared.base.language.terms import terms_of
from shared.chat.store import paths
from shared.chat.store.transcripts import encode_page
from shared.llm.gemini.model import GeminiModel
from shared.llm.metering import MeteredModels
from shared.llm.ports.embedding import Embedder
from shared.recall.jobs.note import NoteTaker, note
from shared.recall.store.notes import FirestoreNotes, decode_observation
from shared.recall.store.segments import encode_segment
from shared.values.chat_key import ChatKey
from shared.values.job_run import JobRun
from shared.values.message import AnyEntry, Message
from shared.values.notes import Notes, Observation
from shared.values.place import place_of
from shared.values.segment import Segment, SegmentMessage
from tests.shared.paused_queue import PausedQueue
from tests.stories.play import Json, Model

MODEL = "gemini-test"


@dataclass
class JobHarness:
    """The stores, the model and the clock of one test of the job."""

    client: AsyncClient
    script: Model
    queue: PausedQueue
    model: GeminiModel
    key: ChatKey
    now: datetime = datetime(2026, 5, 9, 12, 0, tzinfo=UTC)
    room: int = 24_000
    embedder: Embedder | None = None

    @property
    def noter(self) -> NoteTaker:
        """The job's services, with this test's stores, model and clock."""
        return NoteTaker(
            store=FirestoreNotes(self.client),
            models=MeteredModels({MODEL: self.model}),
            model=MODEL,
            queue=self.queue.background_jobs(),
            clock=lambda: self.now,
            room=self.room,
            embedder=self.embedder,
            zones={"lull": "UTC"},
        )

    async def has(self, *entries: AnyEntry, conversation: str = "", **fields: Any) -> str:
        """Store a conversation that is at rest, with these entries and further `fields` of its document. Return the
        conversation's id.
        """
        conversation = conversation or f"conv-{ULID.from_datetime(self.now)}"
        turns = max((getattr(entry, "turn", 0) for entry in entries), default=0)
        document = {
            "agent": self.key.agent, "chat": self.key.id, "place": place_of(self.key), "entries": entries[-1].seq,
            "turns": turns, "updated_at": entries[-1].at, "due_at": self.now - timedelta(minutes=1),
        } | fields  # fmt: skip
        await self.client.document(paths.conversation_path(conversation)).set(document, merge=True)
        page = self.client.document(paths.page_path(conversation, entries[0].seq))
        await page.set(encode_page(entries))
        return conversation

    async def will_note(self, match: str = "Write the notes now.", **fields: Any) -> None:
        """Let the model answer the next request for notes with these fields."""
        given: Json = {"abbreviation": "They talked.", "observations": []} | fields
        await self.script.will({"text": json.dumps(given), "match": match})

    async def notes(self, conversation: str) -> Notes:
        """Read the notes of a conversation."""
        return Notes.model_validate(await self.document(conversation))

    async def document(self, conversation: str) -> Json:
        """Read the document of a conversation."""
        return (await self.client.document(paths.conversation_path(conversation)).get()).to_dict() or {}

    async def observations(self, conversation: str) -> Sequence[Observation]:
        """List the observations of a conversation, in the order of its entries."""
        below = self.client.document(paths.conversation_path(conversation)).collection(paths.OBSERVATIONS)
        found = [decode_observation(one.to_dict()) async for one in below.stream()]
        return sorted((one for one in found if one is not None), key=lambda one: one.entries)

    async def has_segments(self, conversation: str, *parts: Sequence[Message]) -> None:
        """Store the segments of the conversation as ticks write them."""
        for number, part in enumerate(parts, 1):
            messages = tuple(
                SegmentMessage(
                    seq=one.seq, message_id=one.message_id, turn=one.turn, at=one.at, author=one.author.id,
                    name=one.author.name, text=one.text, terms=" ".join(terms_of(one.text)),
                )
                for one in part
            )  # fmt: skip
            segment = Segment(
                conversation=conversation, number=number, agent=self.key.agent, place=place_of(self.key),
                chat=self.key.id, messages=messages,
            )  # fmt: skip
            await self.client.document(paths.segment_path(conversation, number)).set(encode_segment(segment))

    async def segments(self, conversation: str) -> list[Json]:
        """List the documents of the conversation's segments, in order."""
        below = self.client.document(paths.conversation_path(conversation)).collection(paths.SEGMENTS)
        return [one.to_dict() or {} async for one in below.stream()]

    async def works_on(self, conversation: str, **others: Any) -> dict[str, int]:
        """Run the job once for a conversation. `others` replaces fields of `noter`."""
        return dict(await note(replace(self.noter, **others), JobRun(scheduled_for="now", conversation=conversation)))
