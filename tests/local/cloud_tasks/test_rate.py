import pytest
from hypothesis import given
from hypothesis import strategies as st

from local.cloud_tasks.rate import RateLimits, TokenBucket

START = 1_800_000_000.0


@pytest.mark.parametrize(("per_second", "burst"), [(500, 100), (1, 10), (0.1, 10), (20.5, 21)])
def test_the_burst_that_the_service_chooses(per_second: float, burst: int) -> None:
    assert RateLimits(max_dispatches_per_second=per_second).max_burst_size == burst


def test_a_full_bucket_is_spent_and_fills_at_its_rate() -> None:
    bucket = TokenBucket.full(RateLimits(max_dispatches_per_second=4), START)
    for _ in range(10):
        assert bucket.has_token()
        bucket = bucket.take()
    assert not bucket.has_token()
    assert bucket.next_token_at() == START + 0.25
    assert not bucket.refill(START + 0.2).has_token()
    assert bucket.refill(START + 0.25).has_token()
    assert bucket.refill(START + 3600).tokens == 10


def test_a_clock_set_back_adds_and_takes_nothing() -> None:
    bucket = TokenBucket.full(RateLimits(), START).take()
    assert bucket.refill(START - 60).tokens == bucket.tokens


def test_what_was_spent_stays_spent_and_never_below_nothing() -> None:
    bucket = TokenBucket.full(RateLimits(max_dispatches_per_second=1), START)
    assert bucket.without(3).tokens == 7
    assert bucket.without(99).tokens == 0


@given(st.floats(0.01, 500), st.lists(st.floats(0, 5), max_size=60))
def test_no_more_go_out_than_the_burst_and_the_rate_allow(per_second: float, waits: list[float]) -> None:
    limits = RateLimits(max_dispatches_per_second=per_second)
    bucket, now, sent = TokenBucket.full(limits, START), START, 0
    for wait in waits:
        now += wait
        bucket = bucket.refill(now)
        while bucket.has_token():
            bucket, sent = bucket.take(), sent + 1
    assert sent <= limits.max_burst_size + per_second * (now - START) + 0.01
