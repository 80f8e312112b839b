"""The state of the model behind the API, which the page and the terminal show."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

#: seconds over which a download's speed is averaged
SPEED_WINDOW_S = 5.0


class ModelState(StrEnum):
    """The state of a model. If it is `failed`, the report's `error` says why."""

    READY = "ready"
    DOWNLOADING = "downloading"
    STARTING = "starting"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class ReadingReport:
    """The progress of a model that reads instructions, either ahead of calls or for a call that waits. `names` are the
    agents whose instructions are not read yet.
    """

    names: list[str]
    done_tokens: int
    total_tokens: int


@dataclass(frozen=True, kw_only=True)
class ModelReport:
    """The state of the model. `note` says what the model cannot do. `done_bytes` and `total_bytes` are about the
    download of the model's file.

    `reading` is set while the model reads instructions before any call needs them. `caution` warns of a problem that a
    model can have although it is ready.
    """

    state: ModelState
    name: str
    note: str = ""
    done_bytes: int = 0
    total_bytes: int = 0
    speed_bps: float = 0.0
    error: str = ""
    caution: str = ""
    #: sentences on why this model was chosen
    reason: str = ""
    reading: ReadingReport | None = None
    #: progress of reading the instructions that a call waits for; None if no call waits
    answering: ReadingReport | None = None
    #: state of the embedding model, if that is a separate model
    vectors: "ModelReport | None" = None

    def as_json(self) -> dict[str, Any]:
        """Return the report as a JSON object, for the response of `GET /model`."""
        return asdict(self)


class Progress:
    """Progress and speed of a download."""

    def __init__(self, total_bytes: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Start at 0 bytes. `clock` returns seconds."""
        self.total_bytes = total_bytes
        self.done_bytes = 0
        self._clock = clock
        self._samples: deque[tuple[float, int]] = deque()

    def restart(self, total_bytes: int) -> None:
        """Begin another download. Use 0 bytes if there is nothing to download."""
        self.total_bytes, self.done_bytes = total_bytes, 0
        self._samples.clear()

    def reached(self, done_bytes: int) -> None:
        """Record that `done_bytes` bytes have been downloaded so far."""
        now = self._clock()
        self.done_bytes = done_bytes
        self._samples.append((now, done_bytes))
        while now - self._samples[0][0] > SPEED_WINDOW_S:
            self._samples.popleft()

    def speed_bps(self) -> float:
        """Return the average speed of the last seconds, in bytes per second; 0 if nothing arrived."""
        if not self._samples:
            return 0.0
        since, had = self._samples[0]
        passed = self._clock() - since
        return max(0.0, (self.done_bytes - had) / passed) if passed > 0 else 0.0
