"""Segments for searches, and a search over the local cloud of the test's worker, with scripted vectors."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from local.gemini import hashed
from shared.base.language.terms import terms_of
from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.llm.gemini.api import GeminiApi
from shared.llm.gemini.embedding import GeminiEmbedder
from shared.recall.search import Search
from shared.recall.store.segments import FirestoreSegments, encode_segment
from shared.values.evolve import evolve
from shared.values.segment import Segment, SegmentMessage
from tests.shared.examples import NOW


def segment(
    place: str, text: str, *, number: int = 1, at: datetime = NOW, author: int = 7, name: str = "Ann"
) -> Segment:
    """Return a segment of one message. Its conversation is named after its place."""
    message = SegmentMessage(
        seq=number,
        message_id=number,
        turn=number,
        at=at,
        author=author,
        name=name,
        text=text,
        terms=" ".join(terms_of(text)),
    )
    return Segment(
        conversation=f"conv-{place}",
        number=number,
        agent=place.partition(".")[0],
        place=place,
        chat=f"{place}.0",
        messages=(message,),
        terms_before=9 * (number - 1),
    )


async def keep(chats: FirestoreChats, *segments: Segment, with_vectors: bool = True) -> None:
    """Write segments with their vectors, and their conversations."""
    batch = chats.client.batch()
    for one in segments:
        vector = tuple(hashed.hashed(one.text)) if with_vectors else ()
        named = evolve(one, embedding_model=hashed.NAME if vector else "")
        batch.set(
            chats.client.document(paths.segment_path(one.conversation, one.number)), encode_segment(named, vector)
        )
        about = {"agent": one.agent, "place": one.place, "title": f"About {one.place}", "topics": ["things"]}
        batch.set(chats.client.document(paths.conversation_path(one.conversation)), about)
    await batch.commit()


@asynccontextmanager
async def searching(chats: FirestoreChats, gemini_url: str) -> AsyncIterator[Search]:
    """Yield a search by words and by the scripted vectors."""
    api = GeminiApi("a-key", gemini_url, 5.0, 1)
    yield Search(segments=FirestoreSegments(chats.client), embedder=GeminiEmbedder(hashed.NAME, api, lambda _: None))
    await api.aclose()


def later(days: float) -> datetime:
    """Return the time that is this many days after the time that tests take as now."""
    return NOW + timedelta(days=days)
