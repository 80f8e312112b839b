"""The scheduled jobs that `infra/schedules.yaml` declares. Terraform reads the file too."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

import yaml
from cronsim import CronSim, CronSimError
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

SCHEDULES = Path(__file__).with_name("schedules.yaml")
#: the range of a deadline: 15 s to 30 min (cloud.google.com/scheduler/docs/reference/rest/v1/projects.locations.jobs)
SHORTEST_DEADLINE_S, LONGEST_DEADLINE_S = 15, 1800


class InvalidSchedules(Exception):
    """The file of schedules is invalid. The text says where and why."""


def _seconds(text: Any) -> Any:
    """Parse a duration as protobuf writes it, such as `180s`, in seconds."""
    if not (isinstance(text, str) and text.endswith("s")):
        raise ValueError('must be seconds with an "s", such as 180s')
    return text.removesuffix("s")


def _cron(text: str) -> str:
    if len(text.split()) != 5:
        raise ValueError('must be five cron fields, such as "*/5 * * * *"')
    try:
        CronSim(text, datetime.now())
    except CronSimError as wrong:
        raise ValueError(f"is not a cron schedule: {wrong}") from wrong
    return text


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # errors for unknown zones, invalid file names, and folders
        raise ValueError(f"{name} is not a time zone such as Etc/UTC or Europe/Berlin") from None
    return name


class ScheduleEntry(BaseModel):
    """One scheduled job: its times, its function, and the body of its request."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[a-z][a-z0-9-]{0,99}$")
    description: str
    schedule: Annotated[str, AfterValidator(_cron)]
    time_zone: Annotated[str, AfterValidator(_zone)]
    function: str
    body: dict[str, Any]
    attempt_deadline: Annotated[float, BeforeValidator(_seconds), Field(ge=SHORTEST_DEADLINE_S, le=LONGEST_DEADLINE_S)]

    def next_after(self, moment: datetime) -> datetime:
        """Return the schedule's next time after `moment`, in the schedule's time zone."""
        return next(CronSim(self.schedule, moment.astimezone(ZoneInfo(self.time_zone))))


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    schedules: list[ScheduleEntry]


def read_jobs(file: Path, functions: Sequence[str]) -> tuple[ScheduleEntry, ...]:
    """Return the jobs of a file, each for one of these functions. Raises InvalidSchedules."""
    try:
        jobs = _File.model_validate(yaml.safe_load(file.read_text())).schedules
    except OSError as cause:
        raise InvalidSchedules(f"{file} cannot be read: {cause.strerror}") from cause
    except yaml.YAMLError as cause:
        raise InvalidSchedules(f"{file} is not valid YAML: {' '.join(str(cause).split())}") from cause
    except ValidationError as wrong:
        first = wrong.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise InvalidSchedules(f"{file}: {place}: {first['msg'].removeprefix('Value error, ')}") from wrong
    names = [job.name for job in jobs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InvalidSchedules(f"{file}: two jobs have the name {', '.join(twice)}")
    strange = sorted({job.function for job in jobs} - set(functions))
    if strange:
        raise InvalidSchedules(
            f"{file}: unknown function {', '.join(strange)}; expected one of: {', '.join(functions)}"
        )
    return tuple(jobs)
