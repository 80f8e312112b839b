"""Conversations are written as ticks write them, and given vectors as they are when they rest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks.recalled.conversations import LongConversation, Session
from shared.adapters.firestore import paths
from shared.adapters.firestore.chats import FirestoreChats
from shared.adapters.firestore.queries import SEGMENTS_OF_CONVERSATION
from shared.adapters.firestore.records.segments import decode_segment, encode_segment
from shared.models.chat import Chat, Lease
from shared.models.chat_key import ChatKey, ChatKind
from shared.models.message import AnyEntry, Message
from shared.models.place import place_of
from shared.models.segment import Segment, SegmentNote, SegmentStart
from shared.ports.embedding import EmbeddedAs, Embedder
from shared.prompting.origins import of_entry
from shared.records import SegmentState
from shared.search.segmenting import SegmentedConversation, segments_from
from shared.search.terms import terms_of
from shared.session.session import Session as Hold
from shared.session.terms import SessionTerms

LANGUAGE = "en"
TOGETHER = 50


@dataclass(frozen=True)
class Turn:
    """Where a turn of the data stands: its conversation, and its entry there."""

    conversation: str
    seq: int


async def written(chats: FirestoreChats, key: ChatKey, talk: LongConversation, *, noted: bool) -> Mapping[str, Turn]:
    """Write all sessions of one chat, each a conversation; where each turn stands. `noted`: with its observations."""
    turns: dict[str, Turn] = {}
    for session in talk.sessions:
        turns |= await _written(chats, key, session, noted=noted)
    return turns


async def _written(chats: FirestoreChats, key: ChatKey, session: Session, *, noted: bool) -> Mapping[str, Turn]:
    """One session as one tick writes it: its entries, its window, its conversation and its segments."""
    terms = SessionTerms(owner="recall", lease=timedelta(hours=1), window_entries=500, clock=lambda: datetime.now(UTC))
    seen = await chats.see(key)
    lease = Lease(owner=terms.owner, until=datetime.now(UTC) + terms.lease)
    hold = Hold(chats, await chats.claim(seen, lease), terms)
    if hold.chat.conversation:
        await hold.note_other_conversation()
    hold.note_chat(kind=ChatKind.GROUP, last_language=LANGUAGE)
    await hold.note_entries(session.messages.values())
    entries = await hold.window()
    turns = {turn: Turn(hold.chat.conversation, n) for n, turn in enumerate(session.messages, 1)}
    for segment in _segments(hold.chat, entries):
        hold.note(SegmentState(_with_notes(segment, session, turns) if noted else segment))
    await hold.commit(release=True)
    return turns


def _segments(chat: Chat, entries: Sequence[AnyEntry]) -> Sequence[Segment]:
    about = SegmentedConversation(
        conversation=chat.conversation,
        agent=chat.key.agent,
        place=place_of(chat.key),
        chat=chat.key.id,
        language=chat.last_language,
    )
    return segments_from(entries, SegmentStart(), about, of_entry)


def _with_notes(segment: Segment, session: Session, turns: Mapping[str, Turn]) -> Segment:
    """The segment with the observations that the data have of its turns."""
    notes = [
        SegmentNote(id=f"{turn}-{n}", text=text, terms=" ".join(terms_of(text, LANGUAGE)))
        for n, (text, turn) in enumerate(session.observations)
        if turn in turns and segment.first_seq <= turns[turn].seq <= segment.last_seq
    ]
    return segment.model_copy(update={"notes": tuple(notes)})


async def embedded(client: AsyncClient, conversations: Sequence[str], embedder: Embedder) -> int:
    """Give all segments of some conversations their vectors; how many there are."""
    segments = [one for name in conversations for one in await _stored(client, name)]
    for begin in range(0, len(segments), TOGETHER):
        some = segments[begin : begin + TOGETHER]
        vectors = await embedder.embed([one.text for one in some], EmbeddedAs.DOCUMENT)
        named = [one.model_copy(update={"embedding_model": embedder.model}) for one in some]
        await store(client, list(zip(named, vectors, strict=True)))
    return len(segments)


async def _stored(client: AsyncClient, conversation: str) -> list[Segment]:
    parent = client.document(paths.conversation_path(conversation))
    return [decode_segment(one.to_dict() or {}) async for one in SEGMENTS_OF_CONVERSATION.on(parent).stream()]


async def store(client: AsyncClient, segments: Sequence[tuple[Segment, tuple[float, ...]]]) -> None:
    """Replace segments, with their vectors."""
    batch = client.batch()
    for one, vector in segments:
        path = paths.segment_path(one.conversation, one.number)
        batch.set(client.document(path), encode_segment(one, vector))
    await batch.commit()


def messages_in(talks: Sequence[LongConversation]) -> list[Message]:
    """All that was said."""
    return [one for talk in talks for session in talk.sessions for one in session.messages.values()]
