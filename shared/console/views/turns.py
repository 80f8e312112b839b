"""Turns: the messages of the newest conversations, the decision on each, and its result."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from shared.base.text import abridge
from shared.console.conversations.listing import ConversationList, cursor_at, read_cursor, rows_of, write_cursor
from shared.console.conversations.store import ConsoleConversations
from shared.console.posted import posted_texts
from shared.console.route import ConsoleRequest, ConsoleRoute, OutdatedPage
from shared.console.services import ConsoleServices
from shared.console.turn_history import TurnHistory, history_of
from shared.tasks.plan import DeliveryState, TaskState
from shared.upkeep.store.recorded_pages import FirestoreRecordedPages, RecordedPage
from shared.values.decision import Decision, DecisionTier
from shared.values.message import Message

#: conversations of one request, and pages that are read of each: at most 60 reads, and one for each agent
CONVERSATIONS: Final = 10
PAGES: Final = 5
#: characters of a message in a list
_WORDS: Final = 240
#: an answer that begins later than this is slow
SLOW_S: Final = 20.0
_LOST: Final = frozenset({DeliveryState.REFUSED, DeliveryState.UNKNOWN})


class TurnKind(StrEnum):
    """The kinds of turns that a list can be limited to."""

    ALL = ""
    ANSWERED = "answered"
    SILENT = "silent"
    FAILED = "failed"
    SLOW = "slow"
    TOOLS = "tools"
    OUTSIDE = "outside"


@dataclass(frozen=True, kw_only=True)
class TurnRow:
    """A message with the decision on it, and what followed."""

    message: Message
    decision: Decision
    history: TurnHistory

    @property
    def answer_s(self) -> float | None:
        """Return the seconds from the message to the first message of the answer; None without an answer."""
        sent = [one.attempted_at for task in self._tasks for one in task.deliveries if one.attempted_at is not None]
        said = [one.at for one in self.history.said if one.seq > self.message.seq]
        begun: datetime | None = min([*sent, *said], default=None)
        return max(0.0, (begun - self.message.at).total_seconds()) if begun is not None else None

    @property
    def problems(self) -> Sequence[str]:
        """Return the problems of model calls, tasks and deliveries."""
        calls = (*self.history.judging, *self.history.answering)
        lost = (one.why or one.state.value for task in self._tasks for one in task.deliveries if one.state in _LOST)
        failed = (task.why for task in self._tasks if task.state is TaskState.FAILED)
        return list(dict.fromkeys(filter(None, (*(one.problem for one in calls), *failed, *lost))))

    def is_of(self, kind: TurnKind) -> bool:
        """Return whether a list of turns of this kind includes the turn."""
        match kind:
            case TurnKind.ALL:
                return True
            case TurnKind.ANSWERED:
                return self.history.is_answered and self.decision.respond
            case TurnKind.SILENT:
                return not self.decision.respond
            case TurnKind.FAILED:
                return bool(self.problems)
            case TurnKind.SLOW:
                return self.answer_s is not None and self.answer_s > SLOW_S
            case TurnKind.TOOLS:
                return self.history.plan is not None and bool(self.history.plan.uses)
            case TurnKind.OUTSIDE:
                return self.history.plan is not None and bool(self.history.plan.outside)

    @property
    def _tasks(self) -> Sequence[Any]:
        return self.history.plan.tasks if self.history.plan is not None else ()


def turns_in(pages: Sequence[RecordedPage]) -> Iterator[TurnRow]:
    """Yield the turns of some pages, the newest first."""
    messages = [one for page in pages for one in page.entries if isinstance(one, Message)]
    for message in reversed(messages):
        if message.author.is_agent or message.is_service or message.decision is None:
            continue
        history = history_of(message.seq, pages)
        decision = history.decision_on(message) if history is not None else None
        if history is not None and decision is not None and decision.tier is not DecisionTier.WAIT:
            yield TurnRow(message=message, decision=decision, history=history)


def turn_view(turn: TurnRow) -> Mapping[str, Any]:
    """Return a turn as JSON for the page. Its cost is in US dollars, and null if a price is not known."""
    message, history = turn.message, turn.history
    calls = (*history.judging, *history.answering)
    uses = history.plan.uses if history.plan is not None else ()
    return {
        "seq": message.seq,
        "at": message.at.isoformat(),
        "by": message.author.name,
        "text": abridge(message.text or message.media, _WORDS),
        "answer": abridge(" ".join(one.text or one.media for one in history.said), _WORDS),
        "responds": turn.decision.respond,
        "tier": turn.decision.tier.value,
        "reason": turn.decision.reason,
        "is_answered": history.is_answered,
        "answer_s": turn.answer_s,
        "cost": history.cost if calls else None,
        "models": list(dict.fromkeys(call.model for call in calls)),
        "tokens": sum(call.prompt_tokens + call.output_tokens + call.thought_tokens for call in calls),
        "tools": [one.name for one in uses],
        "outside": list(history.plan.outside) if history.plan is not None else [],
        "problems": turn.problems,
    }


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
