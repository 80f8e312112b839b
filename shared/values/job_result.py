"""The result of a scheduled job's last run, which the console shows."""

from datetime import datetime

from pydantic import Field

from shared.values.evolve import FrozenModel


class JobOutcome(FrozenModel):
    """The last run of a job: when it ended, and whether it succeeded. `why` is lull's own text about a failure."""

    at: datetime
    is_well: bool
    why: str = ""
    #: how many things it handled, by name
    counts: dict[str, int] = Field(default_factory=dict)
