"""Selection: which lines of a conversation are shown if not all fit into the prompt."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from shared.base.text import level
from shared.planning.prompt.history import HistoryItem, HistoryMessage, first_parts, history_of
from shared.planning.prompt.lines import PromptLine, cut_line, line_of, lines_of, with_shown_headers
from shared.planning.prompt.messages import TranscriptStyle
from shared.planning.prompt.scene import LEAST_TEXT, Scene

#: limits of what is shown from before the agent was first addressed: this period, and this many messages
LONGEST = timedelta(hours=1)
MOST_MESSAGES = 20


def begin_of_opening(items: Sequence[HistoryItem], targets: Sequence[int]) -> int:
    """Return the index of the first item to show if the agent has taken no part in the conversation yet.

    `targets`: the indexes of the messages to be answered, in order. Everything from the first target on is shown, and a
    little before it; without targets, everything is shown.
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


#: the number of last messages that belong to the immediate layer, together with the messages to be answered
AROUND = 5
#: a conversation is cut at an entry whose number is a multiple of this; or of a smaller power of two, if the cut would
#: omit more than a quarter of the lines that fit
LONGEST_BLOCK = 64
DEAREST_SHARE = 4
#: if the chosen lines need more room than planned, the planned room shrinks by at least this many characters
LEAST_STEP = 64


@dataclass(frozen=True, kw_only=True)
class Selection:
    """The lines of a conversation that may be shown, from which the shown lines are selected."""

    #: the lines; each header leaves out what all the lines above tell
    lines: Sequence[PromptLine]
    #: the complete lines to be answered, by index, in order; their headers leave nothing out
    asked: Mapping[int, PromptLine]
    #: whether a summary covers everything before the first line
    is_whole: bool
    #: whether earlier lines are left out on purpose; then the first line need not begin a block of entries
    is_opening: bool
    style: TranscriptStyle
    #: the number of the last entry that a summary covers
    after: int = 0

    @property
    def targets(self) -> Sequence[int]:
        """Indexes of the lines to be answered."""
        return list(self.asked)

    @property
    def immediate(self) -> frozenset[int]:
        """Indexes of the lines in the immediate layer: the lines to be answered, and the last few lines."""
        return frozenset((*self.targets, *range(max(0, len(self.lines) - AROUND), len(self.lines))))

    @property
    def least(self) -> int:
        """The minimum number of characters for the newest line to be answered; 0 if no line is to be answered."""
        if not self.asked:
            return 0
        newest = self.asked[self.targets[-1]].whole
        return len(newest.header) + min(newest.text_length, LEAST_TEXT) + 2

    def gapless(self, shown: Mapping[int, PromptLine]) -> int:
        """Return the index from which on every line is shown, and no line is covered by a summary."""
        lines = self.lines
        whole = (place not in shown or 0 < lines[place].item.seq <= self.after for place in reversed(range(len(lines))))
        return next((len(lines) - count for count, is_gap in enumerate(whole) if is_gap), 0)

    def length_of(self, places: Collection[int]) -> int:
        """Return the maximum number of characters that the lines at these indexes can need."""
        return sum(self.asked.get(place, self.lines[place]).length for place in places)

    def lines_to_show(self, immediate_budget: int, recent_budget: int) -> Mapping[int, PromptLine]:
        """Return the lines to show, by index, in order.

        If the line that introduces a person is not chosen, a later line must introduce the person, which takes some of
        the room.
        """
        left = immediate_budget + recent_budget
        while True:
            chosen = self._choose(immediate_budget, left)
            shown = self._with_headers(chosen)
            over = sum(line.length for line in shown.values()) - immediate_budget - recent_budget
            if over <= 0 or shown.keys() <= self.asked.keys():
                return shown
            left -= max(over, LEAST_STEP)

    def _with_headers(self, chosen: Mapping[int, PromptLine]) -> Mapping[int, PromptLine]:
        """Return the chosen lines with the headers that they need if only these lines are shown."""
        if len(chosen) == len(self.lines) and not any(line.is_shortened for line in chosen.values()):
            return dict(enumerate(self.lines))
        return dict(zip(chosen, with_shown_headers(chosen.values(), self.style), strict=True))

    def _choose(self, immediate_budget: int, budget: int) -> Mapping[int, PromptLine]:
        """Return the lines that fit into `budget`, by index; lines to be answered take up to `immediate_budget`."""
        kept = self._targets_that_fit(immediate_budget)
        taken = sum(line.length for line in kept.values())
        immediate_left, left = min(immediate_budget, budget) - taken, budget - taken
        for place in sorted(self.immediate - set(self.targets), reverse=True):
            length = self.lines[place].length
            if length > immediate_left:
                break
            kept[place] = self.lines[place]
            immediate_left, left = immediate_left - length, left - length
        begin = self._begin(kept, left)
        kept |= {place: self.lines[place] for place in range(begin, len(self.lines)) if place not in kept}
        return dict(sorted(kept.items()))

    def _targets_that_fit(self, budget: int) -> dict[int, PromptLine]:
        """Return the lines to be answered. The longest are shortened until all fit; the oldest may be left out."""
        kept = self.targets
        while kept:
            lines = [self.asked[place] for place in kept]
            if sum(line.length for line in lines) <= budget:
                return dict(zip(kept, lines, strict=True))
            room = budget - sum(len(line.whole.header) + 2 for line in lines)
            longest = level([line.whole.text_length for line in lines], room)
            while longest >= LEAST_TEXT or len(kept) == 1:
                short = [cut_line(line, self.style, max(longest, LEAST_TEXT)) for line in lines]
                over = sum(line.length for line in short) - budget  # the indentation of lines is only counted here
                if over <= 0 or longest <= LEAST_TEXT:
                    return dict(zip(kept, short, strict=True))
                room -= over
                longest = level([line.whole.text_length for line in lines], room)
            kept = kept[1 + len(kept) // 16 :]
        return {}

    def _begin(self, kept: Mapping[int, PromptLine], budget: int) -> int:
        """Return the index from which on all lines are shown.

        As many lines are shown as fit, but the first one must begin a block of entries (`LONGEST_BLOCK`). So the first
        line stays the same for many plans. If each plan began with the oldest line that fits, the model's cache could
        not be used for the following lines.
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


def select(scene: Scene, room: int) -> Selection:
    """Return the lines that may be shown: lines that no summary covers, and lines to be answered.

    If they do not fit into `room` (characters), texts that need no answer are cut to an eighth of the prompt.
    """
    after = scene.earlier.compression.up_to_seq if scene.earlier.compression else 0
    heads = first_parts(scene.entries)
    targets = {heads.get(message_id, message_id) for message_id in scene.answering.targets}
    items = history_of(scene.entries, after, targets, scene.chat.talk.unmarked_seq)
    places = [place for place, item in enumerate(items) if _is_of(item, targets)]
    begin = begin_of_opening(items, places) if scene.answering.is_start else 0
    style, first = replace(scene.style, targets=frozenset(targets)), scene.entries[0].seq if scene.entries else 0
    asked = {place - begin: line_of(items[place], style) for place in places}
    lines = list(lines_of(items[begin:], style))
    if sum(line.length for line in lines) > room:
        longest = max(LEAST_TEXT, scene.budget // 8)
        lines = [line if at in asked else cut_line(line, style, longest) for at, line in enumerate(lines)]
    return Selection(
        lines=lines,
        asked=asked,
        is_whole=first <= after + 1 and not begin,
        is_opening=bool(begin),
        style=style,
        after=after,
    )


def _is_of(item: HistoryItem, targets: Collection[int]) -> bool:
    return isinstance(item, HistoryMessage) and not item.is_own and item.message.message_id in targets
