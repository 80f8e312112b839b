"""Decisions about retries. Each kind of work has its own budget of tries."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta


@dataclass(frozen=True, kw_only=True)
class RetryBudget:
    """The number of tries, including the first, and the time between two tries."""

    tries: int
    after: timedelta = timedelta()
    #: each wait is twice the last one, up to this; None: all waits are equal
    longest_after: timedelta | None = None

    def wait_after(self, tries: int) -> timedelta:
        """Return the wait after this many tries: always the same, or doubled each time up to `longest_after`."""
        if self.longest_after is None:
            return self.after
        doublings = min(tries - 1, MOST_DOUBLINGS)
        return min(self.longest_after, self.after * (1 << doublings))


#: after this many doublings every budget has reached its longest wait
MOST_DOUBLINGS = 20


@dataclass(frozen=True, kw_only=True)
class RetryBudgets:
    """The budgets of each kind of work.

    They are separate: a failing model uses up no tries of a task, and vice versa.
    """

    #: a model call without an answer; each try is one tick, in which the model's client itself tries several times
    model: RetryBudget = field(default=RetryBudget(tries=4, after=timedelta(seconds=10)))
    #: an unusable reply, which goes back to the model at once
    reply: RetryBudget = field(default=RetryBudget(tries=3))
    #: rounds of tool calls; after the last round the model must answer with what it has found
    tools: RetryBudget = field(default=RetryBudget(tries=8))
    #: an outgoing call that certainly had no effect
    task: RetryBudget = field(default=RetryBudget(tries=10, after=timedelta(seconds=10)))


@dataclass(frozen=True, kw_only=True)
class FailedAttempt:
    """A failed try that certainly had no effect: its reason, and the number of tries so far, this one included.

    `wait` is the wait that the called service asked for, or None. If it asked for one, this try does not count.
    """

    why: str
    tries: int
    wait: timedelta | None = None


@dataclass(frozen=True)
class Retry:
    """The decision to try again at `at`. `tries` is how many tries of the budget are used up so far."""

    at: datetime
    tries: int


@dataclass(frozen=True)
class GiveUp:
    """The decision not to try again."""

    why: str


def decide_retry(failure: FailedAttempt, budget: RetryBudget, now: datetime) -> Retry | GiveUp:
    """Decide whether and when to try again.

    If the called service asked for a wait, the wait has its full length, and this try does not count.
    """
    if failure.wait is not None:
        return Retry(at=now + failure.wait, tries=failure.tries - 1)
    if failure.tries < budget.tries:
        return Retry(at=now + budget.wait_after(failure.tries), tries=failure.tries)
    return GiveUp(why=f"given up after {failure.tries} tries: {failure.why}")
