"""The decision whether and when to try again."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.values.retry import FailedAttempt, GiveUp, Retry, RetryBudget, RetryBudgets, decide_retry
from tests.shared.examples import NOW, PROPERTY, SECOND

BUDGET = RetryBudget(tries=3, after=10 * SECOND)


def test_it_is_tried_as_often_as_the_budget_says() -> None:
    decisions = [decide_retry(FailedAttempt(why="no route", tries=n), BUDGET, NOW) for n in (1, 2, 3)]
    assert decisions == [
        Retry(NOW + 10 * SECOND, 1),
        Retry(NOW + 10 * SECOND, 2),
        GiveUp("given up after 3 tries: no route"),
    ]


@PROPERTY
@given(st.integers(1, 20), st.integers(1, 20), st.timedeltas(timedelta(), timedelta(days=1)))
def test_a_wait_that_was_asked_for_is_honoured_and_never_counted(tries: int, most: int, wait: timedelta) -> None:
    failure = FailedAttempt(why="slow down", tries=tries, wait=wait)
    assert decide_retry(failure, RetryBudget(tries=most), NOW) == Retry(NOW + wait, tries - 1)


def test_each_kind_of_work_has_a_budget_of_its_own() -> None:
    budgets = RetryBudgets()
    assert (budgets.task.tries, budgets.task.after) == (10, 10 * SECOND)
    assert (budgets.model.tries, budgets.reply.tries, budgets.tools.tries) == (4, 3, 8)
