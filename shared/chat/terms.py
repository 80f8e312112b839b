"""The terms on which a tick holds a chat."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.chat.store.writes import Record
from shared.values.chat import Chat, Lease
from shared.values.message import AnyEntry
from shared.values.segment import Segment


@dataclass(frozen=True)
class Segmenter:
    """How what was said is cut into what is searched, and how that is written."""

    #: the segments that a chat's newest entries make, from the open one on; and the chat, which knows the open one then
    cut: Callable[[Chat, Sequence[AnyEntry]], tuple[Chat, Sequence[Segment]]]
    #: the record of a segment as it is from now on
    record: Callable[[Segment], Record]


#: a preview goes on for so many seconds after a stop request, at most. A look is one read; at this pace an answer of
#: some seconds stays within its ten reads (`make bench NAME=ops`)
LOOK_SECONDS = 3.0


@dataclass(frozen=True, kw_only=True)
class SessionTerms:
    """How a chat is held: by whom, for how long without a sign of life, and how much of it the window keeps."""

    owner: str
    lease: timedelta
    window_entries: int
    clock: Callable[[], datetime]
    #: without a word for so long, a conversation rests
    rest: timedelta = timedelta(minutes=10)
    #: none: what was said is not made searchable
    segmenting: Segmenter | None = None
    #: how old what is known of a stop request may be during long work
    look_s: float = LOOK_SECONDS

    def lease_now(self) -> Lease:
        """A lease from now on."""
        return Lease(owner=self.owner, until=self.clock() + self.lease)
