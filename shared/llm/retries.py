"""Retries of model calls: the number of tries, growing pauses, and the pauses that a model asks for."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Hashable
from copy import copy
from datetime import timedelta
from typing import Final, TypeVar

from shared.base.errors import ModelUnavailable

#: seconds between two tries: the first pause, which doubles; the longest; and the most random jitter
FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 8.0
JITTER: Final = 0.5
#: the longest requested wait, in seconds, that all calls respect; if a model asks for more, later calls do not wait
LONGEST_CLOSED: Final = 300.0

T = TypeVar("T")


def pause_before_retry(tried: int, requested_s: float = 0.0) -> float:
    """Return the seconds to wait after the failed try number `tried` (the first is 1). No jitter is added."""
    return max(min(FIRST_PAUSE * 2.0 ** (tried - 1), LONGEST_PAUSE - JITTER), requested_s)


class Retries:
    """The retries of all calls over one pool of connections.

    A call is retried if it raises ModelUnavailable without `may_be_paid`; otherwise the caller must first reserve money
    again. If the error requests a `wait` above LONGEST_PAUSE, the call is not retried, and later calls with the same
    key raise the same error at once until the wait is over. Later calls ignore a wait above LONGEST_CLOSED.
    """

    def __init__(
        self,
        tries: int,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """`tries` includes the first try. `clock` and `sleep` take seconds."""
        if tries < 1:
            raise ValueError(f"tries must be at least 1, not {tries}")
        self._tries, self._clock, self._sleep = tries, clock, sleep
        #: by key: the end of the wait by the clock, and the error that asked for it
        self._closed: dict[Hashable, tuple[float, ModelUnavailable]] = {}

    async def run(self, key: Hashable, attempt: Callable[[], Awaitable[T]]) -> T:
        """Return the result of the first successful attempt. `attempt` raises lull's own errors.

        Calls with the same `key`, for example of the same model, share the waits that errors request (see the class).
        """
        tried = 0
        while True:
            self._raise_if_closed(key)
            tried += 1
            try:
                return await attempt()
            except ModelUnavailable as error:
                requested_s = error.wait.total_seconds() if error.wait is not None else 0.0
                self._close(key, requested_s, error)
                if error.may_be_paid or tried == self._tries or requested_s > LONGEST_PAUSE:
                    raise
            await self._sleep(pause_before_retry(tried, requested_s) + random.uniform(0, JITTER))

    def _raise_if_closed(self, key: Hashable) -> None:
        until, error = self._closed.get(key, (0.0, None))
        if error is None:
            return
        if (left := until - self._clock()) <= 0:
            del self._closed[key]
            return
        again = copy(error)  # callers add to the error that they catch
        again.wait = timedelta(seconds=left)
        raise again

    def _close(self, key: Hashable, seconds: float, error: ModelUnavailable) -> None:
        if LONGEST_PAUSE < seconds <= LONGEST_CLOSED:
            self._closed[key] = (self._clock() + seconds, copy(error))
