"""The terms of a session: the owner of the lease, and its duration."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.chat.store.writes import Record
from shared.values.chat import Chat, Lease
from shared.values.message import AnyEntry
from shared.values.segment import Segment


@dataclass(frozen=True)
class Segmenter:
    """Cuts entries into segments for search, and makes the records that store the segments."""

    #: (chat, newest entries) → the chat with the start of its open segment, and the open segment with those after it
    cut: Callable[[Chat, Sequence[AnyEntry]], tuple[Chat, Sequence[Segment]]]
    #: makes the record that stores a segment
    record: Callable[[Segment], Record]


#: a preview goes on for at most this many seconds after a stop request. Each check costs a read; at this interval a
#: usual answer stays within its ten reads (`make bench NAME=ops`)
LOOK_SECONDS = 3.0


@dataclass(frozen=True, kw_only=True)
class SessionTerms:
    """The owner of a session's lease, the lease's length, and the size of the window."""

    owner: str
    lease: timedelta
    window_entries: int
    clock: Callable[[], datetime]
    #: after this long without text, a conversation is at rest
    rest: timedelta = timedelta(minutes=10)
    #: None: entries do not become searchable
    segmenting: Segmenter | None = None
    #: seconds between two checks for a stop request
    look_s: float = LOOK_SECONDS

    def lease_now(self) -> Lease:
        """Return a lease for this owner that begins now and has the usual length."""
        return Lease(owner=self.owner, until=self.clock() + self.lease)
