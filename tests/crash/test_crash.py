"""lull is killed at a sample of its requests. `make bench NAME=crash` takes every one."""

from collections.abc import Sequence

import pytest

from benchmarks.crash import in_words
from benchmarks.relay.ledger import Moment, Step
from tests.crash.lanes import Lane
from tests.crash.playing import Outcome, Playhouse, Point
from tests.crash.rounds import LONG, STORIES, Troupe, points_of

#: points alternate between before and after a request, so an odd step takes both kinds
EVERY = 17
#: of long stories; tests/shared/media/test_describe_media.py and test_note_killed.py take each of their steps
EVERY_OF_LONG = 31
WANTED = {(story, moment) for story in STORIES for moment in Moment}


@pytest.mark.timeout(900)
async def test_nothing_is_lost_doubled_or_stuck_wherever_lull_is_killed(
    backend: Playhouse, lanes: tuple[Lane, ...]
) -> None:
    heard: list[Outcome] = []
    troupe = Troupe(backend, lanes, heard.append)
    points = points_of(await troupe.undisturbed(tuple(STORIES)))
    missed = WANTED - kinds(await troupe.struck(sampled(points)))
    # plays vary a little, and a request may not come again; a story's first one comes in every play
    missed -= kinds(await troupe.struck([first(points, *kind) for kind in missed]))
    if faults := [line for outcome in heard for line in in_words(outcome)]:
        pytest.fail("\n".join(faults), pytrace=False)
    assert missed == set()


def kinds(outcomes: Sequence[Outcome]) -> set[tuple[str, Moment]]:
    """Return the moments at which stories were struck."""
    return {(outcome.point.story, outcome.point.moment) for outcome in outcomes if outcome.struck and outcome.point}


def first(points: Sequence[Point], story: str, moment: Moment) -> Point:
    """Return a story's first point of one moment."""
    return next(point for point in points if (point.story, point.moment) == (story, moment))


def sampled(points: Sequence[Point]) -> list[Point]:
    """Return the points of every test run: at least two for each story, one before and one after a request."""
    chosen: list[Point] = []
    for number, story in enumerate(STORIES):
        own = [point for point in points if point.story == story]
        step = min(EVERY_OF_LONG if story in LONG else EVERY, (len(own) - 2) | 1)
        chosen += own[3 * number % (len(own) - step) :: step]
    return chosen


@pytest.mark.parametrize("count", [2, 4, 8, 20, 34, 48])
def test_the_sample_has_both_moments_of_each_story(count: int) -> None:
    points = [
        Point(story, Step("tick", "see", 1 + n // 2), list(Moment)[n % 2]) for story in STORIES for n in range(count)
    ]
    assert {(point.story, point.moment) for point in sampled(points)} == WANTED
