"""Reasons why a proposed time cannot be scheduled."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ScheduleProblem:
    """The reason why a proposal cannot be scheduled: a sentence for the model that quotes no part of the proposal."""

    hint: str


class UnusableTime(ValueError):
    """A part of a proposal is unclear. The error's text is a sentence for the model that quotes none of it."""
