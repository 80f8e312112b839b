"""The reads and writes of a rebuild in Firestore. A rebuild derives data from the transcripts again, and deletes the
old derived data.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any, Final

from google.api_core.exceptions import NotFound
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.transforms import DELETE_FIELD

from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, FirestoreStore, translate_errors
from shared.chat.store.queries import CONVERSATIONS_OF_AGENT, NAME
from shared.recall.store.segments import encode_segment
from shared.values.segment import Segment, SegmentStart

#: the number of documents in one read and in one commit: a segment has some kilobytes, and a commit may have 10 MiB
#: (firebase.google.com/docs/firestore/quotas)
DOCUMENTS_AT_ONCE: Final = 300
#: the fields of a conversation that tell its chat and its size
OUTLINE: Final = ("chat", "entries", "turns")


@dataclass(frozen=True, kw_only=True)
class ConversationSize:
    """A conversation's id, the id of its chat's document, and its numbers of entries and turns."""

    conversation: str
    chat: str
    entries: int
    turns: int


@dataclass(frozen=True, kw_only=True)
class ConversationRebuild:
    """The new derived data of one conversation."""

    conversation: str
    place: str
    segments: Sequence[Segment]
    #: numbers of the segments that are already written
    written: frozenset[int] = frozenset()
    #: ids of all who wrote, except the agent
    participants: Sequence[int] = ()
    #: the start of the open segment
    start: SegmentStart
    #: when its vectors are to be made; None if the conversation has no messages
    due_at: datetime | None
    #: whether the notes are made again too
    is_noted_again: bool = True


@dataclass(frozen=True, kw_only=True)
class RebuildCursor:
    """The position that an unfinished rebuild has reached."""

    started_at: datetime
    #: the id of the last finished conversation; conversations are processed in the order of their ids
    beyond: str
    done: int
    #: the number of conversations to rebuild; 0 if unknown
    total: int = 0
    #: the agents whose conversations are rebuilt; () for all
    agents: tuple[str, ...] = ()
    with_model: bool = True
    #: when the rebuild last moved on; None if unknown
    moved_at: datetime | None = None

    def includes(self, agent: str) -> bool:
        """Return whether the rebuild includes this agent's conversations. Without `agents`, it includes all."""
        return not self.agents or agent in self.agents


class FirestoreRebuilding(FirestoreStore):
    """The reads and writes of a rebuild. Create one per instance, inside the running loop.

    Every method may raise StoreUnavailable or StoreRefused.
    """

    async def outline(self, beyond: str) -> AsyncIterator[ConversationSize]:
        """Yield the conversations after `beyond`, in the order of their ids."""
        everything = self.client.collection(paths.CONVERSATIONS)
        page = everything.select(OUTLINE).order_by(NAME).limit(DOCUMENTS_AT_ONCE)
        if beyond:
            page = page.start_after({NAME: self.client.document(paths.conversation_path(beyond))})
        while True:
            with translate_errors("list the conversations"):
                found = await page.get(retry=RETRY, timeout=CALL_SECONDS)
            for one in found:
                yield _size_of(one)
            if len(found) < DOCUMENTS_AT_ONCE:
                return
            page = page.start_after({NAME: found[-1].reference})

    async def count(self, agents: Sequence[str]) -> int:
        """Return the number of conversations of these agents. Costs one read for each 1,000 of them."""
        query: Any = CONVERSATIONS_OF_AGENT.without_order(
            self.client, list(agents)
        ).count()  # a decorator hides the types
        with translate_errors("count the conversations"):
            counts = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return int(counts[0][0].value)

    async def newest(self, agents: Sequence[str], limit: int) -> Sequence[ConversationSize]:
        """Return up to `limit` conversations of these agents, the most recent first."""
        query = CONVERSATIONS_OF_AGENT.on(self.client, list(agents)).select(OUTLINE).limit(limit)
        with translate_errors("list the newest conversations"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return [_size_of(one) for one in found]

    async def write(self, segments: Sequence[Segment]) -> None:
        """Write these segments in place of stored ones with the same numbers. Vectors are not kept."""
        for start in range(0, len(segments), DOCUMENTS_AT_ONCE):
            batch: Any = self.client.batch()
            for one in segments[start : start + DOCUMENTS_AT_ONCE]:
                path = paths.segment_path(one.conversation, one.number)
                batch.set(self.client.document(path), encode_segment(one))
            with translate_errors("rebuild segments"):
                await batch.commit(retry=RETRY, timeout=CALL_SECONDS)

    async def replace(self, rebuilt: ConversationRebuild) -> None:
        """Write the new data, and delete the data that it replaces.

        The conversation's own document is written last, so that the notes job finds all segments.
        """
        conversation = rebuilt.conversation
        numbers = {*rebuilt.written, *(one.number for one in rebuilt.segments)}
        kept = {paths.segment_path(conversation, one) for one in numbers}
        gone = [one async for one in self._document_paths(paths.segments_path(conversation)) if one not in kept]
        if rebuilt.is_noted_again:
            gone += [one async for one in self._document_paths(paths.observations_path(conversation))]
        await self.write(rebuilt.segments)
        for start in range(0, len(gone), DOCUMENTS_AT_ONCE):
            batch: Any = self.client.batch()
            for path in gone[start : start + DOCUMENTS_AT_ONCE]:
                batch.delete(self.client.document(path))
            with translate_errors("delete replaced documents"):
                await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
        with translate_errors("rebuild a conversation"):
            whole = self.client.document(paths.conversation_path(conversation))
            await whole.set(dict(_fields(rebuilt)), merge=True, retry=RETRY, timeout=CALL_SECONDS)

    async def cursor(self) -> RebuildCursor | None:
        """Return the position that the last rebuild reached; None if it finished."""
        with translate_errors("read the rebuild cursor"):
            found = await self.client.document(paths.REBUILD_CURSOR).get(retry=RETRY, timeout=CALL_SECONDS)
        document = found.to_dict()
        if not document:
            return None
        known = {one.name: document[one.name] for one in fields(RebuildCursor) if one.name in document}
        return RebuildCursor(**known | {"agents": tuple(known.get("agents") or ())})

    async def keep_cursor(self, cursor: RebuildCursor | None) -> None:
        """Store the position that the rebuild has reached; None if it has finished."""
        document = self.client.document(paths.REBUILD_CURSOR)
        with translate_errors("store the rebuild cursor"):
            if cursor is None:
                await document.delete(retry=RETRY, timeout=CALL_SECONDS)
                return
            await document.set(_stored_cursor(cursor), retry=RETRY, timeout=CALL_SECONDS)

    async def move_cursor(self, cursor: RebuildCursor) -> bool:
        """Store the position that the rebuild has reached. Return False if the rebuild was stopped."""
        document = self.client.document(paths.REBUILD_CURSOR)
        with translate_errors("store the rebuild cursor"):
            try:
                await document.update(_stored_cursor(cursor), retry=RETRY, timeout=CALL_SECONDS)
            except NotFound:
                return False
        return True

    async def _document_paths(self, collection: str) -> AsyncIterator[str]:
        page = self.client.collection(collection).select([]).order_by(NAME).limit(DOCUMENTS_AT_ONCE)
        while True:
            with translate_errors("list derived documents"):
                found = await page.get(retry=RETRY, timeout=CALL_SECONDS)
            for one in found:
                yield one.reference.path
            if len(found) < DOCUMENTS_AT_ONCE:
                return
            page = page.start_after({NAME: found[-1].reference})


def _size_of(found: DocumentSnapshot[Any]) -> ConversationSize:
    known = found.to_dict() or {}
    counts = {name: int(known.get(name) or 0) for name in ("entries", "turns")}
    return ConversationSize(conversation=found.id, chat=str(known.get("chat", "")), **counts)


def _stored_cursor(cursor: RebuildCursor) -> dict[str, Any]:
    return asdict(cursor) | {"agents": list(cursor.agents)}


def _fields(rebuilt: ConversationRebuild) -> Iterator[tuple[str, object]]:
    yield "place", rebuilt.place
    yield "segment", rebuilt.start.model_dump()
    yield "participants", list(rebuilt.participants)
    if rebuilt.due_at is None:
        return
    yield from (("due_at", rebuilt.due_at), ("embedding_model", ""), ("embedding", DELETE_FIELD))
    if rebuilt.is_noted_again:
        yield from (("needs_abbreviation", True), ("abbreviation", ""), ("abbreviation_holds_outside", False))
        yield from (("topics", []), ("noted_seq", 0), ("left_out", []), ("titled_turn", 0), ("failures", 0))
