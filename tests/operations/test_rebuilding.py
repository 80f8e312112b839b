"""The estimate of a rebuild, and the question before it."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from io import StringIO
from typing import Any

from rich.console import Console

from operations import rebuilding
from shared.recall.store.rebuilding import ConversationSize, FirestoreRebuilding, RebuildCursor
from shared.upkeep.jobs.rebuild import Rebuilder, RebuildModels, RebuildSize
from shared.upkeep.rebuild_costs import rebuild_costs
from shared.wiring.settings.model_functions import LITE
from tests.shared.examples import NOW


@dataclass
class Kept(FirestoreRebuilding):
    """Conversations, and the cursor of an earlier run."""

    outlined: tuple[ConversationSize, ...] = ()
    beyond: RebuildCursor | None = None

    async def outline(self, beyond: str) -> AsyncIterator[ConversationSize]:
        for one in self.outlined:
            if one.conversation > beyond:
                yield one

    async def cursor(self) -> RebuildCursor | None:
        return self.beyond


def rebuilder(kept: Kept, *, with_model: bool = True) -> Rebuilder:
    nothing: Any = None
    return Rebuilder(
        rebuilding=kept, transcripts=nothing, chats=nothing, window_entries=9, clock=lambda: NOW, with_model=with_model
    )


def test_what_a_model_makes_costs_most() -> None:
    size, models = RebuildSize(conversations=100, entries=10_000, turns=5_000), RebuildModels(notes=LITE, embedding="x")
    found = rebuild_costs(size, models, NOW, with_model=True)
    assert found.noting is not None
    assert found.noting > found.storing > 0
    assert found.embedding is None
    assert "an unknown price for vectors" in found.sentence
    free = rebuild_costs(size, models, NOW, with_model=False)
    assert (free.noting, free.embedding) == (0.0, 0.0)


async def said(kept: Kept) -> tuple[int, str]:
    console = Console(file=StringIO(), width=200)
    code = await rebuilding.run(rebuilder(kept), RebuildModels(), console, is_agreed=False)
    return code, console.file.getvalue()  # type: ignore[attr-defined]  # it is the StringIO


async def test_nothing_is_changed_unless_somebody_agrees() -> None:
    code, told = await said(Kept((ConversationSize(conversation="conv-1", chat="c", entries=7, turns=3),)))
    assert code == 1
    assert "1 conversations with 7 entries." in told
    assert "YES=yes" in told


async def test_a_run_that_was_cut_off_is_told_and_goes_on() -> None:
    two = tuple(ConversationSize(conversation=f"conv-{n}", chat="c", entries=7, turns=3) for n in (1, 2))
    _, told = await said(Kept(two, RebuildCursor(started_at=NOW, beyond="conv-1", done=1)))
    assert "stopped after 1 conversations" in told
    assert "1 conversations with 7 entries that are left." in told


async def test_where_nothing_is_there_is_nothing_to_do() -> None:
    assert await said(Kept()) == (0, "There are no conversations.\n")
