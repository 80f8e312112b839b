"""Tests of search areas."""

from datetime import timedelta

from shared.recall.store.segments import SearchArea
from shared.values.place import VisibleChats
from tests.shared.examples import NOW

HOUR = timedelta(hours=1)


def test_within_narrows_an_area_and_never_widens_it() -> None:
    area = SearchArea(visible=VisibleChats(agent="a", places=("a.1",)), since=NOW, until=NOW + 5 * HOUR)
    within = area.within(NOW - HOUR, NOW + HOUR)
    assert (within.since, within.until) == (NOW, NOW + HOUR)
    open_area = SearchArea(visible=area.visible)
    assert open_area.within(NOW, NOW + HOUR).since == NOW
