from datetime import timedelta

from shared.values.wake import Job, Queue
from tests.shared.examples import NOW


def test_a_job_is_for_the_ticks_queue_unless_it_says_otherwise() -> None:
    job = Job(function="tick", body="{}", at=NOW + timedelta(hours=1))
    assert (job.queue, job.name, job.traceparent) == (Queue.TICKS, "", "")
