"""Counts of decisions and of answers in a conversation's document: by day, for the last weeks.

A commit that adds entries to a transcript also adds them to these counts, so each counts once. Decisions are counted by
reason, answers by model and class of duration. Each class is a quarter longer than the one before. So a document stays
small, and medians can be computed from the sums of many documents.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from google.cloud.firestore_v1 import DELETE_FIELD
from google.cloud.firestore_v1.transforms import Increment

from shared.chat.store import layout, paths
from shared.chat.store.writes import CommitContext, Record, Write, WriteMode
from shared.values.decision import Decision, DecisionTier
from shared.values.message import AnyEntry, Edit, MediaDescribed, Message

#: the fields of a conversation's document
DECIDED: Final = "decided"
ANSWER_TIMES: Final = "answer_times"
_GROWTH: Final = 1.25
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
    return encode_by_day(DECIDED, Counter((day, kind.name) for day, kind in _decisions(entries)))


def encode_by_day(field: str, counts: Counter[tuple[date, str]]) -> layout.Document:
    """Return counts as a field to be merged, and remove old days from it; {} if there are no counts."""
    if not counts:
        return {}
    days: dict[str, Any] = {}
    for (day, name), count in counts.items():
        days.setdefault(day.isoformat(), {})[name] = Increment(count)
    newest = max(day for day, _ in counts)
    old = (newest - timedelta(days=KEPT_DAYS + number) for number in range(_REMOVED_DAYS))
    return {field: {**dict.fromkeys((day.isoformat() for day in old), DELETE_FIELD), **days}}


def decode_decisions(document: layout.Document | None) -> Mapping[date, Counter[CountedDecision]]:
    """Return the counts in a conversation's document by day. Malformed counts are left out."""
    return {
        day: Counter({CountedDecision.from_name(name): count for name, count in counts.items()})
        for day, counts in decode_by_day(DECIDED, document)
    }


def decode_by_day(field: str, document: layout.Document | None) -> Iterator[tuple[date, Mapping[str, int]]]:
    """Yield the counts of a field by day. Malformed counts are left out."""
    stored = (document or {}).get(field)
    for day, counts in stored.items() if isinstance(stored, Mapping) else ():
        with suppress(ValueError):
            known = counts.items() if isinstance(counts, Mapping) else ()
            yield date.fromisoformat(day), {name: n for name, n in known if isinstance(n, int)}


def _decisions(entries: Iterable[AnyEntry]) -> Iterator[tuple[date, CountedDecision]]:
    """Yield each final decision with its day. Decisions to wait for a file's description are not final."""
    for entry in entries:
        decision = entry.decision if isinstance(entry, Message | Edit | MediaDescribed) else None
        if decision is not None and decision.tier is not DecisionTier.WAIT:
            yield entry.at.date(), CountedDecision.of(decision)


def encode_answer_times(entries: Iterable[AnyEntry]) -> layout.Document:
    """Return the counts of answers as fields to be merged; {} if there are none."""
    return encode_by_day(ANSWER_TIMES, Counter((day, f"{step}:{model}") for day, step, model in _answers(entries)))


def decode_answer_times(document: layout.Document | None) -> Iterator[tuple[date, str, int, int]]:
    """Yield day, model, class of duration, and number of answers. Malformed counts are left out."""
    for day, counts in decode_by_day(ANSWER_TIMES, document):
        for name, count in counts.items():
            step, _, model = name.partition(":")
            if step.isdecimal() and model:
                yield day, model, int(step), count


def duration_at(share: float, steps: Counter[int]) -> int:
    """Return the milliseconds within which this share of the answers was ready, accurate to about 12 %.

    `steps` has the number of answers by class of duration, at least one.
    """
    left = share * steps.total()
    for step in sorted(steps):
        left -= steps[step]
        if left <= 0:
            break
    return round(math.pow(_GROWTH, step - 0.5))


def _answers(entries: Iterable[AnyEntry]) -> Iterator[tuple[date, int, str]]:
    """Yield day, class of duration, and model of each answer. The calls of one model for an answer count together."""
    for one in entries:
        times = Counter[str]()
        for call in one.calls if isinstance(one, Message) and one.author.is_agent else ():
            times[call.model] += call.ms
        for model, ms in times.items():
            if ms > 0:
                yield one.at.date(), math.ceil(math.log(ms, _GROWTH)), model
