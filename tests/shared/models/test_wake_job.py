from datetime import timedelta

import pytest
from pydantic import TypeAdapter, ValidationError

from shared.models.wake import Job, Queue, Routes
from tests.shared.values import NOW

ROUTES = TypeAdapter(Routes)


def test_a_job_is_for_the_ticks_queue_unless_it_says_otherwise() -> None:
    job = Job(function="tick", body="{}", at=NOW + timedelta(hours=1))
    assert (job.queue, job.name, job.traceparent) == (Queue.TICKS, "", "")


def test_routes_are_read_from_json() -> None:
    routes = ROUTES.validate_json(
        '{"queues": {"background": {"name": "projects/p/locations/l/queues/b"}}, "functions": {"summarize": "https://s"}}'
    )
    assert routes.queues[Queue.BACKGROUND].invoker == ""
    assert routes.functions == {"summarize": "https://s"}


@pytest.mark.parametrize(
    "wrong", ['{"queue": {}}', '{"queues": {"backgruond": {"name": "x"}}}', '{"queues": {"background": {}}}']
)
def test_routes_that_are_misspelt_are_refused(wrong: str) -> None:
    with pytest.raises(ValidationError):
        ROUTES.validate_json(wrong)
