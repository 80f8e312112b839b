"""Metrics: the reasons of decisions over time, and the lengths of conversations."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any, Final
from weakref import WeakKeyDictionary

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.store.decision_counts import KEPT_DAYS
from shared.console.metrics import SAMPLE, ConsoleMetrics, MetricsReader
from shared.console.route import ConsoleRequest, ConsoleRoute, OutdatedPage
from shared.console.services import ConsoleServices

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
