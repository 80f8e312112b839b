"""The declarations of scheduled jobs: their jobs, their times, and the errors for a wrong file."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from infra.bundle import function_names
from infra.schedules import SCHEDULES, InvalidSchedules, ScheduleEntry, read_jobs

LINES = {
    "name": "sweep",
    "description": "Sweeps.",
    "schedule": '"*/5 * * * *"',
    "time_zone": "Etc/UTC",
    "function": "summarize",
    "body": "{ job: sweep }",
    "attempt_deadline": "180s",
}


def file_of(folder: Path, *jobs: dict[str, str]) -> Path:
    file = folder / "schedules.yaml"
    entries = ("\n    ".join(f"{name}: {value}" for name, value in job.items()) for job in jobs)
    file.write_text("schedules:\n" + "".join(f"  - {entry}\n" for entry in entries))
    return file


def job(**fields: object) -> ScheduleEntry:
    return ScheduleEntry.model_validate(LINES | {"schedule": "*/5 * * * *", "body": {"job": "sweep"}} | fields)


def test_the_jobs_that_are_deployed_can_be_fired_here() -> None:
    jobs = {job.name: job for job in read_jobs(SCHEDULES, function_names())}
    sweep = jobs["sweep"]
    assert (sweep.function, sweep.body, sweep.schedule) == ("summarize", {"job": "sweep"}, "*/5 * * * *")
    assert all(job.description.endswith(".") for job in jobs.values())


def test_a_job_runs_at_the_next_moment_of_its_schedule() -> None:
    five = job()
    assert five.next_after(datetime(2026, 3, 1, 12, 3, 30, tzinfo=UTC)) == datetime(2026, 3, 1, 12, 5, tzinfo=UTC)
    assert five.next_after(datetime(2026, 3, 1, 12, 5, tzinfo=UTC)) == datetime(2026, 3, 1, 12, 10, tzinfo=UTC)


def test_a_schedule_is_of_its_time_zone() -> None:
    nightly = job(schedule="30 3 * * *", time_zone="Europe/Berlin")
    assert nightly.next_after(datetime(2026, 7, 1, tzinfo=UTC)) == datetime(2026, 7, 1, 1, 30, tzinfo=UTC)
    assert nightly.next_after(datetime(2026, 1, 1, tzinfo=UTC)) == datetime(2026, 1, 1, 2, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("schedule", '"every 5 minutes"', "schedules.0.schedule: must be five cron fields"),
        ("schedule", '"61 * * * *"', "schedules.0.schedule: is not a cron schedule: Bad minute"),
        ("time_zone", "Mars/Olympus", "schedules.0.time_zone: Mars/Olympus is not a time zone"),
        ("time_zone", "../etc", "is not a time zone"),
        ("attempt_deadline", "3 minutes", "attempt_deadline"),
        ("attempt_deadline", "180", 'must be seconds with an "s", such as 180s'),
        ("attempt_deadline", "5s", "greater than or equal to 15"),
        ("attempt_deadline", "7200s", "less than or equal to 1800"),
        ("function", "sumarize", "unknown function sumarize; expected one of: summarize, tick"),
        ("name", "Sweep it", "schedules.0.name"),
        ("body", "sweep", "schedules.0.body"),
        ("colour", "red", "schedules.0.colour: Extra inputs are not permitted"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path: Path, field: str, value: str, said: str) -> None:
    file = file_of(tmp_path, LINES | {field: value})
    with pytest.raises(InvalidSchedules) as caught:
        read_jobs(file, ("summarize", "tick"))
    assert said in str(caught.value)
    assert str(file) in str(caught.value)


@pytest.mark.parametrize("field", LINES)
def test_nothing_may_be_left_out(tmp_path: Path, field: str) -> None:
    file = file_of(tmp_path, {name: value for name, value in LINES.items() if name != field})
    with pytest.raises(InvalidSchedules, match=rf"schedules\.0\.{field}: Field required"):
        read_jobs(file, ("summarize",))


def test_a_name_is_taken_once(tmp_path: Path) -> None:
    with pytest.raises(InvalidSchedules, match="two jobs have the name sweep"):
        read_jobs(file_of(tmp_path, LINES, LINES), ("summarize",))


@pytest.mark.parametrize(
    ("text", "said"),
    [("a: [", "is not valid YAML"), ("", "the file: Input should be"), ("jobs: []", "schedules: Field")],
)
def test_a_file_of_another_kind_is_refused(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "schedules.yaml"
    file.write_text(text)
    with pytest.raises(InvalidSchedules, match=said):
        read_jobs(file, ())
    with pytest.raises(InvalidSchedules, match="cannot be read: No such file"):
        read_jobs(tmp_path / "none.yaml", ())
