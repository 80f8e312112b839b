"""Usage: the record by which a commit keeps what an allowance was used for that is over."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from shared.chat.store import layout, paths
from shared.chat.store.writes import CommitContext, Record, Write, WriteMode
from shared.values.budget import UsageRecord

#: so long it can be asked what was spent
KEPT_USAGE: Final = timedelta(days=400)


@dataclass(frozen=True)
class SpentBudgetLease(Record):
    """What an allowance was used for that is over."""

    usage: UsageRecord

    def writes(self, _: CommitContext) -> Iterator[Write]:
        """Keep it for good; the chat knows it no more."""
        yield Write(path=paths.usage_path(self.usage.id), document=encode_usage(self.usage), mode=WriteMode.SET)


def encode_usage(usage: UsageRecord) -> layout.Document:
    """What was used, with its TTL."""
    return usage.model_dump() | {layout.EXPIRES: usage.at + KEPT_USAGE}
