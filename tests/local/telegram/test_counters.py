from pathlib import Path

from local.telegram.counters import Counters
from local.telegram.store import WorldStore


def test_counters_are_apart_and_only_grow() -> None:
    counters = Counters(WorldStore(None))
    assert [counters.next("a"), counters.next("a"), counters.next("b")] == [1, 2, 1]
    counters.raise_to("a", 10)
    counters.raise_to("a", 5)
    assert counters.next("a") == 11


def test_they_outlive_the_process(tmp_path: Path) -> None:
    store = WorldStore(tmp_path)
    Counters(store).raise_to("a", 7)
    store.close()
    again = WorldStore(tmp_path)
    assert Counters(again).last("a") == 7
    again.close()
