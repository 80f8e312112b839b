"""Retries of model calls, with a clock and pauses of the test's own."""

from datetime import timedelta

import pytest

from shared.base.errors import ModelRefused, ModelTrouble, ModelUnavailable
from shared.base.model_call import ModelCall
from shared.llm.retries import FIRST_PAUSE, JITTER, LONGEST_CLOSED, LONGEST_PAUSE, Retries, pause_before_retry


class Failing:
    """A call that raises these errors in order and then succeeds; and the time, which passes only in pauses."""

    def __init__(self, *errors: Exception) -> None:
        self.errors, self.calls, self.now = list(errors), 0, 100.0
        self.pauses: list[float] = []

    async def __call__(self) -> str:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return "ok"

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds

    def retries(self, tries: int) -> Retries:
        return Retries(tries, lambda: self.now, self.sleep)


def unavailable(wait_s: float | None = None, *, may_be_paid: bool = False) -> ModelUnavailable:
    error = ModelUnavailable("over quota", ModelTrouble.QUOTA)
    error.wait = None if wait_s is None else timedelta(seconds=wait_s)
    error.may_be_paid = may_be_paid
    return error


async def test_retries_with_growing_pauses_until_it_succeeds() -> None:
    call = Failing(*(unavailable() for _ in range(6)))
    assert await call.retries(7).run("m", call) == "ok"
    grown = [FIRST_PAUSE, 1.0, 2.0, 4.0, LONGEST_PAUSE - JITTER, LONGEST_PAUSE - JITTER]
    assert all(least <= pause <= least + JITTER for least, pause in zip(grown, call.pauses, strict=True))


async def test_raises_the_last_error_after_all_tries() -> None:
    errors = [unavailable(), unavailable(), unavailable()]
    call = Failing(*errors)
    with pytest.raises(ModelUnavailable) as caught:
        await call.retries(3).run("m", call)
    assert (caught.value, call.calls, len(call.pauses)) == (errors[2], 3, 2)


@pytest.mark.parametrize("error", [ModelRefused("wrong"), unavailable(may_be_paid=True), OSError("other")])
async def test_does_not_retry_what_is_refused_or_may_be_paid_or_unknown(error: Exception) -> None:
    call = Failing(error)
    with pytest.raises(type(error)):
        await call.retries(5).run("m", call)
    assert (call.calls, call.pauses) == (1, [])


async def test_waits_as_long_as_the_model_asks() -> None:
    call = Failing(unavailable(6.5), unavailable(0.1))
    assert await call.retries(3).run("m", call) == "ok"
    assert 6.5 <= call.pauses[0] <= 6.5 + JITTER
    assert 1.0 <= call.pauses[1] <= 1.0 + JITTER, "a short wait does not shorten a pause"


async def test_a_long_wait_closes_its_key_until_it_is_over() -> None:
    call = Failing(unavailable(52))
    retries = call.retries(3)
    with pytest.raises(ModelUnavailable):
        await retries.run("m", call)
    call.now += 40
    for _ in range(2):
        with pytest.raises(ModelUnavailable) as caught:
            await retries.run("m", call)
        assert (caught.value.wait, caught.value.trouble) == (timedelta(seconds=12), ModelTrouble.QUOTA)
    assert call.calls == 1
    assert await retries.run("another", call) == "ok"
    call.now += 12
    assert await retries.run("m", call) == "ok"


async def test_additions_to_a_caught_error_do_not_reach_the_next_call() -> None:
    call = Failing(unavailable(60))
    retries = call.retries(1)
    for _ in range(3):
        with pytest.raises(ModelUnavailable) as caught:
            await retries.run("m", call)
        assert caught.value.call is None
        caught.value.call = ModelCall(model="m")


async def test_a_call_that_pauses_is_not_made_once_its_key_is_closed() -> None:
    call, other = Failing(unavailable()), Failing(unavailable(60))

    async def sleep(seconds: float) -> None:
        with pytest.raises(ModelUnavailable):
            await retries.run("m", other)

    retries = Retries(3, lambda: 0.0, sleep)
    with pytest.raises(ModelUnavailable) as caught:
        await retries.run("m", call)
    assert (caught.value.wait, call.calls) == (timedelta(seconds=60), 1)


async def test_a_wait_above_five_minutes_closes_nothing() -> None:
    call = Failing(unavailable(LONGEST_CLOSED + 1))
    retries = call.retries(3)
    with pytest.raises(ModelUnavailable):
        await retries.run("m", call)
    assert call.pauses == []
    assert await retries.run("m", call) == "ok"


def test_a_requested_pause_is_never_shortened() -> None:
    assert [pause_before_retry(n) for n in (1, 2, 3, 9)] == [0.5, 1.0, 2.0, 7.5]
    assert pause_before_retry(1, 7.9) == 7.9


def test_needs_one_try() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Retries(0)
