"""The command that rebuilds all data that is derived from transcripts.

rebuild [--yes] [--without-model]

It prints how many conversations there are and what the rebuild costs, asks for confirmation, and shows the progress. An
interrupted run is resumed.
"""

import sys
from dataclasses import replace

from rich.console import Console
from rich.progress import Progress as Bar

from shared.upkeep.jobs.rebuild import Rebuilder, RebuildModels, RebuildSize, rebuild, size_of
from shared.upkeep.rebuild_costs import rebuild_costs


async def run(rebuilder: Rebuilder, models: RebuildModels, console: Console, *, is_agreed: bool) -> int:
    """Rebuild the data if the operator agrees; return the exit code. Raises a LullError if the rebuild fails."""
    cursor = await rebuilder.rebuilding.cursor()
    size = await size_of(rebuilder.rebuilding, cursor.beyond if cursor else "", cursor.agents if cursor else ())
    if not size.conversations and cursor is None:
        console.print("There are no conversations.")
        return 0
    if cursor is not None:
        console.print(f"An earlier run stopped after {cursor.done:,} conversations; this run continues there.")
    rest = "" if cursor is None else " that are left"
    console.print(f"{size.conversations:,} conversations with {size.entries:,} entries{rest}.", markup=False)
    costs = rebuild_costs(size, models, rebuilder.clock(), with_model=rebuilder.with_model)
    console.print(costs.sentence, markup=False, soft_wrap=True)
    if not is_agreed and not _agrees(console):
        console.print("Nothing was changed.")
        return 1
    return await _rebuild_all(rebuilder, size, console)


def _agrees(console: Console) -> bool:
    if not sys.stdin.isatty():
        console.print("There is no terminal to ask for confirmation in; set YES=yes to rebuild without a question.")
        return False
    return console.input("Rebuild? [y/N] ").strip().lower() in {"y", "yes"}


async def _rebuild_all(rebuilder: Rebuilder, size: RebuildSize, console: Console) -> int:
    with Bar(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("rebuilding", total=size.conversations)
        outcome = await rebuild(replace(rebuilder, tell=lambda done: bar.update(task, completed=done)))
    console.print(f"{outcome.done:,} conversations rebuilt, with {outcome.segments:,} segments.", markup=False)
    if rebuilder.with_model:
        console.print("Scheduled jobs will make the notes and vectors of these conversations, batch by batch.")
    for conversation in outcome.left_out:
        console.print(f"{conversation} was skipped: it cannot be read, or its chat was in use.")
    return 1 if outcome.left_out else 0
