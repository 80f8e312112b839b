"""How far the model behind the API is: what the page and the terminal show while it comes."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

#: seconds over which the speed of a download is averaged
SPEED_WINDOW_S = 5.0


class ModelState(StrEnum):
    """`failed` says why in the report's `error`."""

    READY = "ready"
    DOWNLOADING = "downloading"
    STARTING = "starting"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class ReadingReport:
    """How far the reading is of what people will meet first; `names` are those whose instructions are not read yet."""

    names: list[str]
    done_tokens: int
    total_tokens: int


@dataclass(frozen=True, kw_only=True)
class ModelReport:
    """The state of the model; `note` says what it cannot do, bytes are of the model's file.

    `reading` is there while the model reads ahead, `caution` what will not go well with it though it is ready.
    """

    state: ModelState
    name: str
    note: str = ""
    done_bytes: int = 0
    total_bytes: int = 0
    speed_bps: float = 0.0
    error: str = ""
    caution: str = ""
    reading: ReadingReport | None = None
    #: how far the instructions are read that an answer waits for; None if none does
    answering: ReadingReport | None = None
    #: what makes vectors beside it, if that is something else
    vectors: "ModelReport | None" = None

    def as_json(self) -> dict[str, Any]:
        """The report as `GET /model` gives it; the speed is in bytes per second."""
        return asdict(self)


class Progress:
    """How many bytes of a download are here, and how fast they come."""

    def __init__(self, total_bytes: int, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` counts seconds."""
        self.total_bytes = total_bytes
        self.done_bytes = 0
        self._clock = clock
        self._samples: deque[tuple[float, int]] = deque()

    def reached(self, done_bytes: int) -> None:
        """So many bytes are here now."""
        now = self._clock()
        self.done_bytes = done_bytes
        self._samples.append((now, done_bytes))
        while now - self._samples[0][0] > SPEED_WINDOW_S:
            self._samples.popleft()

    def speed_bps(self) -> float:
        """Bytes per second over the last seconds; 0 when nothing came."""
        if not self._samples:
            return 0.0
        since, had = self._samples[0]
        passed = self._clock() - since
        return max(0.0, (self.done_bytes - had) / passed) if passed > 0 else 0.0
