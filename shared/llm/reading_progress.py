"""Progress of a model that reads a prompt: servers on slow machines report it, and a page may show it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_WATCHER: ContextVar[Callable[[int, int], None] | None] = ContextVar("reading", default=None)


@contextmanager
def watch_reading(callback: Callable[[int, int], None]) -> Iterator[None]:
    """Call `callback` whenever a model that is called in the block reports its progress.

    The arguments are the number of prompt tokens read so far, and the number of all prompt tokens. The callback must
    neither wait nor raise.
    """
    token = _WATCHER.set(callback)
    try:
        yield
    finally:
        _WATCHER.reset(token)


def report_reading(read: int, total: int) -> None:
    """Pass the progress to the callback of the surrounding `watch_reading` block, if there is one."""
    if (callback := _WATCHER.get()) is not None:
        callback(read, total)
