"""lull is killed at a sample of its requests. `make bench NAME=crash` takes every one."""

from collections.abc import Sequence

import pytest

from benchmarks.crash import in_words
from benchmarks.relay.ledger import Moment
from tests.crash.conftest import Theatre
from tests.crash.playing import Outcome, Point
from tests.crash.rounds import STORIES, Troupe, points_of

#: points are in the order of stories, requests and moments; an odd step takes both moments of every story in turn
EVERY = 13
#: of the stories of the scheduled function, which have fewer: each from its first
EVERY_SCHEDULED = 7


@pytest.mark.timeout(900)
async def test_nothing_is_lost_doubled_or_stuck_wherever_lull_is_killed(theatre: Theatre) -> None:
    heard: list[Outcome] = []
    troupe = Troupe(theatre.house, theatre.lanes, heard.append)
    outcomes = await troupe.struck(sampled(points_of(await troupe.undisturbed(tuple(STORIES)))))
    assert [line for outcome in heard for line in in_words(outcome)] == []
    struck = {(outcome.point.story, outcome.point.moment) for outcome in outcomes if outcome.struck and outcome.point}
    assert struck == {(story, moment) for story in STORIES for moment in Moment}


def sampled(points: Sequence[Point]) -> list[Point]:
    """The points that are struck in every test run."""
    chosen = [point for point in points if point.step.maker != "summarize"][::EVERY]
    for story in STORIES:
        scheduled = [point for point in points if (point.story, point.step.maker) == (story, "summarize")]
        chosen += scheduled[::EVERY_SCHEDULED]
    return chosen
