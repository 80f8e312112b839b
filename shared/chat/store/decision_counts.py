"""Counts of decisions in a conversation's document: by day and by reason, for the last weeks.

A commit that adds entries to a transcript also adds their decisions to these counts, so each decision counts once.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from google.cloud.firestore_v1 import DELETE_FIELD
from google.cloud.firestore_v1.transforms import Increment

from shared.chat.store import layout, paths
from shared.chat.store.writes import CommitContext, Record, Write, WriteMode
from shared.values.decision import Decision, DecisionTier
from shared.values.message import AnyEntry, Edit, MediaDescribed, Message

#: the field of a conversation's document
DECIDED: Final = "decided"
#: days that the counts cover
KEPT_DAYS: Final = 28
#: older days that are removed by each write, since a conversation may rest for some days
_REMOVED_DAYS: Final = 7
#: a longer reason is not one of lull's own
_LONGEST_REASON: Final = 80


@dataclass(frozen=True, kw_only=True)
class CountedDecision:
    """A kind of decision: whether the message was answered, which step decided, and why."""

    respond: bool
    tier: str
    reason: str

    @property
    def name(self) -> str:
        """The key of the count in a document: answered or not, the step, and the reason."""
        return f"{'yes' if self.respond else 'no'}:{self.tier}:{self.reason}"

    @classmethod
    def of(cls, decision: Decision) -> "CountedDecision":
        reason = decision.reason if len(decision.reason) <= _LONGEST_REASON else ""
        return cls(respond=decision.respond, tier=decision.tier.value, reason=reason)

    @classmethod
    def from_name(cls, name: str) -> "CountedDecision":
        """Return the kind of decision that has this key in a document."""
        answered, tier, reason = (*name.split(":", 2), "", "")[:3]
        return cls(respond=answered == "yes", tier=tier, reason=reason)


@dataclass(frozen=True, kw_only=True)
class DecisionCounts(Record):
    """The record that adds the decisions on new entries to a conversation's counts."""

    conversation: str
    entries: tuple[AnyEntry, ...]

    def writes(self, _: CommitContext) -> Iterator[Write]:
        """Yield the write that adds the counts to the conversation's document; nothing if there are no decisions."""
        if document := encode_decisions(self.entries):
            yield Write(path=paths.conversation_path(self.conversation), document=document, mode=WriteMode.MERGE)


def encode_decisions(entries: Iterable[AnyEntry]) -> layout.Document:
    """Return the counts of the entries' decisions as fields to be merged; {} if there are none."""
    counts = Counter((day, kind.name) for day, kind in _decisions(entries))
    if not counts:
        return {}
    days: dict[str, Any] = {}
    for (day, name), count in counts.items():
        days.setdefault(day.isoformat(), {})[name] = Increment(count)
    newest = max(day for day, _ in counts)
    old = (newest - timedelta(days=KEPT_DAYS + number) for number in range(_REMOVED_DAYS))
    return {DECIDED: {**dict.fromkeys((day.isoformat() for day in old), DELETE_FIELD), **days}}


def decode_decisions(document: layout.Document | None) -> Mapping[date, Counter[CountedDecision]]:
    """Return the counts in a conversation's document by day. Malformed counts are left out."""
    stored, found = (document or {}).get(DECIDED), dict[date, Counter[CountedDecision]]()
    for day, counts in stored.items() if isinstance(stored, Mapping) else ():
        try:
            at = date.fromisoformat(day)
        except ValueError:
            continue
        known = counts.items() if isinstance(counts, Mapping) else ()
        found[at] = Counter({CountedDecision.from_name(name): n for name, n in known if isinstance(n, int)})
    return found


def _decisions(entries: Iterable[AnyEntry]) -> Iterator[tuple[date, CountedDecision]]:
    """Yield each final decision with its day. Decisions to wait for a file's description are not final."""
    for entry in entries:
        decision = entry.decision if isinstance(entry, Message | Edit | MediaDescribed) else None
        if decision is not None and decision.tier is not DecisionTier.WAIT:
            yield entry.at.date(), CountedDecision.of(decision)
