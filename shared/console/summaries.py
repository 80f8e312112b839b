"""The summaries of chats and the rebuild of derived data. The console shows and starts both."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from shared.base.text import abridge
from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.chat.store.queries import CHATS_OF_AGENT, NAME
from shared.console.memories import access_list_of, name_of_person
from shared.console.records import Click
from shared.console.request import own_chat
from shared.console.route import BadRequest, NotFound
from shared.recall.store.rebuilding import FirestoreRebuilding, RebuildCursor
from shared.recall.store.summaries import ChatSummary, FirestoreSummaries, SummarySpan
from shared.upkeep.jobs.rebuild import RebuildModels, RebuildSize, rebuild_job
from shared.upkeep.rebuild_costs import rebuild_costs
from shared.values.chat_key import ChatKey
from shared.values.trust import AccessList
from shared.values.usage import price_of
from shared.values.wake import background_job

if TYPE_CHECKING:
    from shared.console.services import ConsoleServices

#: chats on a page; each costs three reads
CHATS_PER_PAGE: Final = 15
#: characters of a summary in the list
LONGEST_EXCERPT: Final = 280
#: tokens of the summary's reply besides its text, as in the job
THOUGHTS: Final = 1_024
#: the most conversations whose lengths are read before a rebuild, the newest ones
MOST_SIZED: Final = 300
#: a rebuild that did not move for so long was interrupted
STALLED_AFTER: Final = timedelta(minutes=15)


async def list_summaries(services: ConsoleServices, agents: Sequence[str], after: str) -> Mapping[str, Any]:
    """Return a page of the chats of these agents that have a summary or will get one."""
    if not agents:
        return {"items": [], "next": ""}
    page = CHATS_OF_AGENT.on(services.client, list(agents)).order_by(NAME).select(["key", "title", "kind"])
    page = page.limit(CHATS_PER_PAGE)
    if after:
        page = page.start_after({NAME: services.client.document(paths.chat_path_of(after))})
    with translate_errors("list chats"):
        found = await page.get(retry=RETRY, timeout=CALL_SECONDS)
    known = {agent: await access_list_of(services, agent) for agent in {_agent_of(one.id) for one in found}}
    items = [await _chat_item(services, one.id, one.to_dict() or {}, known[_agent_of(one.id)]) for one in found]
    return {
        "items": [one for one in items if one["summaries"]],
        "next": found[-1].id if len(found) == CHATS_PER_PAGE else "",
        "model": services.knowledge.notes_model,
        "costs": {span.value: summary_cost(services, span) for span in SummarySpan},
    }


def _agent_of(chat: str) -> str:
    return ChatKey.from_id(chat).agent


async def _chat_item(
    services: ConsoleServices, chat: str, document: Mapping[str, Any], known: AccessList
) -> dict[str, Any]:
    last, key = await FirestoreSummaries(services.client).last_summaries(chat), ChatKey.from_id(chat)
    return {
        "chat": chat,
        "agent": key.agent,
        "name": name_of_person(key.chat_id, known) if key.is_private else "",
        "is_you": key.chat_id == known.owner,
        "title": str(document.get("title") or ""),
        "kind": str(document.get("kind") or ""),
        "summaries": [_summary_item(services, span, last[span]) for span in SummarySpan if span in last],
    }


def _summary_item(
    services: ConsoleServices, span: SummarySpan, one: ChatSummary, longest: int = LONGEST_EXCERPT
) -> dict[str, Any]:
    next_at = one.counts_from + services.knowledge.summary_every[span]
    return {
        "span": span.value,
        "days": span.length.days,
        "text": abridge(one.text, longest) if longest else one.text,
        "is_cut": bool(longest) and len(one.text) > longest,
        "made_at": one.made_at.isoformat() if one.text else None,
        "looked_at": one.looked_at.isoformat() if one.looked_at else None,
        "since": (one.made_at - span.length).isoformat() if one.text else None,
        "next_at": next_at.isoformat(),
        "is_due": next_at <= services.clock(),
        "is_asked": one.is_asked,
        "conversations": len({each.conversation for each in one.ranges}),
        "messages": sum(each.last_seq - each.first_seq + 1 for each in one.ranges if not each.is_abbreviated),
        "from_notes": sum(each.is_abbreviated for each in one.ranges),
        "holds_outside": one.holds_outside,
    }


async def read_summary(services: ConsoleServices, chat: str, span: str, agents: Sequence[str]) -> Mapping[str, Any]:
    """Return one summary in full, with the ranges of entries that it covers. Raises NotFound."""
    known = span_named(span)
    own_chat(chat, agents)
    found = (await FirestoreSummaries(services.client).last_summaries(chat)).get(known)
    if found is None:
        raise NotFound
    ranges = [each.model_dump() for each in found.ranges]
    return {**_summary_item(services, known, found, 0), "ranges": ranges}


def span_named(span: str) -> SummarySpan:
    """Return the span with this name, such as `7day`. Raises NotFound if there is no such span."""
    try:
        return SummarySpan(span)
    except ValueError:
        raise NotFound from None


def summary_cost(services: ConsoleServices, span: SummarySpan) -> float | None:
    """Return the highest possible cost of a summary of this span in US dollars; None if the price is unknown."""
    known = services.knowledge
    price = price_of(known.notes_model, services.clock()) if known.notes_model else None
    if price is None:
        return None
    reply = known.summary_tokens[span] + THOUGHTS
    return round((known.notes_tokens * price.prompt + reply * price.output) / 1e6, 6)


async def ask_for_summary(services: ConsoleServices, chat: str, span: SummarySpan, click: Click) -> None:
    """Request that the job `summarize` makes a summary again. Do nothing if it was made after the click.

    Raises BadRequest if no model makes summaries.
    """
    if not services.knowledge.notes_model:
        raise BadRequest("no_notes_model")
    now, store = click.at, FirestoreSummaries(services.client)
    last = (await store.last_summaries(chat)).get(span) if click.is_repeated else None
    if last is not None and last.counts_from > now:
        return
    await store.ask_again(chat, span, now)
    job = background_job({"job": "summarize", "chat": chat}, f"asked {span.value} {now.isoformat()}", now)
    await services.jobs.enqueue(job)


async def rebuild_status(services: ConsoleServices, agents: Sequence[str]) -> Mapping[str, Any]:
    """Return the progress of the current rebuild; `running` is None if there is none."""
    cursor = await FirestoreRebuilding(services.client).cursor()
    return {"running": _progress(services, cursor, agents) if cursor is not None else None}


def _progress(services: ConsoleServices, cursor: RebuildCursor, agents: Sequence[str]) -> dict[str, Any]:
    moved_at = cursor.moved_at or cursor.started_at
    return {
        "started_at": cursor.started_at.isoformat(),
        "moved_at": moved_at.isoformat(),
        "done": cursor.done,
        "total": cursor.total,
        "with_model": cursor.with_model,
        "is_stalled": services.clock() - moved_at > STALLED_AFTER,
        "is_yours": _is_theirs(services, cursor, agents),
    }


def _is_theirs(services: ConsoleServices, cursor: RebuildCursor, agents: Sequence[str]) -> bool:
    return set(cursor.agents or services.agents) <= set(agents)


async def rebuild_size(services: ConsoleServices, agents: Sequence[str]) -> Mapping[str, Any]:
    """Return the amount of work in a rebuild of these agents' conversations, and its cost with and without models.

    Only the newest `MOST_SIZED` conversations are measured; the length of others is estimated. Costs a read for each
    measured conversation, and one for each 1,000 that are counted.
    """
    store, known = FirestoreRebuilding(services.client), services.knowledge
    count, newest = await asyncio.gather(store.count(agents), store.newest(agents, MOST_SIZED))
    is_estimate = count > len(newest) == MOST_SIZED
    scale = count / len(newest) if is_estimate else 1
    size = RebuildSize(
        conversations=count,
        entries=round(scale * sum(one.entries for one in newest)),
        turns=round(scale * sum(one.turns for one in newest)),
    )
    models, now = RebuildModels(notes=known.notes_model, embedding=known.embedding_model), services.clock()
    return {
        **asdict(size),
        "sized": len(newest) if is_estimate else count,
        "with_model": asdict(rebuild_costs(size, models, now, with_model=True)),
        "without_model": asdict(rebuild_costs(size, models, now, with_model=False)),
    }


async def start_rebuild(services: ConsoleServices, agents: Sequence[str], click: Click, *, with_model: bool) -> None:
    """Start rebuilding what is derived from these agents' conversations. Raises BadRequest if a rebuild is running."""
    store, now = FirestoreRebuilding(services.client), click.at
    running = await store.cursor()
    if running is not None and not (click.is_repeated and running.started_at == now):
        raise BadRequest("rebuild_is_running")
    if running is None:
        running = await _keep_new_cursor(store, agents, now, with_model=with_model)
    if not running.done:
        await services.jobs.enqueue(rebuild_job(running, now))


async def _keep_new_cursor(
    store: FirestoreRebuilding, agents: Sequence[str], now: datetime, *, with_model: bool
) -> RebuildCursor:
    total = await store.count(agents)
    cursor = RebuildCursor(
        started_at=now,
        beyond="",
        done=0,
        total=total,
        agents=tuple(agents),
        with_model=with_model,
        moved_at=now,
    )
    await store.keep_cursor(cursor)
    return cursor


async def resume_rebuild(services: ConsoleServices, agents: Sequence[str], now: datetime) -> None:
    """Enqueue the next run of an interrupted rebuild. Raises BadRequest if there is none."""
    cursor = await _own_cursor(services, agents)
    await services.jobs.enqueue(rebuild_job(cursor, now, is_again=True))


async def stop_rebuild(services: ConsoleServices, agents: Sequence[str], click: Click) -> None:
    """Stop the rebuild and keep what it rebuilt. The next one starts anew. Raises BadRequest if none is running."""
    store = FirestoreRebuilding(services.client)
    if click.is_repeated and await store.cursor() is None:
        return
    await _own_cursor(services, agents)
    await store.keep_cursor(None)


async def _own_cursor(services: ConsoleServices, agents: Sequence[str]) -> RebuildCursor:
    cursor = await FirestoreRebuilding(services.client).cursor()
    if cursor is None:
        raise BadRequest("no_rebuild_runs")
    if not _is_theirs(services, cursor, agents):
        raise BadRequest("rebuild_of_others")
    return cursor
