"""Switches the recording of an agent's model calls on and off, and shows recorded prompts and answers word for word."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.exchanges import FirestoreExchanges
from shared.console.route import ConsoleRequest, ConsoleRoute, NotFound, OutdatedPage
from shared.console.services import ConsoleServices
from shared.console.turn_history import history_of
from shared.console.views.why import conversation_of, number_in
from shared.upkeep.store.recorded_pages import FirestoreRecordedPages
from shared.values.kept_exchange import LONGEST_KEEPING, KeptExchange
from shared.values.trust import KeepingTerms
from shared.values.usage import cost_of


async def read_keeping(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the time until which each agent's model calls are recorded; null if they are not being recorded."""
    access_lists = FirestoreAccessLists(services.client, services.clock)
    items = []
    for agent in request.agents:
        terms = (await access_lists.access_list(agent)).keeping
        is_on = terms is not None and terms.until > services.clock()
        items.append({"agent": agent, "until": terms.until.isoformat() if terms is not None and is_on else None})
    return {"items": items, "next": "", "longest_days": LONGEST_KEEPING.days}


async def change_keeping(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Record an agent's model calls for some days from now. With 0 days, the recording stops.

    Calls that were recorded before still expire at their own time.
    """
    agent, days = request.body.get("agent"), request.body.get("days")
    if agent not in request.agents:
        raise NotFound
    if not isinstance(days, int) or not 0 <= days <= LONGEST_KEEPING.days:
        raise OutdatedPage(f"Exchanges can be kept for at most {LONGEST_KEEPING.days} days.")
    async with services.record_change(request, "keep_exchanges" if days else "keep_no_exchanges", agent) as click:
        terms = KeepingTerms(until=click.at + timedelta(days=days), by=request.owner) if days else None
        await FirestoreAccessLists(services.client, services.clock).set_keeping(agent, terms)
    return await read_keeping(services, request)


async def read_exchanges(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the recorded model calls that led to the answer of a turn."""
    pages, seq = FirestoreRecordedPages(services.client), number_in(request)
    conversation = await conversation_of(pages, request)
    history = history_of(seq, await pages.pages_around(conversation.id, seq))
    if history is None:
        raise NotFound
    last = history.asked[-1].message_id if history.asked else 0
    store = FirestoreExchanges(services.client)
    found = await store.of_message(conversation.key, last, services.clock()) if last else ()
    if found:
        await services.record_look(request, "exact_words", f"{conversation.id}/{number_in(request)}")
    return {"items": [exchange_view(one) for one in found], "next": ""}


def exchange_view(exchange: KeptExchange) -> Mapping[str, Any]:
    """Return a recorded model call as JSON, with its cost in US dollars (null if the price is not known)."""
    cost = cost_of([exchange.call], exchange.at) if exchange.call is not None else None
    return {**exchange.model_dump(mode="json"), "cost": cost}


ROUTES = (
    ConsoleRoute("GET", "/api/keeping", read_keeping),
    ConsoleRoute("POST", "/api/keeping", change_keeping),
    ConsoleRoute("GET", "/api/conversations/{conversation}/turns/{seq}/exchanges", read_exchanges),
)
