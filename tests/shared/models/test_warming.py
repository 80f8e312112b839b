"""The order that the tick function starts: one for however many ask at once."""

from datetime import timedelta

import pytest
from pydantic import TypeAdapter, ValidationError

from shared.models.warming import ONE_IN_S, Warming, warming
from tests.shared.values import NOW

ORDER = TypeAdapter(Warming)


def test_the_orders_of_one_span_have_one_name_and_the_next_has_another() -> None:
    start = NOW - timedelta(seconds=NOW.timestamp() % ONE_IN_S)
    names = [warming(start + timedelta(seconds=s)).name for s in range(2 * ONE_IN_S)]
    assert [names.count(name) for name in dict.fromkeys(names)] == [ONE_IN_S, ONE_IN_S]


def test_the_order_is_for_the_tick_function_at_once() -> None:
    job = warming(NOW)
    assert (job.function, job.at) == ("tick", NOW)
    assert ORDER.validate_json(job.body) == Warming("warm")


def test_another_order_is_none() -> None:
    for body in ('{"job": "register"}', "{}", '{"job": "warm", "webhook_url": "https://x"}'):
        with pytest.raises(ValidationError):
            ORDER.validate_json(body)
