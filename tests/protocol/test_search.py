"""The rules of claims are safe in every interleaving of small worlds, and the search finds each broken rule."""

from dataclasses import replace

import pytest

from tests.protocol.search import search
from tests.protocol.worlds import BREAKS, Bounds

WORLDS = [
    Bounds(crashes=1, stalls=1),
    Bounds(repeats=1, stalls=1),
    Bounds(crashes=1, waits=1),
    Bounds(stalls=1, waits=2),
    Bounds(failures=1, stalls=1),
    Bounds(updates=3, waits=1),
    Bounds(stops=1, crashes=1),
    Bounds(stops=1, waits=1),
    Bounds(stops=1, stalls=1, waits=1),
]

#: broken rule → the resulting error, and limits within which it occurs
SHOWING = {
    "name-by-window": ("lost", Bounds()),
    "read-before-claim": ("lost", Bounds()),
    "no-follow-up": ("lost", Bounds(crashes=1)),
    "one-follow-up-name": ("lost", Bounds(crashes=1, stalls=1)),
    "no-fence": ("handled twice", Bounds(stalls=1, crashes=1)),
    "one-quiet-name": ("lost", Bounds(waits=2)),
    "release-without-task": ("lost", Bounds(failures=1)),
    "release-with-rest": ("lost", Bounds()),
    "release-without-count": ("late", Bounds(updates=3)),
}


@pytest.mark.parametrize("bounds", WORLDS, ids=repr)
def test_no_update_is_lost_or_handled_twice_or_late(bounds: Bounds) -> None:
    finding = search(bounds)
    assert finding.wrong == ""
    assert finding.worlds > 1000


@pytest.mark.parametrize("broken", BREAKS)
def test_a_broken_rule_is_seen(broken: str) -> None:
    wrong, shown = SHOWING[broken]
    finding = search(replace(shown, broken=broken))
    assert finding.wrong == wrong
    assert len(finding.path) > 3
