"""Selection: which lines of a conversation are shown if not all fit into the prompt."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from shared.prompting.history import HistoryItem, HistoryMessage, album_heads, history_of
from shared.prompting.layers import level
from shared.prompting.lines import PromptLine, line_of, with_body
from shared.prompting.messages import Style
from shared.prompting.scene import LEAST_TEXT, Scene

#: how much is shown of what a chat said before the agent was addressed: this long, and no more messages
LONGEST = timedelta(hours=1)
MOST_MESSAGES = 20


def begin_of_opening(items: Sequence[HistoryItem], targets: Sequence[int]) -> int:
    """The place of the first item to be shown, for an agent that took no part in the conversation before.

    `targets` are the places of the messages to be answered, in order. Everything from the first of them on is shown.
    Without any, nothing is left out.
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


#: as many of the last messages belong to the immediate layer, like those to be answered
AROUND = 5
#: a conversation that is cut begins at an entry whose number is a multiple of this; or of a smaller power of two, if
#: more than a quarter of what fits would be left out otherwise
LONGEST_BLOCK = 64
DEAREST_SHARE = 4


@dataclass(frozen=True, kw_only=True)
class Selection:
    """The lines of a conversation from which those to be shown are selected."""

    lines: Sequence[PromptLine]
    #: places of the lines to be answered
    targets: Sequence[int]
    #: whether everything before the first line is in a summary
    is_whole: bool
    #: whether what lies before is left out on purpose, so that the first line need not be at a block's border
    is_opening: bool
    style: Style
    #: the number of the last entry that a summary stands for
    after: int = 0

    @property
    def immediate(self) -> frozenset[int]:
        """Places of the lines of the immediate layer: the targets, and the last few."""
        return frozenset((*self.targets, *range(max(0, len(self.lines) - AROUND), len(self.lines))))

    @property
    def least(self) -> int:
        """Characters that the newest target needs at least."""
        if not self.targets:
            return 0
        newest = self.lines[self.targets[-1]]
        return len(newest.written.header) + min(len(newest.written.body), LEAST_TEXT) + 2

    def gapless(self, shown: Mapping[int, PromptLine]) -> int:
        """The place from which on every line is shown, and none is in a summary."""
        lines = self.lines
        whole = (place not in shown or 0 < lines[place].item.seq <= self.after for place in reversed(range(len(lines))))
        return next((len(lines) - count for count, is_gap in enumerate(whole) if is_gap), 0)

    def before(self, place: int) -> int:
        """The number of the last stored entry before a line."""
        number = self.lines[place].item.seq if place < len(self.lines) else 0
        return number - 1 if number else max((self.after, *(line.item.seq for line in self.lines[:place])))

    def length_of(self, places: frozenset[int]) -> int:
        """Characters of the lines at these places."""
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

    def _targets_that_fit(self, budget: int) -> dict[int, PromptLine]:
        """The targets, the long ones shortened until all fit; if that is not enough, without the oldest ones."""
        kept = list(self.targets)
        while kept:
            lines = [self.lines[place] for place in kept]
            if sum(line.length for line in lines) <= budget:
                return dict(zip(kept, lines, strict=True))
            bodies = [min(len(line.written.body), self.style.longest) for line in lines]
            longest = level(bodies, budget - sum(len(line.written.header) + 2 for line in lines))
            if longest >= LEAST_TEXT or len(kept) == 1:
                most = max(longest, LEAST_TEXT)
                cut = [with_body(line.item, line.written, self.style, most) for line in lines]
                return dict(zip(kept, cut, strict=True))
            kept = kept[1 + len(kept) // 16 :]
        return {}

    def _begin(self, kept: Mapping[int, PromptLine], budget: int) -> int:
        """Where the lines begin that are shown without a gap: as far back as they fit, then on to a block's border.

        So the first line of a prompt stays the same for many plans. If it were the oldest that fits, each plan would
        begin with another one, and the model would find nothing of what follows in its cache.
        """
        begin = len(self.lines)
        while begin > 0:
            budget -= 0 if begin - 1 in kept else self.lines[begin - 1].length
            if budget < 0:
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
    """The lines that may be shown: those that are in no summary, and those to be answered."""
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
