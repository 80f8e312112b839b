"""Turns of conversations, read from their segments: ten are three documents there, and twenty in the transcript."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from pydantic import ValidationError

from shared.base.logs import log
from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translated
from shared.chat.store.queries import NEWEST_SEGMENTS, SEGMENTS_BY_TURN
from shared.recall.documents.segments import DERIVED, decode_segment
from shared.recall.store.segments import TITLED, is_titled_outside
from shared.values.recalled import TITLED_OUTSIDE, USUAL_TURNS, SpokenMessage, SpokenTurns
from shared.values.segment import Segment, SegmentMessage

#: segments of one answer: a turn may fill several
MOST_SEGMENTS: Final = 20
#: what is read of the conversation's own document
FIELDS: Final = ("chat", "place", "title", "chat_title", "turns", *TITLED)


class FirestoreTurns:
    """The turns of all conversations. Raises StoreUnavailable or StoreRefused."""

    def __init__(self, client: AsyncClient) -> None:
        """`client` belongs to the running loop."""
        self.client = client

    async def of(self, conversation: str, first: int | None, last: int | None) -> SpokenTurns | None:
        """Some turns of a conversation, the newest if none are named; none if there is no such conversation."""
        if "/" in conversation or not conversation:
            return None  # no document has such an id
        document: Any = self.client.document(paths.conversation_path(conversation))
        with translated("read a conversation"):
            found = await document.get(FIELDS, retry=RETRY, timeout=CALL_SECONDS)
        if not found.exists:
            return None
        known = found.to_dict() or {}
        total = int(known.get("turns") or 0)
        begin, end = (first, last or first) if first is not None else (max(1, total - USUAL_TURNS + 1), total)
        messages = list(_within(await self._segments(document, first), begin, end))
        return SpokenTurns(
            conversation=conversation,
            title=str(known.get("title") or ""),
            title_outside=TITLED_OUTSIDE if is_titled_outside(known) else "",
            chat=str(known.get("chat") or ""),
            chat_title=str(known.get("chat_title") or ""),
            place=str(known.get("place") or ""),
            messages=tuple(messages),
            total=total,
        )

    async def _segments(self, document: Any, first: int | None) -> Sequence[Segment]:
        """Segments in their order: from the one that holds a turn on, or the newest."""
        if first is None:
            query = NEWEST_SEGMENTS.on(document)
        else:
            query = SEGMENTS_BY_TURN.on(document).start_at({"last_turn": first})
        fields = [*(name for name in Segment.model_fields if name not in DERIVED)]
        with translated("read turns"):
            found = await query.select(fields).limit(MOST_SEGMENTS).get(retry=RETRY, timeout=CALL_SECONDS)
        return sorted(_readable(one.to_dict() for one in found), key=lambda one: one.number)


def _readable(documents: Iterable[dict[str, Any] | None]) -> Iterator[Segment]:
    for document in documents:
        try:
            yield decode_segment(document or {})
        except (ValidationError, KeyError):
            log("a segment cannot be read and is left out")


def _within(segments: Sequence[Segment], begin: int, end: int) -> Iterator[SpokenMessage]:
    """The messages of these turns, the parts of a long one together; what has no turn stands with what is before it."""
    turn, spoken = 0, dict[int, SpokenMessage]()
    for one in (message for segment in segments for message in segment.messages):
        turn = one.turn or turn
        if begin <= turn <= end:
            first = spoken.get(one.seq)
            spoken[one.seq] = replace(first, text=f"{first.text} {one.text}") if first else _spoken(one, turn)
    yield from spoken.values()


def _spoken(one: SegmentMessage, turn: int) -> SpokenMessage:
    return SpokenMessage(
        turn=turn,
        seq=one.seq,
        at=one.at,
        author=one.author,
        name=one.name,
        is_agent=one.is_agent,
        text=one.text,
        outside=one.outside,
    )
