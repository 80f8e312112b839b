"""The result of a scheduled job's last run, which the console shows."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict


class JobOutcome(BaseModel):
    """The last run of a job: when it ended, and whether it succeeded. `why` is lull's own text about a failure."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    at: datetime
    is_well: bool
    why: str = ""
    #: how many things it handled, by name
    counts: dict[str, int] = {}
