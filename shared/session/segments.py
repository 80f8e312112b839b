"""The segments that a session makes of what is said meanwhile, until they are written."""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from shared.models.chat import Chat
from shared.models.message import AnyEntry
from shared.models.segment import Segment
from shared.records import Record, SegmentState
from shared.session.conversation import weight_of
from shared.session.terms import Segmenting

#: bytes of entries whose segments are written in commits of their own: a letter of Han makes 300 bytes of index entries
MANY_BYTES = 20_000


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

    @property
    def are_many(self) -> bool:
        """Whether so much was said that its segments may be more than one commit takes."""
        return weight_of(self._entries) > MANY_BYTES

    def hear(self, entries: Iterable[AnyEntry]) -> None:
        """Take in what was said."""
        self._entries += entries

    def make(self, chat: Chat, window: Sequence[AnyEntry], *, is_written: bool) -> Chat:
        """Make the segments of what is new; the chat, with where its open one begins.

        That one begins within the window, or in what was said since. `is_written`: what was not heard here is in
        segments that are written, so that the open one stays as it is if nothing new is in it.
        """
        known = {entry.seq: entry for entry in (*window, *self._entries)}
        new = {entry.seq for entry in self._entries}
        self._entries = []
        if self._segmenting is None:
            return chat
        open_before = chat.segment
        chat, segments = self._segmenting(chat, [known[seq] for seq in sorted(known)])
        if is_written and segments and segments[0].start == open_before and _is_same(segments, new):
            segments = segments[1:]
        self._made |= {(one.conversation, one.number): one for one in segments}
        return chat

    def records(self) -> Iterator[SegmentState]:
        """What is to be written."""
        return map(SegmentState, self._made.values())

    def forget(self, written: Iterable[Record] | None = None) -> None:
        """Leave out what was written: these, or all."""
        gone = self.records() if written is None else written
        segments = [one.segment for one in gone if isinstance(one, SegmentState)]
        for one in segments:
            del self._made[one.conversation, one.number]


def _is_same(segments: Sequence[Segment], new: AbstractSet[int]) -> bool:
    """Whether the first segment holds what it held before the entries with these numbers came."""
    first, *later = [{message.seq for message in one.messages} for one in segments]
    return first.isdisjoint(new) and all(seqs <= new for seqs in later)
