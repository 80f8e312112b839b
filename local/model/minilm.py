"""The small embedding model: its files are downloaded in the background, and it is loaded at the first use."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from local.model.calls import ApiError, Fault
from local.model.encoder import Encoder
from local.model.minilm_files import MINILM, TOKENIZER, Files, GetFiles
from local.model.model_file import ModelFileError
from local.model.state import ModelReport, ModelState, Progress

P = TypeVar("P")
T = TypeVar("T")

log = logging.getLogger(__name__)

NAME = "all-minilm-l6-v2"
#: texts of one batch: more are no faster, and a query would wait for the batch to end
TOGETHER = 4
#: seconds that a call waits for the model before it gets an error with the progress
PATIENCE_S = 15.0
#: seconds for a response if the caller sets no limit
LIMIT_S = 600.0


class MiniLm:
    """The embedding model all-MiniLM-L6-v2, which runs in this process."""

    name = NAME

    def __init__(self, get_files: GetFiles, *, is_ahead: bool = False, patience_s: float = PATIENCE_S) -> None:
        """Prepare the model. `is_ahead`: its files are downloaded at the start; otherwise at the first use."""
        self._get_files, self._is_ahead, self._patience_s = get_files, is_ahead, patience_s
        self._progress = Progress(MINILM.size)
        self._state, self._error = ModelState.STARTING, ""
        self._loading: asyncio.Task[Encoder] | None = None
        self._fetching: asyncio.Task[None] | None = None
        # calls run one after the other: several threads would need several times the memory
        self._thread = ThreadPoolExecutor(1, NAME)

    async def start(self) -> None:
        """Begin to download the files, unless they are to be downloaded at the first use (without `is_ahead`)."""
        if self._is_ahead:
            self._fetching = asyncio.create_task(self._fetch_only())

    async def stop(self) -> None:
        """Cancel the download and the loading of the model, if they are running, and release the model's thread."""
        tasks = {task for task in (self._fetching, self._loading) if task}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._thread.shutdown(wait=False, cancel_futures=True)

    def report(self) -> ModelReport:
        """Return the state of the model's files."""
        is_coming = self._state is ModelState.STARTING and TOKENIZER.size < self._progress.done_bytes < MINILM.size
        return ModelReport(
            state=ModelState.DOWNLOADING if is_coming else self._state,
            name=NAME,
            done_bytes=self._progress.done_bytes,
            total_bytes=self._progress.total_bytes,
            speed_bps=self._progress.speed_bps() if is_coming else 0.0,
            error=self._error,
        )

    async def embed(self, texts: Sequence[str], limit_s: float | None) -> Sequence[Sequence[float]]:
        """Return a unit vector (norm 1) for each text, in order. Raises ApiError if the model is not available, or if
        it does not finish within `limit_s` seconds (None: LIMIT_S).
        """
        limit_s = limit_s or LIMIT_S
        encoder = await self._ready(min(self._patience_s, limit_s * 0.9))
        found: dict[int, list[float]] = {}
        # texts of similar length are batched together: a short text takes as much time as the longest in its batch
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        try:
            async with asyncio.timeout(limit_s):
                for first in range(0, len(order), TOGETHER):
                    places = order[first : first + TOGETHER]
                    vectors = await self._in_its_thread(encoder.vectors, [texts[place] for place in places])
                    found.update(zip(places, vectors, strict=True))
        except TimeoutError as cause:
            why = f"{NAME} did not finish within {limit_s:g} s. Allow more time, or send fewer texts."
            raise ApiError(Fault.DEADLINE_EXCEEDED, why) from cause
        return [found[place] for place in range(len(texts))]

    async def _ready(self, patience_s: float) -> Encoder:
        """Return the model after waiting for it up to `patience_s`. Raises ApiError: 503 if it is not ready by then,
        404 if it could not be downloaded or loaded.
        """
        if self._loading is None:
            self._loading = asyncio.create_task(self._load())
        try:
            return await asyncio.wait_for(asyncio.shield(self._loading), patience_s)
        except TimeoutError as cause:
            done, total = self._progress.done_bytes / 1e6, MINILM.size / 1e6
            why = f"{NAME} is being downloaded: {done:.0f} of {total:.0f} MB. Try again later."
            raise ApiError(Fault.UNAVAILABLE, why) from cause
        except ModelFileError as cause:
            raise ApiError(Fault.NOT_FOUND, f"There is no {NAME} here. {cause}") from cause

    async def _in_its_thread(self, do: Callable[[P], T], given: P) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, do, given)

    async def _fetch_only(self) -> None:
        try:
            await self._fetch()
        except ModelFileError:
            return  # the error is in the report, and callers receive it

    async def _load(self) -> Encoder:
        if self._fetching:
            await asyncio.wait({self._fetching})
        files = await self._fetch()
        try:
            return await self._in_its_thread(Encoder, files)
        except Exception as cause:  # ONNX Runtime's errors have no common base class
            self._state, self._error = ModelState.FAILED, f"It cannot be loaded ({type(cause).__name__})."
            raise ModelFileError(self._error) from cause

    async def _fetch(self) -> Files:
        if self._error:
            raise ModelFileError(self._error)
        try:
            files = await self._get_files(self._progress)
        except ModelFileError as cause:
            self._state, self._error = ModelState.FAILED, str(cause)
            log.warning("%s", cause)
            raise
        self._state = ModelState.READY
        return files
