"""Follows the logs of a local cloud, line by line as they are written, also across log rotation."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from local.readiness import last_lines

#: the log of the cloud's own process when it runs in the background
OWN_LOG = "up"


class Follower:
    """Reads the new lines of the logs in a folder. Logs that appear later are read from their beginning."""

    def __init__(self, folder: Path, part: str = "") -> None:
        """Begin at the current end of the logs. `part` selects the log of one part; empty: all logs are read."""
        self._folder, self._pattern = folder, f"{part or '*'}.log"
        self._open: dict[Path, BinaryIO] = {}
        self._rest: dict[Path, bytes] = {}
        for log in self._logs():
            self._open[log] = log.open("rb")
            self._open[log].seek(0, 2)

    def close(self) -> None:
        """Close the files."""
        for opened in self._open.values():
            opened.close()
        self._open.clear()

    def lines(self) -> Iterator[tuple[str, str]]:
        """Return the new lines since the last call, each with the name of its part."""
        for log in self._logs():
            yield from ((log.stem, line) for line in self._new_lines(log))

    def last(self, count: int) -> Iterator[tuple[str, str]]:
        """Return the last `count` lines of each log, each line with the name of its part."""
        for log in self._logs():
            yield from ((log.stem, line) for line in last_lines(log, count).splitlines())

    def _logs(self) -> list[Path]:
        return sorted(self._folder.glob(self._pattern))

    def _new_lines(self, log: Path) -> Iterator[str]:
        with suppress(FileNotFoundError):  # the log is being rotated: the next call finds the new file
            if log not in self._open:
                self._open[log] = log.open("rb")
            yield from self._read(log)
            if log.stat().st_ino != os.fstat(self._open[log].fileno()).st_ino:  # the log was rotated
                new = log.open("rb")
                self._open[log].close()
                self._open[log] = new
                yield from self._read(log)

    def _read(self, log: Path) -> Iterator[str]:
        *lines, rest = (self._rest.get(log, b"") + self._open[log].read()).split(b"\n")
        self._rest[log] = rest
        yield from (line.decode("utf-8", "replace") for line in lines)
