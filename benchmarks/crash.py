"""Crashes: while stories are played, lull's functions are killed before and after every request that they make.

    python -m benchmarks crash                   counts, as JSON
    python -m benchmarks.crash --table           the outcomes as a markdown table, before the counts
    python -m benchmarks.crash --story wait      only one story

Nobody intervenes afterwards: Telegram repeats the update, Cloud Tasks the task, and Cloud Scheduler the job. Leases
expire by themselves.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from benchmarks.outages.running import running
from benchmarks.relay.ledger import Moment
from local.cloud import CloudSpec
from tests.conftest import SOON
from tests.crash.lanes import SERVERS, open_lanes
from tests.crash.playing import Outcome, playhouse
from tests.crash.rounds import STORIES, Troupe, points_of

#: number of plays that run at the same time. Two cores can run this many, since a play mostly waits
LANES = 5
#: descriptions of a good outcome, for stories that are not about answers
CAME_OF = {"archive": "archived whole", "notes": "noted once", "summary": "summarised once", "export": "sent once"}
TOLD_EVERY = 20


async def measure() -> dict[str, Any]:
    """Return how many kill points there were, how many updates or answers were lost, doubled or left unknown, and how
    many chats were stuck.
    """
    return figures(await every_point(tuple(STORIES)))


async def every_point(stories: Sequence[str]) -> list[Outcome]:
    """Play the stories once for each kill point, and return the outcomes. Progress and faults are printed to stderr."""
    console = Console(stderr=True, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with tempfile.TemporaryDirectory() as folder, Progress(*columns, console=console) as progress:
        bar = progress.add_task("starting", total=2 * len(stories))

        def report(outcome: Outcome) -> None:
            progress.advance(bar)
            done = progress.tasks[bar].completed
            if not console.is_terminal and done % TOLD_EVERY == 0:  # where no bar can be drawn
                console.print(f"{done:.0f} of {progress.tasks[bar].total:.0f}")
            for line in in_words(outcome):
                console.print(line, markup=False)

        spec = CloudSpec(parts=SERVERS, arguments={"telegram": SOON})
        async with (
            running(spec) as cloud,
            open_lanes(cloud, [f"lane{number}" for number in range(LANES)], Path(folder)) as lanes,
            playhouse(cloud) as house,
        ):
            troupe = Troupe(house, lanes, report)
            progress.update(bar, description="undisturbed")
            await troupe.undisturbed(stories)  # warms everything up, so that requests come in their usual order
            points = points_of(await troupe.undisturbed(stories))
            progress.reset(bar, description="killing", total=len(points))
            return await troupe.struck_everywhere(points)


def in_words(outcome: Outcome) -> list[str]:
    """Return the faults of an outcome, with the requests and the log for finding the causes. Empty if there is no
    fault.
    """
    faults = (*outcome.verdict.faults, *([] if outcome.is_explained else ["a delivery is unknown without need"]))
    if not faults:
        return []
    requests = [f"  {r.number} {r.step.maker}: {r.step.what}" for r in outcome.requests]
    return [f"{outcome.point}: {'; '.join(faults)}", *requests, outcome.log]


def figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return the counts in total and by story.

    `missed`: plays in which the request of the kill point was never made; they are judged anyway. `late`: messages that
    arrived late and got a separate answer. `unexplained`: plays with unknown deliveries that the kill does not explain.
    """
    by_story = {story: [o for o in outcomes if o.story == story] for story in STORIES}
    return {
        **_counts(outcomes),
        "stories": {story: _counts(found) for story, found in by_story.items() if found},
    }


def _counts(outcomes: Sequence[Outcome]) -> dict[str, int]:
    verdicts = [outcome.verdict for outcome in outcomes]
    return {
        "points": sum(outcome.struck is not None for outcome in outcomes),
        "lost": sum(len(verdict.lost) for verdict in verdicts),
        "doubled": sum(len(verdict.doubled) for verdict in verdicts),
        "unknown": sum(verdict.unknown for verdict in verdicts),
        "unexplained": sum(not outcome.is_explained for outcome in outcomes),
        "stuck": sum(bool(verdict.stuck) for verdict in verdicts),
        "missed": sum(outcome.struck is None for outcome in outcomes),
        "late": sum(verdict.late for verdict in verdicts),
    }


def table(outcomes: Sequence[Outcome]) -> str:
    """Return a markdown table of the outcomes for each kind of request, roughly in the order in which requests are
    made.
    """
    rows: dict[tuple[str, ...], list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.struck is not None:
            rows.setdefault((outcome.struck.step.maker, *_place(outcome)), []).append(outcome)
    order = sorted(rows, key=lambda row: (row[0] != "webhook", row[2], mean(_number(one) for one in rows[row])))
    head = ["| function | request | | killed before it | killed after it |", "| --- | --- | --- | --- | --- |"]
    return "\n".join(
        [*head, *(f"| {' | '.join([*row, *(_cell(rows[row], moment) for moment in Moment)])} |" for row in order)]
    )


def _number(outcome: Outcome) -> int:
    return outcome.struck.number if outcome.struck else 0


def _place(outcome: Outcome) -> tuple[str, str]:
    """Return the kind of request at which the function was killed, and `after a sendMessage` if a message had been sent
    before (else "").
    """
    assert outcome.struck is not None
    before = outcome.requests[: outcome.struck.number - 1]
    return outcome.struck.step.what, "after a sendMessage" if any("sendMessage" in r.step.what for r in before) else ""


def came_of(outcome: Outcome) -> str:
    """Return the outcome of one kill in a few words."""
    verdict = outcome.verdict
    if verdict.faults:
        return f"**{'; '.join(verdict.faults)}**"
    if not verdict.unknown:
        return CAME_OF.get(outcome.story, "answered once")
    return "unknown: 1, had arrived" if verdict.arrived else "unknown: 1, never left"


def _cell(outcomes: Sequence[Outcome], moment: Moment) -> str:
    counts = Counter(came_of(outcome) for outcome in outcomes if outcome.point and outcome.point.moment is moment)
    return ", ".join(f"{what} ×{count}" for what, count in counts.most_common()) or "–"


def main() -> None:
    """Run the measure and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.crash", description="Kill lull at every step.")
    parser.add_argument("--table", action="store_true", help="print a table of markdown before the counts")
    parser.add_argument("--story", action="append", choices=tuple(STORIES), help="this story alone; may be repeated")
    asked = parser.parse_args()
    outcomes = asyncio.run(every_point(asked.story or tuple(STORIES)))
    if asked.table:
        print(table(outcomes), end="\n\n")
    print(json.dumps(figures(outcomes)))
    sys.exit(any(outcome.verdict.faults for outcome in outcomes))


if __name__ == "__main__":
    main()
