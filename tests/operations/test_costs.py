"""The table of docs/costs.md, and the numbers behind it."""

import re
from dataclasses import replace

import pytest

from infra.bundle import ROOT
from operations.costs import (
    BACKUPS,
    CANARY_S,
    COLUMNS,
    COMPRESSED_EVERY,
    COMPRESSION_OUT,
    GROUP,
    JUDGE_IN,
    JUDGED_EVERY,
    PRIVATE,
    READS_OF_A_SWEEP,
    TICK_START_S,
    TOKENS_OUT,
    WEBHOOK_START_S,
    Clock,
    _billed_seconds,
    archive,
    clock_of,
    month,
    remarks,
    storage_costs,
    table,
    usual_jobs,
)
from operations.prices import PRICES
from shared.chat.store.sweep import FirestoreSweep

CLOCK = Clock(jobs=3, runs_a_day=300, sweeps_a_day=288)


def test_the_table_of_the_page_is_what_the_formula_says() -> None:
    # `python -m operations.costs` prints it
    page = (ROOT / "docs" / "costs.md").read_text()
    assert table(clock_of(usual_jobs())) in page
    words = " ".join(page.split())
    assert [remark for remark in remarks() if remark not in words] == []


def test_no_message_costs_less_than_was_counted() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text()
    for name, used in (("private, answered", PRIVATE), ("group, unanswered", GROUP)):
        row = re.search(rf"^\| [\d-]+ \| {name} \|(.*)\|$", page, re.MULTILINE)
        assert row
        reads, writes, tasks = (float(re.findall(r"[\d.]+", cell)[0]) for cell in row[1].split("|")[:3])
        assert used["read"] >= reads
        assert used["write"] >= writes
        assert used["task"] >= 2 * tasks  # two operations for each task: creation and delivery


def test_nothing_is_paid_for_that_is_in_no_column() -> None:
    assert sorted(name for names in COLUMNS.values() for name in names) == sorted(PRICES)


def test_beyond_the_starts_that_a_month_can_have_each_message_costs_the_same() -> None:
    ten, twenty, thirty = (month(n, 1.0, CLOCK).cost() for n in (10_000, 20_000, 30_000))
    assert thirty - twenty == pytest.approx(twenty - ten)


def test_who_writes_rarely_pays_a_start_for_each_message() -> None:
    idle = month(0, 1.0, CLOCK).cost("vcpu_s")
    few, many = ((month(n, 1.0, CLOCK).cost("vcpu_s") - idle) / n for n in (1_000, 100_000))
    starts = (WEBHOOK_START_S + TICK_START_S) * PRICES["vcpu_s"]
    assert few - many == pytest.approx(starts, rel=0.1)


def test_time_is_paid_in_whole_pieces_of_a_tenth_of_a_second() -> None:
    assert [_billed_seconds(s) for s in (0.0, 0.01, 0.1, 0.12, 8.0)] == pytest.approx([0.0, 0.1, 0.1, 0.2, 8.0])


def test_summaries_the_judge_and_canaries_are_counted() -> None:
    private, group = month(4_000, 1.0, CLOCK).used, month(4_000, 0.0, CLOCK).used
    assert private["token_out"] == 4_000 * TOKENS_OUT + 4_000 / COMPRESSED_EVERY * COMPRESSION_OUT
    assert (private["judge_in"], group["token_in"]) == (0, 0)
    assert group["judge_in"] == 4_000 / JUDGED_EVERY * JUDGE_IN
    watched = month(0, 1.0, Clock(jobs=3, runs_a_day=300, sweeps_a_day=288, canaries_a_day=4)).used
    assert watched["vcpu_s"] - month(0, 1.0, CLOCK).used["vcpu_s"] == pytest.approx(4 * 30 * CANARY_S)
    # a negligible sum
    assert 4 * 30 * CANARY_S * PRICES["vcpu_s"] < 0.1


def test_an_archive_elsewhere_pays_for_what_is_sent() -> None:
    one, twelve = (archive(100_000, number, 100, elsewhere=True) for number in (1, 12))
    assert twelve > 10 * one


def test_the_jobs_runs_are_counted() -> None:
    found = clock_of(usual_jobs())
    assert found.sweeps_a_day == 288
    # the registration and the canaries
    assert found.runs_a_day == 288 + 1 + 4
    assert found.jobs == 3


def test_the_backups_are_those_of_the_default() -> None:
    default = (ROOT / "infra" / "variables-data.tf").read_text()
    found = re.search(r"daily_days = optional\(number, (\d+)\), weekly_days = optional\(number, (\d+)\)", default)
    assert found
    assert int(found[1]) + int(found[2]) // 7 == BACKUPS


def test_what_is_kept_costs_again_in_each_month() -> None:
    assert storage_costs(200) == {name: pytest.approx(2 * dollars) for name, dollars in storage_costs(100).items()}
    assert storage_costs(100)["themselves"] == month(100, 1.0, CLOCK).cost("gib_kept")


def test_an_archive_that_writes_everything_each_night_grows_with_the_square_of_time() -> None:
    idle = archive(0, 1, 0)
    one, two = (archive(10_000_000, number, 0) - idle for number in (100, 200))
    assert 2 < two / one < 4  # the rest of the time: its reads and its files
    assert idle == PRICES["schedule"]


def test_a_month_without_messages_costs_nothing() -> None:
    assert month(0, 1.0, clock_of(usual_jobs())).cost(free=True) == 0


def test_a_job_beyond_those_that_are_free_costs_though_nobody_writes() -> None:
    usual = clock_of(usual_jobs())
    one_more = replace(usual, jobs=usual.jobs + 1, runs_a_day=usual.runs_a_day + 288)
    assert month(0, 1.0, one_more).cost(free=True) == pytest.approx(PRICES["schedule"])


def test_a_sweep_reads_its_cursors_and_looks_for_each_kind_of_left_over() -> None:
    others = {"cursors", "keep_cursors", "due", "embedded_by_another"}
    kinds = {name for name in vars(FirestoreSweep) if not name.startswith("_")} - others
    # the search for quiet conversations is two queries, and loans are in the budget's document
    assert 1 + len(kinds) + 1 + 1 == READS_OF_A_SWEEP
