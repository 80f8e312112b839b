"""Presence: when a person was in a group, by each time that they left it and what they did there afterwards.

Where nobody can say that they still are in it, they were until the last thing that they did there.
"""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import accumulate
from typing import Final

from shared.models.membership import Membership
from shared.models.message import AnyEntry, Message, Press

_NEVER: Final = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Presence:
    """The times in which somebody was not in a group, each from its first moment to the one after its last."""

    absences: tuple[tuple[datetime, datetime], ...] = ()

    def covers(self, at: datetime) -> bool:
        """Return whether they were in the group at a moment."""
        return not any(left <= at < back for left, back in self.absences)

    @property
    def is_over(self) -> bool:
        """Whether they have not come back."""
        return any(back == _NEVER for _, back in self.absences)


#: of a chat that nobody has left
ALWAYS: Final = Presence()


class PresenceFinder:
    """Finds when somebody was in a group, from their memberships of it and from what they did there."""

    def __init__(self, person: int, memberships: Iterable[Membership], at: datetime) -> None:
        """`memberships`: under each chat id of the group; `at`: when whoever is in it must have been known to be."""
        known = sorted(memberships, key=lambda one: one.seen_at)
        self._person = person
        self._left = sorted({moment for one in known for moment in one.left_at})
        self._back = [_NEVER] * len(self._left)
        self._is_sure = bool(known) and known[-1].is_sure(at)  # the newest is that of the id which the group has now
        self._last = datetime.min.replace(tzinfo=UTC)
        for moment in (moment for one in known for moment in one.joined_at):
            self._was_there(moment)

    @property
    def needs_entries(self) -> bool:
        """Whether it depends on what they did there."""
        return bool(self._left) or not self._is_sure

    def see(self, entry: AnyEntry) -> None:
        """Take in an entry of the group's, in any order: whoever writes or presses is there."""
        if not isinstance(entry, Message | Press) or entry.author.id != self._person or entry.author.is_agent:
            return
        self._was_there(entry.at)

    def _was_there(self, at: datetime) -> None:
        self._last = max(self._last, at)
        place = bisect_left(self._left, at) - 1  # of the last time that they left before it
        if place >= 0:
            self._back[place] = min(self._back[place], at)

    def found(self) -> Presence:
        """Return when they were there, by all that was seen."""
        back = list(accumulate(reversed(self._back), min))[::-1]  # whoever left twice came back once after both
        absences = list(zip(self._left, back, strict=True))
        if not self._is_sure and _NEVER not in back[-1:]:
            absences.append((self._last, _NEVER))
        return Presence(tuple(absences))
