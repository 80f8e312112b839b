"""Records of takeouts: what became of a part that was to be sent."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from shared.adapters.firestore import layout, paths
from shared.adapters.firestore.layout import Document
from shared.adapters.firestore.writes import Commit, Mode, Write, writes_of
from shared.models.takeout import takeout_id
from shared.records import HandedOver

#: as long as somebody may ask what became of it
KEPT_TAKEOUTS: Final = timedelta(days=30)


@writes_of.register
def _handed_over(record: HandedOver, commit: Commit) -> Iterator[Write]:
    """Merged into what is known; behind the last part, the takeout is to be looked after at once."""
    part = record.part
    # of one that was erased meanwhile this is all that there is, and goes by itself
    document: Document = {
        "outcomes": {str(part.number): record.outcome.value},
        layout.EXPIRES: commit.at + KEPT_TAKEOUTS,
    }
    if part.number == part.of:
        document["due_at"] = commit.at
    yield Write(path=paths.takeout_path(takeout_id(part.person)), document=document, mode=Mode.MERGE)
