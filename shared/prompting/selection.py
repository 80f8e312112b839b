"""Choosing: which lines of a conversation are shown when not all have room."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from shared.prompting.budget import level
from shared.prompting.history import HistoryItem, HistoryMessage, album_heads, history_of
from shared.prompting.lines import PromptLine, line_of, with_body
from shared.prompting.messages import Style
from shared.prompting.scene import LEAST_TEXT, Scene

#: what the chat said before is shown for so long, and no more messages of it
LONGEST = timedelta(hours=1)
MOST_MESSAGES = 20


def begin_of_opening(items: Sequence[HistoryItem], targets: Sequence[int]) -> int:
    """The place of the first item to be shown; `targets` are places, in order. Without any, nothing is left out.

    From the first message that is to be answered on, everything is shown.
    """
    if not targets:
        return 0
    first = items[targets[0]]
    since = first.message.at - LONGEST if isinstance(first, HistoryMessage) else None
    begin, left = targets[0], MOST_MESSAGES
    for place in range(targets[0] - 1, -1, -1):
        item = items[place]
        if not isinstance(item, HistoryMessage):
            continue
        if not left or since is None or item.message.at < since:
            break
        begin, left = place, left - 1
    return begin


#: beside the messages to be answered, the last few have the first claim on room
AROUND = 5
#: a prompt that is cut begins at an entry whose number is a multiple of this, or of a smaller power of two where that
#: would leave out more than a quarter of what has room
LONGEST_BLOCK = 64
DEAREST_SHARE = 4


@dataclass(frozen=True, kw_only=True)
class Selection:
    """The lines of a conversation, and what is known of them."""

    lines: Sequence[PromptLine]
    #: places of the lines to be answered
    targets: Sequence[int]
    #: whether nothing lies before the first line that is neither shown nor summarised
    is_whole: bool
    #: whether what lies before is left out whatever room there is: then no border is kept to
    is_opening: bool
    style: Style
    #: the number of the last entry that a summary stands for
    after: int = 0

    @property
    def immediate(self) -> frozenset[int]:
        """Places of the lines that come first: the targets, and the last few."""
        return frozenset((*self.targets, *range(max(0, len(self.lines) - AROUND), len(self.lines))))

    @property
    def least(self) -> int:
        """Characters without which nothing of the newest target would be left."""
        if not self.targets:
            return 0
        newest = self.lines[self.targets[-1]]
        return len(newest.written.header) + min(len(newest.written.body), LEAST_TEXT) + 2

    def gapless(self, shown: Mapping[int, PromptLine]) -> int:
        """The place from which on everything is shown: no line is left out, and none summarised."""
        lines = self.lines
        whole = (place not in shown or 0 < lines[place].item.seq <= self.after for place in reversed(range(len(lines))))
        return next((len(lines) - count for count, is_gap in enumerate(whole) if is_gap), 0)

    def before(self, place: int) -> int:
        """The number of the last entry before a line, of those that are stored."""
        number = self.lines[place].item.seq if place < len(self.lines) else 0
        return number - 1 if number else max((self.after, *(line.item.seq for line in self.lines[:place])))

    def length_of(self, places: frozenset[int]) -> int:
        """Characters of some lines."""
        return sum(self.lines[place].length for place in places)

    def shown(self, immediate_budget: int, recent_budget: int) -> Mapping[int, PromptLine]:
        """The lines that are shown, by their places and in their order."""
        kept = self._targets_that_fit(immediate_budget)
        left = immediate_budget - sum(line.length for line in kept.values())
        for place in sorted(self.immediate - set(self.targets), reverse=True):
            if self.lines[place].length > left:
                break
            kept[place] = self.lines[place]
            left -= kept[place].length
        begin = self._begin(kept, recent_budget + left)
        kept |= {place: self.lines[place] for place in range(begin, len(self.lines)) if place not in kept}
        return dict(sorted(kept.items()))

    def _targets_that_fit(self, room: int) -> dict[int, PromptLine]:
        """The targets, long ones shortened until all fit; if even that is not enough, without the oldest ones."""
        kept = list(self.targets)
        while kept:
            lines = [self.lines[place] for place in kept]
            if sum(line.length for line in lines) <= room:
                return dict(zip(kept, lines, strict=True))
            bodies = [min(len(line.written.body), self.style.longest) for line in lines]
            longest = level(bodies, room - sum(len(line.written.header) + 2 for line in lines))
            if longest >= LEAST_TEXT or len(kept) == 1:
                most = max(longest, LEAST_TEXT)
                cut = [with_body(line.item, line.written, self.style, most) for line in lines]
                return dict(zip(kept, cut, strict=True))
            kept = kept[1 + len(kept) // 16 :]
        return {}

    def _begin(self, kept: Mapping[int, PromptLine], room: int) -> int:
        """Where the lines begin that are shown without a gap: as far back as there is room, then on to a border.

        So the first line of a prompt stays the same for many plans. Were it the oldest that fits, each plan would begin
        with another one, and the model would find nothing of what follows in its cache.
        """
        begin = len(self.lines)
        while begin > 0:
            room -= 0 if begin - 1 in kept else self.lines[begin - 1].length
            if room < 0:
                break
            begin -= 1
        return begin if begin == 0 and (self.is_whole or self.is_opening) else self._border(begin)

    def _border(self, begin: int) -> int:
        count = len(self.lines) - begin
        if not count:
            return begin
        block = min(LONGEST_BLOCK, 1 << max(0, (count // DEAREST_SHARE).bit_length() - 1))
        first = -(-self.lines[begin].item.seq // block) * block
        return next((at for at in range(begin, len(self.lines)) if self.lines[at].item.seq >= first), begin)


def select(scene: Scene) -> Selection:
    """The lines that may be shown: those that no summary stands for, and those that are to be answered."""
    after = scene.compression.up_to_seq if scene.compression else 0
    heads = album_heads(scene.entries)
    targets = {heads.get(message_id, message_id) for message_id in scene.targets}
    items = history_of(scene.entries, after, targets)
    places = [place for place, item in enumerate(items) if _is_of(item, targets)]
    begin = begin_of_opening(items, places) if scene.is_start else 0
    style = scene.style
    first = scene.entries[0].seq if scene.entries else 0
    return Selection(
        lines=[line_of(item, style) for item in items[begin:]],
        targets=[place - begin for place in places],
        is_whole=first <= after + 1 and not begin,
        is_opening=bool(begin),
        style=style,
        after=after,
    )


def _is_of(item: HistoryItem, targets: Collection[int]) -> bool:
    return isinstance(item, HistoryMessage) and not item.is_own and item.message.message_id in targets
