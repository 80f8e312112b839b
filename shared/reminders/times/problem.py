"""What cannot be scheduled as it was proposed."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ScheduleProblem:
    """Why a proposal cannot be scheduled: a sentence for the model that made it, which quotes nobody."""

    hint: str


class UnusableTime(ValueError):
    """Something of a proposal has no meaning. The text is a sentence for the model, and quotes nobody."""
