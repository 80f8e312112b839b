"""Turns: the messages of the newest conversations, the decision on each, and its result."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from shared.console.conversations.listing import ConversationList, cursor_at, read_cursor, rows_of, write_cursor
from shared.console.conversations.store import ConsoleConversations
from shared.console.posted import posted_texts
from shared.console.route import ConsoleRequest, ConsoleRoute, OutdatedPage
from shared.console.services import ConsoleServices
from shared.console.why.turns import SLOW_S, TurnKind, TurnRow, turn_view, turns_in
from shared.upkeep.store.recorded_pages import FirestoreRecordedPages

#: conversations of one request, and pages that are read of each: at most 60 reads, and one for each agent
CONVERSATIONS: Final = 10
PAGES: Final = 5


async def list_turns(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the turns of a few conversations as a page, the newest first. A page may be empty although more follow.

    Body: `agent`, `kind` (a `TurnKind`), and `reason` and `tier` of the decision. A reason may contain names of people.
    """
    query = posted_texts(request)
    agents = [one for one in request.agents if query.get("agent", "") in {"", one}]
    try:
        kind = TurnKind(query.get("kind", ""))
    except ValueError:
        raise OutdatedPage("There is no such kind of turns.") from None
    stored = ConsoleConversations(services.client)
    found = await stored.rows(agents, (), read_cursor(query.get("cursor", "")), CONVERSATIONS)
    lists = await ConversationList(services.client, services.access_lists).access_lists(agents)
    rows = [row for row in rows_of(found, lists) if not row["is_external"]]
    turns = await asyncio.gather(*(_turns(services, row["id"]) for row in rows))
    items = [
        {"conversation": row["id"], "title": row["title"] or row["opening"], "who": row["who"], "agent": row["agent"]}
        | dict(turn_view(turn))
        for row, some in zip(rows, turns, strict=True)
        for turn in some
        if turn.is_of(kind) and _is_for(turn, query)
    ]
    after = cursor_at(found[-1]) if len(found) == CONVERSATIONS else None
    return {
        "items": sorted(items, key=lambda one: str(one["at"]), reverse=True),
        "next": write_cursor(after) if after is not None else "",
        "slow_s": SLOW_S,
    }


async def _turns(services: ConsoleServices, conversation: str) -> Sequence[TurnRow]:
    pages = await FirestoreRecordedPages(services.client).newest_pages(conversation, PAGES)
    return list(turns_in(pages))


def _is_for(turn: TurnRow, query: Mapping[str, str]) -> bool:
    wanted = {"reason": turn.decision.reason, "tier": turn.decision.tier.value}
    return all(query.get(name, "") in {"", value} for name, value in wanted.items())


ROUTES = (ConsoleRoute("POST", "/api/turns", list_turns, only_reads=True),)
