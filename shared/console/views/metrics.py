"""Metrics of decisions and conversations, computed from the newest conversations of an owner's agents."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Final
from weakref import WeakKeyDictionary

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_document import DocumentSnapshot

from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.chat.store.decision_counts import (
    ANSWER_TIMES,
    DECIDED,
    KEPT_DAYS,
    CountedDecision,
    decode_answer_times,
    decode_decisions,
    duration_at,
)
from shared.chat.store.queries import CONVERSATIONS_OF_AGENT
from shared.console.conversations.participants import participant_ids
from shared.console.route import ConsoleRequest, ConsoleRoute, OutdatedPage
from shared.console.services import ConsoleServices

#: the newest conversations from which the metrics are made; each is one read
SAMPLE: Final = 200
MOST_TOPICS: Final = 20
#: the share of the answers that are not the slowest
SLOW: Final = 0.95
_FIELDS: Final = [
    "agent",
    "chat_kind",
    "title",
    "topics",
    "opening",
    "turns",
    "entries",
    "participants",
    "updated_at",
    DECIDED,
    ANSWER_TIMES,
]


@dataclass(frozen=True, kw_only=True)
class MeasuredConversation:
    """A conversation with its numbers of turns, entries and participants. `participants` is None if not stored."""

    id: str
    agent: str
    name: str
    kind: str
    turns: int
    entries: int
    updated_at: datetime | None
    participants: int | None = None
    topics: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class ConsoleMetrics:
    """Counts of decisions by day, and conversations with their numbers of turns and entries, the most recent first.

    `times` has the number of answers by day, model and class of duration.
    """

    at: datetime
    days: dict[date, Counter[CountedDecision]] = field(default_factory=dict)
    times: Counter[tuple[date, str, int]] = field(default_factory=Counter)
    conversations: Sequence[MeasuredConversation] = ()

    @property
    def topics(self) -> Sequence[tuple[str, int]]:
        """The most frequent topics, with the number of conversations that have each."""
        return Counter(topic for one in self.conversations for topic in set(one.topics)).most_common(MOST_TOPICS)

    def answer_times(self, days: Sequence[date]) -> list[dict[str, Any]]:
        """Return each model's number of answers on these days, and their median and 95th percentile times in ms."""
        models = dict[str, Counter[int]]()
        for (day, model, step), count in self.times.items():
            if day in days:
                models.setdefault(model, Counter())[step] += count
        return [
            {
                "model": model,
                "answers": steps.total(),
                "median_ms": duration_at(0.5, steps),
                "slow_ms": duration_at(SLOW, steps),
            }
            for model, steps in sorted(models.items(), key=lambda one: -one[1].total())
        ]

    @property
    def is_sample(self) -> bool:
        """True if there may be more conversations than were read."""
        return len(self.conversations) >= SAMPLE


@dataclass(frozen=True)
class MetricsReader:
    """Reads metrics. Raises StoreUnavailable or StoreRefused."""

    client: AsyncClient

    async def read(self, agents: Sequence[str], now: datetime) -> ConsoleMetrics:
        """Return the metrics of these agents. Costs up to SAMPLE reads."""
        query = CONVERSATIONS_OF_AGENT.on(self.client, list(agents)).select(_FIELDS).limit(SAMPLE)
        with translate_errors("read the newest conversations"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        days, times = dict[date, Counter[CountedDecision]](), Counter[tuple[date, str, int]]()
        for one in found:
            for day, model, step, count in decode_answer_times(one.to_dict()):
                times[day, model, step] += count
            for day, counts in decode_decisions(one.to_dict()).items():
                days[day] = days.get(day, Counter()) + counts
        measured = [_conversation_of(one) for one in found]
        return ConsoleMetrics(at=now, days=dict(sorted(days.items())), times=times, conversations=measured)


def _conversation_of(found: DocumentSnapshot[Any]) -> MeasuredConversation:
    known = found.to_dict() or {}
    participants = participant_ids(known)
    return MeasuredConversation(
        id=found.id,
        agent=str(known.get("agent") or ""),
        name=str(known.get("title") or known.get("opening") or ""),
        kind=str(known.get("chat_kind") or ""),
        turns=_number(known.get("turns")),
        entries=_number(known.get("entries")),
        updated_at=known.get("updated_at"),
        participants=len({*participants}) if participants is not None else None,
        topics=[one for one in known.get("topics") or () if isinstance(one, str)],
    )


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


#: how long an instance uses metrics that it has read, since they cost up to 200 reads
FRESH: Final = timedelta(minutes=10)
_known: WeakKeyDictionary[AsyncClient, dict[tuple[str, ...], ConsoleMetrics]] = WeakKeyDictionary()


async def read_metrics(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the decisions and answer times of the last weeks, and the newest conversations with their lengths."""
    agent = request.query.get("agent", "")
    if agent and agent not in request.agents:
        raise OutdatedPage("There is no such agent.")
    metrics = await _metrics(services, (agent,) if agent else request.agents)
    first = services.clock().date() - timedelta(days=KEPT_DAYS - 1)
    days = [first + timedelta(days=number) for number in range(KEPT_DAYS)]
    return {
        "at": metrics.at.isoformat(),
        "days": [day.isoformat() for day in days],
        "reasons": list(_reasons(metrics, days)),
        "answer_times": metrics.answer_times(days),
        "conversations": [
            {
                "id": one.id,
                "agent": one.agent,
                "name": one.name,
                "kind": one.kind,
                "turns": one.turns,
                "entries": one.entries,
                "updated_at": one.updated_at.isoformat() if one.updated_at is not None else None,
                "participants": one.participants,
            }
            for one in metrics.conversations
        ],
        "topics": [{"topic": topic, "count": count} for topic, count in metrics.topics],
        "sample": SAMPLE if metrics.is_sample else len(metrics.conversations),
        "is_sample": metrics.is_sample,
    }


def _reasons(metrics: ConsoleMetrics, days: list[Any]) -> Iterator[Mapping[str, Any]]:
    """Yield each kind of decision with its counts by day, the most frequent first."""
    kinds = {kind for counts in metrics.days.values() for kind in counts}
    counts = {kind: [metrics.days[day][kind] if day in metrics.days else 0 for day in days] for kind in kinds}
    for kind in sorted(kinds, key=lambda one: (-sum(counts[one]), one.name)):
        if sum(counts[kind]):
            yield {"respond": kind.respond, "tier": kind.tier, "reason": kind.reason, "counts": counts[kind]}


async def _metrics(services: ConsoleServices, agents: tuple[str, ...]) -> ConsoleMetrics:
    now, known = services.clock(), _known.setdefault(services.client, {})
    metrics = known.get(agents)
    if metrics is None or not timedelta() <= now - metrics.at < FRESH:
        metrics = known[agents] = await MetricsReader(services.client).read(agents, now)
    return metrics


ROUTES = (ConsoleRoute("GET", "/api/metrics", read_metrics),)
