"""Rebuilding in Firestore: what is derived from a transcript is written anew, and what it replaces is deleted."""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.transforms import DELETE_FIELD

from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translated
from shared.chat.store.queries import NAME
from shared.recall.store.segments import encode_segment
from shared.values.segment import Segment, SegmentStart

#: documents of one answer, and of one commit: segments are some kilobytes each, and a commit may have 10 MiB
#: (firebase.google.com/docs/firestore/quotas)
DOCUMENTS_AT_ONCE: Final = 300
#: what is read of a conversation to know how much of it there is
OUTLINE: Final = ("chat", "entries", "turns")


@dataclass(frozen=True, kw_only=True)
class ConversationOutline:
    """A conversation by its document alone: the id of its chat's, and how many entries and turns it has."""

    conversation: str
    chat: str
    entries: int
    turns: int


@dataclass(frozen=True, kw_only=True)
class ConversationRebuild:
    """What is made anew of one conversation."""

    conversation: str
    place: str
    segments: Sequence[Segment]
    #: the numbers of those that were written before
    written: frozenset[int] = frozenset()
    #: where the open one begins
    start: SegmentStart
    #: from when on its vectors are made again; none: nobody has said anything in it
    due_at: datetime | None
    #: whether its notes are, too
    is_noted_again: bool = True


@dataclass(frozen=True, kw_only=True)
class RebuildCursor:
    """How far a rebuilding came that did not end."""

    started_at: datetime
    #: the last conversation that was done, in the order of their ids
    beyond: str
    done: int


class FirestoreRebuilding:
    """What rebuilding reads and writes. One client per instance, made inside the running loop.

    Every call raises StoreUnavailable or StoreRefused.
    """

    def __init__(self, client: AsyncClient) -> None:
        """`client` belongs to the running loop."""
        self.client = client

    async def outline(self, beyond: str) -> AsyncIterator[ConversationOutline]:
        """The conversations after this one, in the order of their ids."""
        everything = self.client.collection(paths.CONVERSATIONS)
        page = everything.select(OUTLINE).order_by(NAME).limit(DOCUMENTS_AT_ONCE)
        if beyond:
            page = page.start_after({NAME: self.client.document(paths.conversation_path(beyond))})
        while True:
            with translated("list the conversations"):
                found = await page.get(retry=RETRY, timeout=CALL_SECONDS)
            for one in found:
                known = one.to_dict() or {}
                counts = {name: int(known.get(name) or 0) for name in ("entries", "turns")}
                yield ConversationOutline(conversation=one.id, chat=str(known.get("chat", "")), **counts)
            if len(found) < DOCUMENTS_AT_ONCE:
                return
            page = page.start_after({NAME: found[-1].reference})

    async def write(self, segments: Sequence[Segment]) -> None:
        """Write some segments in place of what they were."""
        for start in range(0, len(segments), DOCUMENTS_AT_ONCE):
            batch: Any = self.client.batch()
            for one in segments[start : start + DOCUMENTS_AT_ONCE]:
                path = paths.segment_path(one.conversation, one.number)
                batch.set(self.client.document(path), encode_segment(one))
            with translated("rebuild segments"):
                await batch.commit(retry=RETRY, timeout=CALL_SECONDS)

    async def replace(self, rebuilt: ConversationRebuild) -> None:
        """Write what was made anew, and delete what it replaces; the conversation's own document comes last.

        So whoever is to note it finds all of its segments.
        """
        conversation = rebuilt.conversation
        numbers = {*rebuilt.written, *(one.number for one in rebuilt.segments)}
        kept = {paths.segment_path(conversation, one) for one in numbers}
        gone = [one async for one in self._names(paths.segments_path(conversation)) if one not in kept]
        if rebuilt.is_noted_again:
            gone += [one async for one in self._names(paths.observations_path(conversation))]
        await self.write(rebuilt.segments)
        for start in range(0, len(gone), DOCUMENTS_AT_ONCE):
            batch: Any = self.client.batch()
            for path in gone[start : start + DOCUMENTS_AT_ONCE]:
                batch.delete(self.client.document(path))
            with translated("delete what was rebuilt"):
                await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
        with translated("rebuild a conversation"):
            whole = self.client.document(paths.conversation_path(conversation))
            await whole.set(dict(_fields(rebuilt)), merge=True, retry=RETRY, timeout=CALL_SECONDS)

    async def cursor(self) -> RebuildCursor | None:
        """Where the last rebuilding stopped; none: it came to its end."""
        with translated("read how far the rebuilding came"):
            found = await self.client.document(paths.REBUILD_CURSOR).get(retry=RETRY, timeout=CALL_SECONDS)
        document = found.to_dict()
        return RebuildCursor(**document) if document else None

    async def keep_cursor(self, cursor: RebuildCursor | None) -> None:
        """Keep how far it came; none: to the end."""
        document = self.client.document(paths.REBUILD_CURSOR)
        with translated("keep how far the rebuilding came"):
            if cursor is None:
                await document.delete(retry=RETRY, timeout=CALL_SECONDS)
                return
            fields = {"started_at": cursor.started_at, "beyond": cursor.beyond, "done": cursor.done}
            await document.set(fields, retry=RETRY, timeout=CALL_SECONDS)

    async def _names(self, collection: str) -> AsyncIterator[str]:
        """The paths of a collection's documents."""
        page = self.client.collection(collection).select([]).order_by(NAME).limit(DOCUMENTS_AT_ONCE)
        while True:
            with translated("list what was derived"):
                found = await page.get(retry=RETRY, timeout=CALL_SECONDS)
            for one in found:
                yield one.reference.path
            if len(found) < DOCUMENTS_AT_ONCE:
                return
            page = page.start_after({NAME: found[-1].reference})


def _fields(rebuilt: ConversationRebuild) -> Iterator[tuple[str, object]]:
    yield "place", rebuilt.place
    yield "segment", rebuilt.start.model_dump()
    if rebuilt.due_at is None:
        return
    yield from (("due_at", rebuilt.due_at), ("embedding_model", ""), ("embedding", DELETE_FIELD))
    if rebuilt.is_noted_again:
        yield from (("needs_abbreviation", True), ("abbreviation", ""), ("abbreviation_holds_outside", False))
        yield from (("topics", []), ("noted_seq", 0), ("left_out", []), ("titled_turn", 0), ("failures", 0))
