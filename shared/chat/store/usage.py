"""The usage of budget leases that have ended, as records in Firestore that expire."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from shared.chat.store import layout, paths
from shared.chat.store.writes import CommitContext, Record, Write, WriteMode
from shared.values.budget import UsageRecord

#: how long usage can be looked up
KEPT_USAGE: Final = timedelta(days=400)


@dataclass(frozen=True)
class SpentBudgetLease(Record):
    """The record that stores the usage of an ended budget lease."""

    usage: UsageRecord

    def writes(self, _: CommitContext) -> Iterator[Write]:
        """Yield the write that stores the usage. The same commit removes the budget lease from the chat's document."""
        yield Write(path=paths.usage_path(self.usage.id), document=encode_usage(self.usage), mode=WriteMode.SET)


def encode_usage(usage: UsageRecord) -> layout.Document:
    """Return the usage's document with its TTL."""
    return usage.model_dump() | {layout.EXPIRES: usage.at + KEPT_USAGE}
