"""What lull costs: the table of docs/deploy.md, and what it is computed from."""

import re

import pytest

from infra.bundle import ROOT, functions
from local.scheduler.jobs import SCHEDULES, read_jobs
from operations.costs import COLUMNS, GROUP, PRICES, PRIVATE, Clock, clock_of, month, table

CLOCK = Clock(jobs=3, runs_a_day=300, sweeps_a_day=288)


def test_the_table_of_the_page_is_what_the_formula_says() -> None:
    # `python -m operations.costs` prints it
    assert table(clock_of(read_jobs(SCHEDULES, functions()))) in (ROOT / "docs" / "deploy.md").read_text()


def test_no_message_costs_less_than_was_counted() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text()
    for name, used in (("private, answered", PRIVATE), ("group, unanswered", GROUP)):
        row = re.search(rf"^\| {name} \|(.*)\|$", page, re.MULTILINE)
        assert row
        reads, writes, tasks = (float(re.findall(r"[\d.]+", cell)[0]) for cell in row[1].split("|")[:3])
        assert used["read"] >= reads
        assert used["write"] >= writes
        assert used["task"] >= 2 * tasks  # making one and delivering it


def test_nothing_is_paid_for_that_is_in_no_column() -> None:
    assert sorted(name for names in COLUMNS.values() for name in names) == sorted(PRICES)


def test_a_hundred_times_the_messages_cost_a_hundred_times_as_much_above_the_idle_costs() -> None:
    idle, few, many = (month(n, 1.0, CLOCK).cost() for n in (0, 1_000, 100_000))
    assert many - idle == pytest.approx(100 * (few - idle))


def test_the_jobs_runs_are_counted() -> None:
    found = clock_of(read_jobs(SCHEDULES, functions()))
    assert found.sweeps_a_day == 288
    assert found.runs_a_day > 288
    assert found.jobs >= 2


def test_a_month_without_messages_is_free() -> None:
    assert month(0, 1.0, CLOCK).cost(free=True) == 0
