from shared.values.job_run import JobRun


def test_a_run_that_is_delivered_twice_has_the_same_job_run() -> None:
    assert JobRun(scheduled_for="2026-03-01T12:05:00Z") == JobRun(scheduled_for="2026-03-01T12:05:00Z", traceparent="")
    assert JobRun(scheduled_for="2026-03-01T12:05:00Z") != JobRun(scheduled_for="2026-03-01T12:10:00Z")
