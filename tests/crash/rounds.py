"""Plays all points of some stories on several lanes at the same time."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.relay.ledger import Moment
from tests.crash.lanes import Lane
from tests.crash.playing import Outcome, Playhouse, Point, play
from tests.crash.resting import notes, summary
from tests.crash.scheduled import archive, overdue, unread
from tests.crash.sending import left_over, photo, voice
from tests.crash.stories import StoryMaker, album, burst, command, parts, wait
from tests.crash.taking_out import export

STORIES: dict[str, StoryMaker] = {
    maker.__name__: maker
    for maker in (
        burst,
        parts,
        wait,
        command,
        album,
        photo,
        voice,
        left_over,
        unread,
        overdue,
        archive,
        notes,
        summary,
        export,
    )
}
#: stories with slow plays, or with most points
LONG = frozenset(maker.__name__ for maker in (photo, voice, left_over, notes, summary, export))
#: how often a story is played again if the request was not made
MOST_TRIES = 2
#: rounds of points that earlier plays met for the first time
MOST_ROUNDS = 3

Told = Callable[[Outcome], None]
Part = tuple[str, Point | None]


@dataclass(frozen=True)
class Troupe:
    """The lanes and the playhouse. `told` is called after each play."""

    backend: Playhouse
    lanes: Sequence[Lane]
    told: Told

    async def undisturbed(self, stories: Sequence[str]) -> list[Outcome]:
        """Play each story once, without a blow."""
        return await self._all([(story, None) for story in stories])

    async def struck(self, points: Sequence[Point]) -> list[Outcome]:
        """Play each story once for each of its points, in the points' order."""
        return await self._all([(point.story, point) for point in points])

    async def struck_everywhere(self, points: Sequence[Point]) -> list[Outcome]:
        """Play as `struck` does, then at further points that were met on the way, since plays vary a little."""
        outcomes: list[Outcome] = []
        known: set[Point] = set()
        new = list(points)
        for _ in range(MOST_ROUNDS):
            known.update(new)
            outcomes += await self.struck(new)
            new = [point for point in points_of(outcomes) if point not in known]
        return outcomes

    async def _all(self, parts: Sequence[Part]) -> list[Outcome]:
        waiting = list(enumerate(parts))[::-1]
        outcomes: dict[int, Outcome] = {}

        async def keep_playing(lane: Lane) -> None:
            while waiting:
                index, part = waiting.pop()
                outcomes[index] = await self._play(lane, *part)
                self.told(outcomes[index])

        async with asyncio.TaskGroup() as group:
            for lane in self.lanes:
                group.create_task(keep_playing(lane))
        return [outcomes[index] for index in sorted(outcomes)]

    async def _play(self, lane: Lane, story: str, point: Point | None) -> Outcome:
        for _ in range(MOST_TRIES):
            outcome = await play(self.backend, lane, STORIES[story], point)
            if point is None or outcome.struck is not None or outcome.verdict.faults:
                break
        return outcome


def points_of(outcomes: Sequence[Outcome]) -> list[Point]:
    """Return every point that was met: each request until the story was struck, before and after it."""
    found = (Point(outcome.story, step, moment) for outcome in outcomes for step in outcome.steps for moment in Moment)
    return list(dict.fromkeys(found))
