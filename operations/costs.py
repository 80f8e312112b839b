"""Computes what a month of lull costs: measured numbers (docs/benchmarks.md) times prices.

`python -m operations.costs` prints the table of docs/costs.md and the costs that are not in it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from infra.bundle import function_names
from infra.schedules import SCHEDULES, ScheduleEntry, read_jobs
from operations.costs_of_media import DAYS_STORED, media, showing_costs
from operations.prices import CONDITION_PRICES, FREE, MORE_PRICES, PRICES
from shared.values.usage import SEARCH_PRICE

#: counted by `make bench NAME=ops`
PRIVATE = {"read": 9.75, "write": 11.2, "task": 2.1, "request": 2.1}
GROUP = {"read": 2.2, "write": 2.34, "task": 0.14, "request": 1.06}
DAYS = 30
SECRETS = 3.0
#: Reads of a sweep that finds nothing: its cursors, one read for each of eight empty queries, and lent budgets. 288
#: sweeps a day are 2,880 reads.
READS_OF_A_SWEEP = 10.0
#: jobs that are off by default, and so not in the table
OPTIONAL_JOBS = {"archive"}
#: From infra/modules/observability: alert policies, those with metrics, and their evaluations a day. Each query returns
#: one series.
POLICIES, ON_METRICS, EVALUATIONS_A_DAY = 7, 6, 24 * 60
#: full copies of the database that are kept as backups (infra/variables-data.tf): 7 daily, 8 weekly
BACKUPS = 15
#: Assumed: seconds of an instance for the webhook, for a tick (which mostly waits for the model and does not share its
#: instance), and for a scheduled call; GiB of the webhook and of a tick.
WEBHOOK_S, TICK_S, IDLE_S = 0.12, 8.0, 0.5
WEBHOOK_GIB, TICK_GIB = 0.5, 1.0
#: Cloud Run bills time in units of this length (cloud.google.com/run/pricing).
PIECE_S = 0.1
#: Assumed: idle minutes after which an instance is stopped, which limits the number of starts; seconds of a start of
#: the webhook and of the tick (`make bench NAME=coldstart`, doubled).
IDLE_MINUTES, WEBHOOK_START_S, TICK_START_S = 15, 2.5, 4.0
#: seconds of all functions for one canary: each function starts, and maintain waits for the others
CANARY_S = 20.0
#: Assumed: answers for each summary of a conversation's older part, and its tokens; group messages for each decision by
#: the judge, where an agent has one, and its tokens.
COMPRESSED_EVERY, COMPRESSION_IN, COMPRESSION_OUT = 40, 8_000, 600
JUDGED_EVERY, JUDGE_IN, JUDGE_OUT = 5, 700, 5
#: Assumed for a message, answered or not: tokens of text that vectors are made of, including notes.
EMBEDDED = 80
#: Assumed: answers, and messages of a group, between notes on a conversation, and their tokens; messages of a chat in a
#: month, and the tokens of its ten summaries of 7 days and two of 30.
NOTED_EVERY, GROUP_NOTED_EVERY, NOTES_IN, NOTES_OUT = 10, 60, 2_500, 500
CHAT_MESSAGES, SUMMARIES_IN, SUMMARIES_OUT = 1_000, 12 * 10_000, 10 * 1_024 + 2 * 4_096
#: Assumed for a message: bytes that are stored, and bytes that are logged.
BYTES_KEPT, BYTES_LOGGED = 4_000, 2_000
#: Assumed for a page: seconds of the reader, half of them its start; its GiB (infra/functions.yaml); and tokens, which
#: the model reads in a second call with the same prompt.
PAGE_S, READER_GIB, PAGE_TOKENS = 4.0, 2.0, 4_000
#: Assumed for an archive: bytes of a message, and messages in one document.
BYTES_ARCHIVED, MESSAGES_A_PAGE = 1_000, 2
#: Assumed for a prompt and its reply: tokens, and the share of the prompt that is cached.
TOKENS_IN, TOKENS_OUT, CACHED = 6_000, 350, 0.5


@dataclass(frozen=True)
class Month:
    """The amounts that lull uses in a month, such as reads and tokens. `used` has the same keys as PRICES."""

    used: Mapping[str, float]

    def cost(self, *names: str, free: bool = False) -> float:
        """Return the costs in US dollars of the amounts in `names`, or of all amounts if no names are given. With
        `free`, the amounts that Google gives for free are subtracted first.
        """
        return sum(
            PRICES[name] * max(0.0, self.used[name] - (FREE.get(name, 0.0) if free else 0.0))
            for name in names or self.used
        )


@dataclass(frozen=True)
class Clock:
    """The work that Cloud Scheduler starts: the number of scheduled jobs, all their runs in a day, and among these the
    runs of the jobs `sweep` and `canary`.
    """

    jobs: int
    runs_a_day: int
    sweeps_a_day: int
    canaries_a_day: int = 0


def usual_jobs() -> list[ScheduleEntry]:
    """Return the scheduled jobs that are on by default."""
    return [job for job in read_jobs(SCHEDULES, function_names()) if job.name not in OPTIONAL_JOBS]


def clock_of(jobs: Sequence[ScheduleEntry]) -> Clock:
    runs = {job.name: _runs_in_a_day(job) for job in jobs}
    return Clock(len(jobs), sum(runs.values()), runs["sweep"], runs.get("canary", 0))


def _runs_in_a_day(job: ScheduleEntry) -> int:
    moment = begin = datetime(2026, 1, 1, tzinfo=UTC) - timedelta(seconds=1)
    runs = 0
    while (moment := job.next_after(moment)) <= begin + timedelta(days=1):
        runs += 1
    return runs


def month(messages: int, private_share: float, clock: Clock) -> Month:
    """Return the amounts that lull uses in a month with `messages` messages.

    `private_share` is the share of the messages (0 to 1) that are in private chats. Each of them is answered. The
    others are group messages that need no answer.
    """
    answered, chatter = messages * private_share, messages * (1 - private_share)
    by_clock = {"read": clock.sweeps_a_day * READS_OF_A_SWEEP * DAYS, "request": float(clock.runs_a_day * DAYS)}
    counted = {name: answered * PRIVATE[name] + chatter * GROUP[name] + by_clock.get(name, 0.0) for name in PRIVATE}
    starts = min(messages, DAYS * 24 * 60 / IDLE_MINUTES)
    webhook_s = (
        messages * _billed_seconds(WEBHOOK_S) + by_clock["request"] * _billed_seconds(IDLE_S) + starts * WEBHOOK_START_S
    )
    webhook_s += clock.canaries_a_day * DAYS * CANARY_S
    tick_s = answered * _billed_seconds(TICK_S) + min(answered, starts) * TICK_START_S
    summaries, judged = answered / COMPRESSED_EVERY, chatter / JUDGED_EVERY
    noted, chats = answered / NOTED_EVERY + chatter / GROUP_NOTED_EVERY, messages / CHAT_MESSAGES
    return Month(
        {
            **counted,
            "vcpu_s": webhook_s + tick_s,
            "gib_s": webhook_s * WEBHOOK_GIB + tick_s * TICK_GIB,
            "delete": float(messages),  # expired inbox documents
            "gib_kept": messages * BYTES_KEPT / 2**30,
            "gib_logged": messages * BYTES_LOGGED / 2**30,
            "schedule": float(clock.jobs),
            "secret": SECRETS,
            "token_in": answered * TOKENS_IN * (1 - CACHED) + summaries * COMPRESSION_IN,
            "token_cached": answered * TOKENS_IN * CACHED,
            "token_out": answered * TOKENS_OUT + summaries * COMPRESSION_OUT,
            "judge_in": judged * JUDGE_IN,
            "judge_out": judged * JUDGE_OUT,
            "embedded": float(messages * EMBEDDED),
            "notes_in": noted * NOTES_IN + chats * SUMMARIES_IN,
            "notes_out": noted * NOTES_OUT + chats * SUMMARIES_OUT,
        }
    )


def _billed_seconds(seconds: float) -> float:
    """Return the seconds that Cloud Run bills for a request: the duration, rounded up to a multiple of PIECE_S."""
    return math.ceil(round(seconds / PIECE_S, 6)) * PIECE_S


COLUMNS: Mapping[str, tuple[str, ...]] = {
    "Cloud Run": ("request", "vcpu_s", "gib_s"),
    "Firestore": ("read", "write", "delete", "gib_kept"),
    "Cloud Tasks": ("task",),
    "the rest": ("schedule", "secret", "gib_logged"),
    "Gemini": (
        *("token_in", "token_cached", "token_out", "judge_in", "judge_out"),
        *("embedded", "notes_in", "notes_out"),
    ),
}


def table(clock: Clock) -> str:
    """Return the table of docs/costs.md as markdown."""
    cases = (("nothing", 0, 1.0), *(_cases(1_000)), *(_cases(100_000)))
    lines = [_line(["messages a month", *COLUMNS, "together", "after what is free"])]
    lines.append(_line(["---", *("---:" for _ in range(len(COLUMNS) + 2))]))
    for name, messages, share in cases:
        found = month(messages, share, clock)
        cells = [found.cost(*names) for names in COLUMNS.values()]
        lines.append(_line([name, *(f"{cell:.2f}" for cell in (*cells, found.cost(), found.cost(free=True)))]))
    return "\n".join(lines)


def _cases(messages: int) -> Sequence[tuple[str, int, float]]:
    return (
        (f"{messages:,} in private chats", messages, 1.0),
        (f"{messages:,}, one in ten answered", messages, 0.1),
    )


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def storage_costs(messages: int) -> dict[str, float]:
    """Return the monthly costs in US dollars of storing `messages` messages, with point-in-time recovery and
    backups.
    """
    gib = messages * BYTES_KEPT / 2**30
    prices = (PRICES["gib_kept"], MORE_PRICES["gib_recoverable"], BACKUPS * MORE_PRICES["gib_backed_up"])
    return dict(zip(("themselves", "recovery", "backups"), (gib * price for price in prices), strict=True))


def archive(messages: int, month_number: int, conversations: int, *, elsewhere: bool = False) -> float:
    """Return an upper limit of an archive's costs in US dollars in month `month_number` of the archive (1 is the
    first).

    The estimate assumes that every conversation gets messages each day and never ends. So every night each conversation
    is read and written as a whole, and every version is stored.

    `elsewhere`: the archive is in another cloud. The costs then include the transfer, but not the storage there.
    """
    days, a_day = month_number * DAYS, messages / DAYS
    gib = a_day * BYTES_ARCHIVED * days * (days + 1) / 2 / 2**30
    reads = DAYS * messages * month_number / MESSAGES_A_PAGE
    files = DAYS * conversations * MORE_PRICES["file"]
    if elsewhere:
        sent = DAYS * a_day * BYTES_ARCHIVED * (days - DAYS / 2) / 2**30
        return sent * MORE_PRICES["gib_sent"] + reads * PRICES["read"] + PRICES["schedule"]
    return gib * MORE_PRICES["gib_stored"] + reads * PRICES["read"] + files + PRICES["schedule"]


def pages(count: int) -> dict[str, float]:
    """Return the costs in US dollars of reading `count` web pages.

    `reader` is the cost of the function `reader`. `model` is the cost of one more call of the planning model per page.
    """
    a_second = PRICES["vcpu_s"] + READER_GIB * PRICES["gib_s"]
    once_more = TOKENS_IN * (CACHED * PRICES["token_cached"] + (1 - CACHED) * PRICES["token_in"])
    return {
        "reader": count * PAGE_S * a_second,
        "model": count * (once_more + PAGE_TOKENS * PRICES["token_in"]),
    }


def alerting(condition: float) -> float:
    """Return the monthly costs in US dollars of alerts on metrics. `condition` is the monthly price of one alert
    condition.
    """
    return ON_METRICS * (condition + EVALUATIONS_A_DAY * DAYS * MORE_PRICES["series"])


def remarks() -> tuple[str, ...]:
    """Return the sentences of docs/costs.md about costs that are not in the table."""
    later = storage_costs(100_000)
    archives = [archive(100_000, number, 100) for number in (1, 12, 24)]
    sent = [archive(100_000, number, 100, elsewhere=True) for number in (1, 12, 24)]
    now, once = (alerting(price) for price in CONDITION_PRICES)
    read, photos = pages(1_000), media(1_000)
    return (
        f"1,000 described photos: ${photos['model']:.2f} for the model, ${photos['functions']:.2f} for the functions, "
        f"${photos['records']:.2f} for Firestore and Cloud Tasks, ${photos['bucket']:.2f} for {DAYS_STORED} days in "
        "the bucket",
        f"1,000 photos shown to the planning model: ${showing_costs(1_000):.2f}",
        f"1,000 pages: ${read['reader']:.2f} for the reader and ${read['model']:.2f} for the model",
        f"1,000 searches: ${1_000 * SEARCH_PRICE:.2f}",
        f"100,000 stored messages: ${sum(later.values()):.2f} in each later month: ${later['themselves']:.2f} for "
        f"storage, ${later['recovery']:.2f} for point-in-time recovery, ${later['backups']:.2f} for {BACKUPS} backups",
        f"100,000 messages a month in 100 conversations that all continue every day: ${archives[0]:.2f} in the first "
        f"month, ${archives[1]:.2f} in the twelfth, ${archives[2]:.2f} in the twenty-fourth",
        f"A copy in another cloud: ${sent[0]:.2f}, ${sent[1]:.2f} and ${sent[2]:.2f} for reading and sending",
        f"{POLICIES} alert policies with one condition each, {ON_METRICS} of which query metrics each minute",
        f"${now:.2f} a month at ${CONDITION_PRICES[0]:.2f} for a condition, "
        f"or ${once:.2f} at ${CONDITION_PRICES[1]:.2f}",
    )


if __name__ == "__main__":
    print(table(clock_of(usual_jobs())), *remarks(), sep="\n")
