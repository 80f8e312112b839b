"""Metrics of decisions and conversations, computed from the newest conversations of an owner's agents."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_document import DocumentSnapshot

from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.chat.store.decision_counts import DECIDED, CountedDecision, decode_decisions
from shared.chat.store.queries import CONVERSATIONS_OF_AGENT
from shared.console.conversations.participants import participant_ids

#: the newest conversations from which the metrics are made; each is one read
SAMPLE: Final = 200
MOST_TOPICS: Final = 20
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
    """Counts of decisions by day, and conversations with their numbers of turns and entries, the most recent first."""

    at: datetime
    days: dict[date, Counter[CountedDecision]] = field(default_factory=dict)
    conversations: Sequence[MeasuredConversation] = ()

    @property
    def topics(self) -> Sequence[tuple[str, int]]:
        """The most frequent topics, with the number of conversations that have each."""
        return Counter(topic for one in self.conversations for topic in set(one.topics)).most_common(MOST_TOPICS)

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
        days = dict[date, Counter[CountedDecision]]()
        for one in found:
            for day, counts in decode_decisions(one.to_dict()).items():
                days[day] = days.get(day, Counter()) + counts
        measured = [_conversation_of(one) for one in found]
        return ConsoleMetrics(at=now, days=dict(sorted(days.items())), conversations=measured)


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
