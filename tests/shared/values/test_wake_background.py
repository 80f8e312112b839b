"""Background jobs are named after the thing that they are about, so that the same job is enqueued only once."""

import json

from shared.values.wake import Queue, note_job, title_job
from tests.shared.examples import NOW


def test_the_same_is_one_job_and_anything_else_another() -> None:
    one = note_job("conv-1", "a", NOW)
    assert (one.queue, one.function) == (Queue.BACKGROUND, "summarize")
    assert json.loads(one.body) == {"job": "note", "conversation": "conv-1"}
    names = {
        job.name for job in (one, note_job("conv-1", "b", NOW), note_job("conv-2", "a", NOW), title_job("conv-1", NOW))
    }
    assert len(names) == 4
    assert note_job("conv-1", "a", NOW).name == one.name
