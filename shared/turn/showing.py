"""Showing: the files that an answer is about are fetched for the model, side by side and in bounded time."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from shared.logs import log
from shared.models.capabilities import capabilities_of
from shared.models.prepared import Prepared
from shared.models.showing import Limits
from shared.ports.media import MediaFiles
from shared.prompting.attaching import Visible, attached_of, visible_in
from shared.prompting.scene import Scene

#: all files of a plan together are waited for so long; the plan is made without those that are not there by then
LONGEST_S: Final = 10.0
#: for what is called off to end
_END_S: Final = 1.0


async def with_shown_files(
    scene: Scene, model: str, files: MediaFiles | None, limits: Limits, longest_s: float = LONGEST_S
) -> Scene:
    """The scene with the files that the model of that name is shown; as it was if there are none. It raises nothing."""
    takes = capabilities_of(model)
    wanted = visible_in(scene, takes, limits) if files is not None else ()
    if files is None or not wanted:
        return scene
    found = await _fetched(files, wanted, longest_s)
    return replace(scene, attached=attached_of(found, takes, sound_s=limits.sound_s))


async def _fetched(
    files: MediaFiles, wanted: Sequence[Visible], longest_s: float
) -> Sequence[tuple[Visible, Prepared]]:
    """What each of them was made into, in their order, of those that were there in time."""
    tasks = [asyncio.create_task(files.shown(one.ref)) for one in wanted]
    try:
        await asyncio.wait(tasks, timeout=longest_s)
        there = [(one, task.result()) for one, task in zip(wanted, tasks, strict=True) if _is_there(task)]
        return [(one, found) for one, found in there if found is not None]
    finally:
        await _ended([task for task in tasks if not task.done()])


async def _ended(late: Sequence[asyncio.Task[Prepared | None]]) -> None:
    if late:
        log("the plan is made without files that were not there in time", count=len(late))
        for task in late:
            task.cancel()
        await asyncio.wait(late, timeout=_END_S)


def _is_there(task: asyncio.Task[Prepared | None]) -> bool:
    """Whether a file came. A plan can do without it, so what went wrong is told by its kind alone."""
    if not task.done():
        return False
    failure = task.exception()
    if failure is not None:
        log(f"a file cannot be shown to the model ({type(failure).__name__})")
    return failure is None
