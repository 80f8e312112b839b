"""The segments that a session makes of what is said meanwhile, until they are written."""

from collections.abc import Iterable, Iterator, Sequence

from shared.models.chat import Chat
from shared.models.message import AnyEntry
from shared.models.segment import Segment
from shared.records import SegmentState
from shared.session.terms import Segmenting


class SessionSegments:
    """What was said and is in no segment yet, and segments that are to be written."""

    def __init__(self, segmenting: Segmenting | None) -> None:
        """`segmenting`: how what was said is cut into what is searched; none: it is not."""
        self._segmenting = segmenting
        #: entries that the window may not hold any more
        self._entries: list[AnyEntry] = []
        self._made: dict[tuple[str, int], Segment] = {}

    @property
    def is_behind(self) -> bool:
        """Whether something was said that is in no segment yet."""
        return bool(self._entries)

    def hear(self, entries: Iterable[AnyEntry]) -> None:
        """Take in what was said."""
        self._entries += entries

    def make(self, chat: Chat, window: Sequence[AnyEntry]) -> Chat:
        """Make the segments of what is new; the chat, with where its open one begins.

        That one begins within the window, or in what was said since.
        """
        known = {entry.seq: entry for entry in (*window, *self._entries)}
        self._entries = []
        if self._segmenting is None:
            return chat
        chat, segments = self._segmenting(chat, [known[seq] for seq in sorted(known)])
        self._made |= {(one.conversation, one.number): one for one in segments}
        return chat

    def records(self) -> Iterator[SegmentState]:
        """What is to be written."""
        return map(SegmentState, self._made.values())

    def forget(self) -> None:
        """It was written."""
        self._made = {}
