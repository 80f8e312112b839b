"""lull is killed at a sample of its requests. `make bench NAME=crash` takes every one."""

from pathlib import Path

import pytest

from benchmarks.crash import in_words
from benchmarks.relay.ledger import Moment
from tests.crash.lanes import open_lanes
from tests.crash.playing import Outcome, playhouse
from tests.crash.rounds import Troupe, points_of
from tests.crash.stories import STORIES

LANES = 3
#: points are in the order of stories, requests and moments; an odd step takes both moments of every story in turn
EVERY = 9


@pytest.mark.timeout(900)
async def test_nothing_is_lost_doubled_or_stuck_wherever_lull_is_killed(tmp_path: Path) -> None:
    heard: list[Outcome] = []
    async with open_lanes(LANES, tmp_path) as lanes, playhouse(lanes[0].cloud) as house:
        troupe = Troupe(house, lanes, heard.append)
        points = points_of(await troupe.undisturbed(tuple(STORIES)))[::EVERY]
        outcomes = await troupe.struck(points)
    assert [line for outcome in heard for line in in_words(outcome)] == []
    struck = [(outcome.point.story, outcome.point.moment) for outcome in outcomes if outcome.struck and outcome.point]
    assert set(struck) == {(story, moment) for story in STORIES for moment in Moment}
