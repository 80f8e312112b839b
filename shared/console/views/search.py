"""Searches all conversations of the owner's agents by words and by meaning."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, date, tzinfo
from typing import Any, Final

from shared.console.posted import posted_texts
from shared.console.route import BadRequest, ConsoleRequest, ConsoleRoute, NotFound, OutdatedPage
from shared.console.search.findings import findings_view
from shared.console.search.vectors import KnownVector, vector_of
from shared.console.services import ConsoleServices
from shared.recall.search import Search
from shared.recall.store.segments import FirestoreSegments
from shared.values.agent import parse_zone
from shared.values.chat_key import Channel
from shared.values.place import VisibleChats
from shared.values.question_vector import LONGEST_QUESTION
from shared.values.recalled import RecallHits, RecallQuery

#: the most results of one search
MOST_RESULTS: Final = 30


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
    if wanted and wanted not in request.agents:
        raise NotFound
    return (wanted,) if wanted else request.agents


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
