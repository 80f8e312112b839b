"""Whether something that failed is tried again: one decision for every kind of work, each with a budget of its own."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta


@dataclass(frozen=True, kw_only=True)
class RetryBudget:
    """How often a kind of work is tried, the first time included, and how long is waited between two tries."""

    tries: int
    after: timedelta = timedelta()
    #: each wait is twice as long as the one before, up to this; none: all are alike
    longest_after: timedelta | None = None

    def wait_after(self, tries: int) -> timedelta:
        """How long is waited after so many tries."""
        if self.longest_after is None:
            return self.after
        doublings = min(tries - 1, MOST_DOUBLINGS)
        return min(self.longest_after, self.after * (1 << doublings))


#: of a wait: from then on every budget is at its longest
MOST_DOUBLINGS = 20


@dataclass(frozen=True, kw_only=True)
class RetryBudgets:
    """Each kind of work has its own: a model that fails uses up no task's tries, and no task the model's."""

    #: a call of the model that had no answer; each try is a tick, in which the client tried several times
    model: RetryBudget = field(default=RetryBudget(tries=4, after=timedelta(seconds=10)))
    #: a reply that cannot be used goes back to the model at once
    reply: RetryBudget = field(default=RetryBudget(tries=3))
    #: a round of tools that the model calls while it plans; after the last it must answer with what it has
    tools: RetryBudget = field(default=RetryBudget(tries=8))
    #: an outgoing call that certainly did nothing
    task: RetryBudget = field(default=RetryBudget(tries=10, after=timedelta(seconds=10)))


@dataclass(frozen=True, kw_only=True)
class FailedAttempt:
    """A failure that leaves the world as it was: what it says, and how often the same was tried, this time included.

    `wait`: how long the other side asked to be left alone; such a try does not count.
    """

    why: str
    tries: int
    wait: timedelta | None = None


@dataclass(frozen=True)
class Retry:
    """Try again, not before this moment; `tries` of the budget are used up."""

    at: datetime
    tries: int


@dataclass(frozen=True)
class GiveUp:
    """Do not try again."""

    why: str


def decide_retry(failure: FailedAttempt, budget: RetryBudget, now: datetime) -> Retry | GiveUp:
    """Whether to try again, and when. A wait that was asked for is honoured to its end and costs no try."""
    if failure.wait is not None:
        return Retry(at=now + failure.wait, tries=failure.tries - 1)
    if failure.tries < budget.tries:
        return Retry(at=now + budget.wait_after(failure.tries), tries=failure.tries)
    return GiveUp(why=f"given up after {failure.tries} tries: {failure.why}")
