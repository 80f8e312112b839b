"""Reasons why a proposed time cannot be scheduled."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ScheduleProblem:
    """The reason why a proposal cannot be scheduled: a sentence for the model. The sentence quotes nothing."""

    hint: str


class UnusableTime(ValueError):
    """A part of a proposal has no clear meaning. The error's text is a sentence for the model, and quotes nothing."""
