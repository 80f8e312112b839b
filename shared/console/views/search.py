"""Searches all conversations of the owner's agents by words and by meaning."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, tzinfo
from typing import Any, Final

from pydantic import ValidationError

from shared.base.language.terms import QueryTerm, query_terms, spans_of
from shared.base.logs import log
from shared.cloud.deployed_functions import DeployedFunctions
from shared.console.posted import posted_texts
from shared.console.request import own_agent
from shared.console.route import BadRequest, ConsoleRequest, ConsoleRoute, NotFound, OutdatedPage
from shared.console.services import ConsoleServices
from shared.llm.ports.embedding import EmbeddingTask
from shared.recall.candidates import channel_of
from shared.recall.search import NO_MODEL, NO_NEIGHBOURS, NO_VECTOR, NO_WORDS, Search
from shared.recall.store.segments import FirestoreSegments
from shared.values.agent import parse_zone
from shared.values.chat_key import Channel
from shared.values.place import VisibleChats, chat_of
from shared.values.question_vector import LONGEST_QUESTION, QuestionVector, VectorOrder
from shared.values.recalled import RecallHit, RecallHits, RecallQuery

Json = dict[str, Any]

#: names of the reasons why a search was worse than usual; the page has a sentence for each
TROUBLES: Final = {NO_MODEL: "no_model", NO_NEIGHBOURS: "no_neighbours", NO_VECTOR: "no_vector", NO_WORDS: "no_words"}
#: the most results of one search
MOST_RESULTS: Final = 30
#: the function that makes vectors, and how many seconds a search waits for it
MAKER = "summarize"
LONGEST_S = 8.0
#: stands for the model while its name is unknown, because no answer came
UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class KnownVector:
    """An embedder that only knows the vector of one question. `vector` is () if the model did not answer."""

    model: str
    vector: tuple[float, ...] = ()

    async def embed(self, texts: Sequence[str], embedding_task: EmbeddingTask) -> Sequence[tuple[float, ...]]:
        """Return the known vector for each text. A search passes only one text, its question."""
        return [self.vector for _ in texts]


async def vector_of(functions: Mapping[str, str], question: str, agent: str, owner: int) -> KnownVector | None:
    """Return an embedder that knows the question's vector; None if there is no question or no embedding model.

    The console has no API key for models, so another function makes the vector, at the owner's cost. If that function
    does not answer, the search uses only words.
    """
    if not question.strip():
        return None
    order = VectorOrder(question=question[:LONGEST_QUESTION], agent=agent, person=owner)
    answer = await DeployedFunctions("", "", functions).ask(MAKER, order.model_dump_json().encode(), LONGEST_S)
    try:
        found = QuestionVector.model_validate_json(answer.said) if answer.status == 200 else None
    except ValidationError:
        found = None
    if found is None:
        log("a search in the console uses words only: no vector was made", status=answer.status or 0)
        return KnownVector(model=UNKNOWN)
    return KnownVector(model=found.model, vector=found.vector) if found.model else None


def findings_view(found: Sequence[tuple[str, RecallHits]], question: str, language: str, limit: int) -> Json:
    """Return the results of all agents' searches, the best first. `found`: pairs of an agent and its results."""
    terms = query_terms(question, language)
    hits = sorted(((agent, hit) for agent, hits in found for hit in hits.found), key=lambda one: -one[1].score)
    troubles = [hits.trouble for _, hits in found if hits.trouble]
    return {
        "items": [hit_view(agent, hit, terms) for agent, hit in hits[:limit]],
        "next": "",
        "total": sum(hits.total for _, hits in found),
        "reads": sum(hits.reads for _, hits in found),
        "trouble": TROUBLES.get(troubles[0], "other") if troubles else "",
    }


def hit_view(agent: str, hit: RecallHit, terms: Sequence[QueryTerm]) -> Json:
    """Return one result. `hits` are the ranges of the snippet's characters that match, as [start, end]."""
    best = next((one for one in hit.messages if one.message_id == hit.message_id), None)
    return {
        "agent": agent,
        "conversation": hit.source.conversation,
        "title": hit.source.title,
        "chat": hit.source.chat,
        "chat_title": hit.source.chat_title,
        "is_private": chat_of(hit.source.place).is_private,
        "channel": channel_of(hit.source.chat),
        "at": hit.at.isoformat(),
        "seq": best.seq if best is not None else hit.stretch.first_seq,
        "first_turn": hit.stretch.first_turn,
        "last_turn": hit.stretch.last_turn,
        "snippet": hit.snippet,
        "hits": ranges_in(hit.snippet, terms),
        "score": round(hit.score, 3),
        "fit": round(hit.fit, 3),
        "topics": list(hit.topics),
        "notes": [{"text": one.text, "happened": one.happened} for one in hit.notes[:3]],
        "outside": list(hit.outside),
    }


def ranges_in(text: str, terms: Sequence[QueryTerm]) -> list[list[int]]:
    """Return the ranges of a text's words that match a term of the question. Adjacent ranges are joined."""
    wanted = {variant for term in terms for variant in term.variants}
    ranges = list[list[int]]()
    for start, end, variants in spans_of(text):
        if wanted.isdisjoint(variants):
            continue
        if ranges and start <= ranges[-1][1]:
            ranges[-1][1] = max(end, ranges[-1][1])
        else:
            ranges.append([start, end])
    return ranges


async def search(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the passages that match best. The limit of reads for one search is divided among the agents.

    Body: `q`; the filters `agent`, `channel` (`telegram` or `web`), `conversation`, `person` (an id or a part of a
    name), `chat` (a part of its name), `since` and `until` (dates, both included); `zone` (IANA), the time zone of the
    dates.
    """
    agents = _agents(request)
    query = _query(services, request)
    if not query.query.strip() and not any(_filters(query)):
        return findings_view([], "", request.language, 0)
    embedder = await vector_of(services.functions, query.query, agents[0], request.owner)
    found = await asyncio.gather(*(_search_agent(services, agent, query, embedder, len(agents)) for agent in agents))
    pairs: Sequence[tuple[str, RecallHits]] = list(zip(agents, found, strict=True))
    return findings_view(pairs, query.query, query.language, query.limit)


async def _search_agent(
    services: ConsoleServices, agent: str, query: RecallQuery, embedder: KnownVector | None, share: int
) -> RecallHits:
    visible = VisibleChats(agent=agent, places=(), is_everything=True)
    searcher = Search(segments=FirestoreSegments(services.client), embedder=embedder, share=share)
    return await searcher.search(visible, query)


def _filters(query: RecallQuery) -> Sequence[object]:
    return (query.person, query.conversation, query.chat, query.channel, query.since, query.until)


def _agents(request: ConsoleRequest) -> Sequence[str]:
    wanted = posted_texts(request).get("agent", "")
    return (own_agent(request, wanted),) if wanted else request.agents


def _query(services: ConsoleServices, request: ConsoleRequest) -> RecallQuery:
    asked = posted_texts(request)
    if len(asked.get("q", "")) > LONGEST_QUESTION:
        raise BadRequest("question_too_long", count=LONGEST_QUESTION)
    return RecallQuery(
        query=asked.get("q", ""),
        now=services.clock(),
        zone=_zone(asked.get("zone", "")),
        limit=MOST_RESULTS,
        language=request.language,
        conversation=_document_id(asked.get("conversation", "")),
        person=asked.get("person", "").strip(),
        chat=asked.get("chat", "").strip(),
        channel=_channel(asked.get("channel", "")),
        since=_day(asked.get("since", "")),
        until=_day(asked.get("until", "")),
    )


def _channel(name: str) -> str:
    if name and name not in [*Channel]:
        raise OutdatedPage(f"Unknown channel {name!r}; expected one of: {', '.join(Channel)}.")
    return name


def _document_id(text: str) -> str:
    if "/" in text:
        raise NotFound
    return text


def _zone(name: str) -> tzinfo:
    try:
        return parse_zone(name) if name else UTC
    except ValueError:
        raise OutdatedPage(f"Unknown time zone {name!r}; expected an IANA name such as Europe/Berlin.") from None


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise OutdatedPage("The day must be written like 2026-11-30.") from None


ROUTES = (ConsoleRoute("POST", "/api/search", search, only_reads=True),)
