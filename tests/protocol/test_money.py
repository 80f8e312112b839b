"""The rules for money are safe in every interleaving of small worlds, and the search finds each broken rule."""

from dataclasses import replace

import pytest

from tests.protocol.money import BREAKS, Bounds, search

WORLDS = [
    Bounds(ticks=(1, 1), crashes=1),
    Bounds(ticks=(2, 1), crashes=1),
    Bounds(ticks=(2,), crashes=2),
    Bounds(ticks=(2,), crashes=1, stalls=1),
    Bounds(ticks=(3,), stalls=1),
    Bounds(limit=1, ticks=(1, 1, 1)),
    Bounds(limit=2, ticks=(1,), jobs=1, crashes=1),
    Bounds(ticks=(1,), jobs=1, stalls=1),
    Bounds(ticks=(2, 1), has_midnight=True),
    Bounds(ticks=(2,), crashes=1, has_midnight=True),
    Bounds(limit=2, ticks=(1, 1), waits=True),
    Bounds(limit=2, ticks=(1, 1), crashes=1, waits=True),
    Bounds(limit=2, ticks=(1,), jobs=1, waits=True),
    Bounds(limit=2, ticks=(1, 1), crashes=1, tells=True),
    Bounds(limit=2, ticks=(2,), jobs=1, crashes=1, tells=True),
    Bounds(limit=4, ticks=(1, 1), crashes=1, shards=2),
    Bounds(limit=4, ticks=(2, 1), shards=2),
    Bounds(limit=2, ticks=(3,), crashes=1, shards=2),
    Bounds(limit=2, ticks=(2,), stalls=1, shards=2),
    Bounds(limit=2, ticks=(1, 1), waits=True, shards=2, lent=2),
    Bounds(limit=2, ticks=(1, 1), has_midnight=True, shards=2),
    Bounds(limit=4, ticks=(1,), jobs=1, crashes=1, shards=2),
    Bounds(limit=4, ticks=(1, 2), crashes=1, shards=2, spent=1, lent=2),
]

#: broken rule → the resulting error, and limits within which it occurs
SHOWING = {
    "writes blindly": ("not counted", Bounds(ticks=(1, 1), crashes=1)),
    "calls before it records": ("not counted", Bounds(ticks=(1, 1), crashes=1)),
    "records no reservation": ("not counted", Bounds(ticks=(1, 1), crashes=1)),
    "settles what is open": ("not counted", Bounds(ticks=(3,), stalls=1)),
    "settles what is gone": ("counted twice", Bounds(ticks=(2,))),
    "drops what others may record": ("not counted", Bounds(ticks=(2,), crashes=1, stalls=1)),
    "turns the day back": ("overspent", Bounds(limit=1, ticks=(1, 1), jobs=1, has_midnight=True)),
    "gives a dead job's back": ("not counted", Bounds(limit=2, ticks=(1,), jobs=1, crashes=1)),
    "keeps what nobody recorded": ("lost", Bounds(ticks=(1, 1), crashes=1)),
    "asks nobody": ("kept waiting", Bounds(limit=2, ticks=(1, 1), waits=True)),
    "forgets whom it asked in vain": ("kept waiting", Bounds(limit=2, ticks=(1, 1), waits=True)),
    "settles where it asks": ("not counted", Bounds(limit=2, ticks=(3,), shards=2)),
    "counts what the first has spent alone": ("overspent", Bounds(limit=4, ticks=(2, 2), shards=2, spent=1, lent=2)),
    "says that it tells before it does": ("told nothing", Bounds(limit=2, ticks=(1, 1), crashes=1, tells=True)),
}


@pytest.mark.parametrize("bounds", WORLDS, ids=repr)
def test_nothing_is_overspent_or_lost_or_counted_twice(bounds: Bounds) -> None:
    wrong, worlds = search(bounds)
    assert wrong == ""
    assert worlds > 100


@pytest.mark.parametrize("broken", BREAKS)
def test_a_broken_rule_is_seen(broken: str) -> None:
    wrong, shown = SHOWING[broken]
    assert search(replace(shown, broken=broken))[0] == wrong
