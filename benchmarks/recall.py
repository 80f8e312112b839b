"""The quality of recall: questions about long conversations, answered by the search that production runs.

The environment variable `DATA` names a file in LoCoMo's format (`benchmarks/recalled/conversations.py`). Each
conversation of the file is stored in a chat as ticks store it, and searched as lull's search tool does. The small local
model makes the vectors; with `VECTORS=no` there are no vectors. `OBSERVATIONS=1` also stores the observations in the
file. `SEGMENTS=10000` also measures the search in a place with that many segments. `EVERY=5` asks only every fifth
question.
"""

import itertools
import os
import random
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks.recalled.conversations import Asked, LongConversation, read
from benchmarks.recalled.scores import Answer, figures_of
from benchmarks.recalled.writing import Turn, messages_in, rest_conversations, store, write_talk
from local.cloud import CloudSpec, LocalCloud
from local.gemini.scripted import ScriptedBackend
from local.model import minilm
from local.model.download import models_folder, named_sources
from local.model.minilm_files import fetched, named
from local.model.recorder import Recorder
from local.model.server import build_app
from shared.base.language.terms import terms_of
from shared.chat.store.chats import FirestoreChats
from shared.llm.gemini.api import GeminiApi
from shared.llm.gemini.embedding import GeminiEmbedder
from shared.llm.ports.embedding import Embedder
from shared.recall.search import Search
from shared.recall.store.segments import FirestoreSegments, SearchArea
from shared.values.chat_key import ChatKey
from shared.values.place import VisibleChats, place_of
from shared.values.recalled import USUAL_RESULTS, RecallQuery
from shared.values.segment import Segment, SegmentMessage
from tests.local.serving import serving

#: number of results of one search: enough that ten conversations are among them
DEEP: Final = 100
#: the most segments of one conversation that are read for counting
MOST: Final = 10_000
SEED: Final = 1
#: number of questions in a place with many segments, and time limit in seconds for one call there. The emulator sorts
#: all entries of an index for each query of a list, which takes 10 s and more; the real Firestore does not
OF_MANY: Final = 3
PATIENCE_S: Final = 900.0
#: the memory that the emulator needs for so many segments, in Java's notation
HEAP: Final = "8g"


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of the measure, as the environment variables give them, except the file."""

    noted: bool = False
    segments: int = 0
    every: int = 1


async def measure() -> dict[str, Any]:
    """Return the figures that docs/benchmarks.md explains."""
    talks = read(data_file())
    options = Options(
        noted=bool(os.environ.get("OBSERVATIONS")),
        segments=int(os.environ.get("SEGMENTS") or 0),
        every=int(os.environ.get("EVERY") or 1),
    )
    with (
        LocalCloud(CloudSpec(parts=("firestore",), arguments={"firestore": ("--heap", HEAP)})).running() as cloud,
        _vectors() as url,
    ):
        os.environ["FIRESTORE_EMULATOR_HOST"] = cloud.firestore_host  # the official client's own setting
        async with embedding(url) as embedder:
            return await figures(FirestoreChats(cloud.project), embedder, talks, options)


def data_file() -> Path:
    """Return the file that `DATA` names. Exits with a message if the file does not exist."""
    file = Path(os.environ.get("DATA") or "")
    if not os.environ.get("DATA") or not file.is_file():
        sys.exit("say which file has conversations with questions, as LoCoMo has them: make bench NAME=recall DATA=…")
    return file


async def figures(
    chats: FirestoreChats, embedder: Embedder | None, talks: Sequence[LongConversation], options: Options
) -> dict[str, Any]:
    """Write the conversations, ask the questions, and return how much of the evidence was found."""
    search = Search(segments=FirestoreSegments(chats.client), embedder=embedder)
    answers: list[Answer] = []
    count = 0
    for number, talk in enumerate(talks, 1):
        key = ChatKey(agent="lull", chat_id=-number)
        turns = await write_talk(chats, key, talk, noted=options.noted)
        await rest_conversations(chats.client, dict.fromkeys(turn.conversation for turn in turns.values()), embedder)
        count += (
            await search.segments.count(
                SearchArea(visible=VisibleChats(agent=key.agent, places=(place_of(key),))), MOST
            )
        ).segments or 0
        asked = talk.questions[:: options.every]
        answers += [await _answer(search, key, talk, one, [turns[turn] for turn in one.evidence]) for one in asked]
        print(f"{number} of {len(talks)} conversations asked about", file=sys.stderr, flush=True)
    found: dict[str, Any] = {**figures_of(answers, USUAL_RESULTS), "segments": count}
    if options.segments:
        patient = replace(search, segments=FirestoreSegments(chats.client, PATIENCE_S))
        found |= await _at_many(chats.client, patient, talks, options.segments)
    return found


def _sight(key: ChatKey) -> VisibleChats:
    return VisibleChats(agent=key.agent, places=(place_of(key),))


async def _count(search: Search, key: ChatKey) -> int:
    return (await search.segments.count(SearchArea(visible=_sight(key)), MOST)).segments or 0


async def _answer(
    search: Search, key: ChatKey, talk: LongConversation, asked: Asked, evidence: Sequence[Turn]
) -> Answer:
    wanted = RecallQuery(
        query=asked.question, now=talk.ends_at + timedelta(days=1), zone=UTC, limit=DEEP, language="en"
    )
    begun = time.monotonic()
    findings = await search.search(_sight(key), wanted)
    return Answer(evidence=evidence, findings=findings, seconds=time.monotonic() - begun)


async def _at_many(
    client: AsyncClient, search: Search, talks: Sequence[LongConversation], count: int
) -> dict[str, float | int]:
    """Return the cost of a search in a place with `count` segments, which are made of the talks' messages in random
    order.
    """
    key = ChatKey(agent="lull", chat_id=-10_000)
    chance = random.Random(SEED)
    made = _make_segments(talks, key, count, chance)
    while batch := list(itertools.islice(made, 200)):
        await store(client, batch)
    questions = [(talk, one) for talk in talks for one in talk.questions]
    some = chance.sample(questions, min(OF_MANY, len(questions)))
    answers = [await _answer(search, key, talk, one, [Turn("none", 0)]) for talk, one in some]
    found = figures_of(answers, USUAL_RESULTS)
    return {f"{name}_at_{count}": found[name] for name in ("p50_ms", "reads_per_query", "most_reads")}


def _make_segments(
    talks: Sequence[LongConversation], key: ChatKey, count: int, chance: random.Random
) -> Iterator[tuple[Segment, tuple[float, ...]]]:
    said = messages_in(talks)
    for number in range(1, count + 1):
        messages = tuple(
            SegmentMessage(
                seq=seq, message_id=seq, at=one.at, author=one.author.id, name=one.author.name, text=one.text,
                terms=" ".join(terms_of(one.text, "en")),
            )
            for seq, one in enumerate(chance.sample(said, 4), 1)
        )  # fmt: skip
        vector = [chance.gauss(0, 1) for _ in range(384)]
        length = sum(value * value for value in vector) ** 0.5
        segment = Segment(
            conversation=f"conv-many-{number // 5}", number=number % 5 + 1, agent=key.agent, place=place_of(key),
            chat=key.id, messages=messages, embedding_model=minilm.NAME,
        )  # fmt: skip
        yield segment, tuple(value / length for value in vector)


@contextmanager
def _vectors() -> Iterator[str]:
    """Yield the address of the small embedding model, or "" if there are to be no vectors."""
    if os.environ.get("VECTORS") == "no":
        yield ""
        return
    folder = os.environ.get("LULL_EMBEDDING_FILES")
    files = named(Path(folder)) if folder else fetched(models_folder(), named_sources())
    app = build_app(ScriptedBackend(minilm.MiniLm(files, patience_s=600)), Recorder())
    with serving(app) as url:
        yield url


@asynccontextmanager
async def embedding(url: str, name: str = minilm.NAME) -> AsyncIterator[Embedder | None]:
    """Yield the client that production uses, for an embedding model at this address."""
    if not url:
        yield None
        return
    api = GeminiApi("local", url, 600.0, 1)
    yield GeminiEmbedder(name, api, lambda _: None)
    await api.aclose()
