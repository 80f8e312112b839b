"""Stores conversations as ticks store them, and makes their vectors as it is done for resting conversations."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks.recalled.conversations import LongConversation, Session
from shared.chat.session import Session as Hold
from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.chat.terms import SessionTerms
from shared.llm.ports.embedding import Embedder
from shared.recall.jobs.embed_notes import VectorBuilder
from shared.recall.matching.segmenting import SEGMENTING
from shared.recall.store.notes import FirestoreNotes, encode_observation
from shared.recall.store.segments import encode_segment
from shared.values.chat import Chat, Lease
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.evolve import evolve
from shared.values.message import Message
from shared.values.notes import Observation
from shared.values.place import place_of
from shared.values.segment import Segment

LANGUAGE = "en"
TOGETHER = 50


@dataclass(frozen=True)
class Turn:
    """The place of a turn: the id of its conversation, and the number of its entry there."""

    conversation: str
    seq: int


async def write_talk(chats: FirestoreChats, key: ChatKey, talk: LongConversation, *, noted: bool) -> Mapping[str, Turn]:
    """Store each session of `talk` as a conversation of one chat. Return the place of each turn by the turn's id.
    `noted`: store the observations too.
    """
    turns: dict[str, Turn] = {}
    for session in talk.sessions:
        turns |= await _write_session(chats, key, session, noted=noted)
    return turns


async def _write_session(chats: FirestoreChats, key: ChatKey, session: Session, *, noted: bool) -> Mapping[str, Turn]:
    """Store a session as one tick stores it: its entries, the window, the conversation and the segments. Return the
    places of its turns.
    """
    terms = SessionTerms(
        owner="recall",
        lease=timedelta(hours=1),
        window_entries=500,
        clock=lambda: datetime.now(UTC),
        segmenting=SEGMENTING,
    )
    seen = await chats.see(key)
    lease = Lease(owner=terms.owner, until=datetime.now(UTC) + terms.lease)
    hold = Hold(chats, await chats.claim(seen, lease), terms)
    if hold.chat.conversation:
        await hold.note_other_conversation()
    hold.note_chat(evolve(hold.chat, kind=ChatKind.GROUP, locale=evolve(hold.chat.locale, last_language=LANGUAGE)))
    await hold.note_entries(session.messages.values())
    turns = {turn: Turn(hold.chat.conversation, n) for n, turn in enumerate(session.messages, 1)}
    await hold.commit(release=True)
    if noted:
        await _observe(chats.client, hold.chat, session, turns)
    return turns


async def _observe(client: AsyncClient, chat: Chat, session: Session, turns: Mapping[str, Turn]) -> None:
    """Store a session's observations as they are stored for a resting conversation."""
    batch = client.batch()
    for n, (text, turn) in enumerate(session.observations):
        if turn not in turns:
            continue
        said_at = session.messages[turn].at
        one = Observation(
            id=f"{n:04d}",
            conversation=chat.conversation,
            agent=chat.key.agent,
            place=place_of(chat.key),
            text=text,
            entries=(turns[turn].seq,),
            made_at=said_at,
            said_at=said_at,
        )
        batch.set(client.document(paths.observation_path(one.conversation, one.id)), encode_observation(one))
    await batch.commit()


async def rest_conversations(client: AsyncClient, conversations: Iterable[str], embedder: Embedder | None) -> None:
    """Make the vectors of all segments of these conversations, as it is done when a conversation rests."""
    vectors = VectorBuilder(FirestoreNotes(client), embedder, lambda: datetime.now(UTC))
    for conversation in conversations:
        await vectors.segments(conversation, datetime.now(UTC) + timedelta(days=1))


async def store(client: AsyncClient, segments: Sequence[tuple[Segment, tuple[float, ...]]]) -> None:
    """Store segments with their vectors. Earlier segments with the same numbers are replaced."""
    batch = client.batch()
    for one, vector in segments:
        path = paths.segment_path(one.conversation, one.number)
        batch.set(client.document(path), encode_segment(one, vector))
    await batch.commit()


def messages_in(talks: Sequence[LongConversation]) -> list[Message]:
    """Return the messages of all sessions."""
    return [one for talk in talks for session in talk.sessions for one in session.messages.values()]
