from local.telegram.connections import Connections


def test_a_silent_receiver_gets_one_connection_every_two_seconds() -> None:
    connections = Connections(limit=40)
    assert connections.grow(lanes=5, now=100.0) is None
    assert connections.open == 1
    connections.take()
    connections.give_back(usable=False)
    assert connections.grow(lanes=5, now=101.0) == 102.0
    assert connections.open == 0
    assert connections.grow(lanes=5, now=102.0) is None
    assert connections.open == 1


def test_an_active_receiver_gets_ten_in_half_a_second() -> None:
    connections = Connections(limit=40, last_success=100.0)
    assert connections.grow(lanes=25, now=100.0) == 100.5
    assert connections.open == 10
    assert connections.grow(lanes=25, now=100.5) == 101.0
    assert connections.open == 20


def test_ten_seconds_after_a_success_it_counts_as_silent() -> None:
    connections = Connections(limit=40, last_success=100.0)
    connections.grow(lanes=30, now=110.0)
    assert connections.open == 1


def test_there_are_never_more_than_the_limit_or_the_lanes() -> None:
    connections = Connections(limit=2, last_success=100.0)
    assert connections.grow(lanes=9, now=100.0) is None
    assert connections.open == 2
    few = Connections(limit=9, last_success=100.0)
    few.grow(lanes=3, now=100.0)
    assert few.open == 3


def test_only_an_idle_connection_can_be_taken() -> None:
    connections = Connections(limit=1)
    assert not connections.take()
    connections.grow(lanes=1, now=0.0)
    assert connections.take()
    assert not connections.take()
    connections.give_back(usable=True)
    assert connections.take()


def test_waits_shrink_with_the_clock() -> None:
    connections = Connections(limit=9, scale=0.01, last_success=100.0)
    assert connections.grow(lanes=20, now=100.0) is None
    limited = Connections(limit=40, scale=0.01, last_success=100.0)
    assert limited.grow(lanes=20, now=100.0) == 100.005
