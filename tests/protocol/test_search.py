"""The claim's rules hold in every interleaving of small worlds, and the search sees each rule that is broken."""

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

#: a world in which each broken rule shows
SHOWING = {
    "name-by-window": Bounds(),
    "read-before-claim": Bounds(),
    "no-follow-up": Bounds(crashes=1),
    "one-follow-up-name": Bounds(crashes=1, stalls=1),
    "no-fence": Bounds(stalls=1, crashes=1),
    "one-quiet-name": Bounds(waits=2),
    "release-without-task": Bounds(failures=1),
    "release-with-rest": Bounds(),
}


@pytest.mark.parametrize("bounds", WORLDS, ids=repr)
def test_no_update_is_lost_or_handled_twice(bounds: Bounds) -> None:
    finding = search(bounds)
    assert finding.wrong == ""
    assert finding.worlds > 1000


@pytest.mark.parametrize("broken", BREAKS)
def test_a_broken_rule_is_seen(broken: str) -> None:
    shown = SHOWING[broken]
    bounds = Bounds(
        crashes=shown.crashes, stalls=shown.stalls, waits=shown.waits, failures=shown.failures, broken=broken
    )
    finding = search(bounds)
    assert finding.wrong in {"lost", "handled twice"}
    assert len(finding.path) > 3
