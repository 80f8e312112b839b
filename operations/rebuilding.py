"""The command that rebuilds all data that is derived from transcripts.

rebuild [--yes] [--without-model]

It prints the amount and the costs, asks, and shows the progress. An interrupted run is resumed.
"""

import sys
from dataclasses import dataclass, replace
from typing import Final

from rich.console import Console
from rich.progress import Progress as Bar

from shared.base.model_call import ModelCall
from shared.upkeep.jobs.rebuild import Rebuilder, RebuildModels, RebuildSize, rebuild, size_of
from shared.values.usage import cost_of

#: tokens of an entry with its header, and of a conversation's notes, as measured in a benchmark
ENTRY_TOKENS: Final = 45
NOTES_TOKENS: Final = 600
#: US dollars for a million document reads, and writes (cloud.google.com/firestore/pricing, a multi-region of the US,
#: read on 2026-11-24)
READS_PRICE: Final = 0.60
WRITES_PRICE: Final = 1.80
#: average entries of a segment
ENTRIES_IN_SEGMENT: Final = 8


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """Costs of rebuilding in US dollars. None if the price of a model is not known."""

    storing: float
    noting: float | None
    embedding: float | None

    @property
    def sentence(self) -> str:
        """The estimate as a sentence."""
        parts = [f"about ${self.storing:.2f} for Firestore"]
        for cost, what in ((self.noting, "for notes"), (self.embedding, "for vectors")):
            parts.append(f"${cost:.2f} {what}" if cost is not None else f"an unknown price {what}")
        return f"It costs {parts[0]}, {parts[1]} and {parts[2]}."


def estimate_of(size: RebuildSize, models: RebuildModels, rebuilder: Rebuilder) -> Estimate:
    reads, writes = size.entries + 3 * size.conversations, size.entries / ENTRIES_IN_SEGMENT + 3 * size.conversations
    storing = (reads * READS_PRICE + writes * WRITES_PRICE) / 1e6
    if not rebuilder.with_model:
        return Estimate(storing=storing, noting=0.0, embedding=0.0)
    read = size.entries * ENTRY_TOKENS
    noted = ModelCall(model=models.notes, prompt_tokens=read, output_tokens=size.conversations * NOTES_TOKENS)
    embedded = ModelCall(model=models.embedding.partition("/")[0], prompt_tokens=read)
    now = rebuilder.clock()
    return Estimate(
        storing=storing,
        noting=cost_of([noted], now) if models.notes else 0.0,
        embedding=cost_of([embedded], now) if models.embedding else 0.0,
    )


async def run(rebuilder: Rebuilder, models: RebuildModels, console: Console, *, is_agreed: bool) -> int:
    """Rebuild the data if the operator agrees; return the exit code. Raises a LullError."""
    cursor = await rebuilder.rebuilding.cursor()
    size = await size_of(rebuilder, cursor.beyond if cursor else "")
    if not size.conversations and cursor is None:
        console.print("There are no conversations.")
        return 0
    if cursor is not None:
        console.print(f"An earlier run stopped after {cursor.done:,} conversations; this run continues there.")
    rest = "" if cursor is None else " that are left"
    console.print(f"{size.conversations:,} conversations with {size.entries:,} entries{rest}.", markup=False)
    console.print(estimate_of(size, models, rebuilder).sentence, markup=False, soft_wrap=True)
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
        console.print("Scheduled jobs now make their notes and vectors, some every few minutes.")
    for conversation in outcome.left_out:
        console.print(f"{conversation} was skipped: it cannot be read, or its chat was in use.")
    return 1 if outcome.left_out else 0
