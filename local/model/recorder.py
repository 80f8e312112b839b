"""The recorder: stores every exchange with the model (a request and its response), so that a person can see it.

An exchange contains the whole prompt, but files are replaced by short descriptions. The recorder exists in the local
cloud only. It never stores the API key, since headers and query are left out.
"""

import json
import logging
import re
import time
from collections import deque
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from local.model.calls import Call
from local.model.inline import without_files

KEPT_EXCHANGES = 500
#: limit in bytes: a long conversation has long requests, although files are shortened
KEPT_BYTES = 64 * 1024 * 1024
FILE_BYTES = 20 * 1024 * 1024
#: Seconds for which exchanges are added to a file, and for which the file is then kept. The limit exists because
#: prompts contain people's messages.
FILE_SECONDS = 7 * 24 * 3600

#: nginx's status for a caller that hung up before the response was complete
HUNG_UP = 499

log = logging.getLogger(__name__)

_EVENT = re.compile(r"^data:\s*(\{.*\})\s*$", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """One call and its response. `started` is in seconds since 1970; `usage` are the token counts of the response."""

    n: int
    trace: str
    model: str
    method: str
    request: str
    response: str
    status: int
    started: float
    ms: int
    usage: dict[str, Any] = field(default_factory=dict)


class Recording:
    """An exchange in progress. It is stored once `finish` is called."""

    def __init__(self, recorder: "Recorder", call: Call) -> None:
        """Start to measure the time."""
        self._recorder, self._call = recorder, call
        self._started, self._clock = time.time(), time.monotonic()
        self._response = bytearray()
        self._is_kept = call.embeds  # vectors are of no use to a reader, and their texts are in other exchanges
        self.status = 200

    def take(self, sent: bytes) -> bytes:
        """Record bytes that are sent to the caller, and return them."""
        self._response += sent
        return sent

    def finish(self, status: int | None = None) -> None:
        """Store the exchange with its duration. `status` replaces the response's status. Only the first call has an
        effect.
        """
        if self._is_kept:
            return
        self._is_kept = True
        response = without_files(bytes(self._response))
        exchange = Exchange(
            n=self._recorder.next_number(),
            trace=self._call.trace,
            model=self._call.model,
            method=self._call.method,
            request=without_files(self._call.body),
            response=response,
            status=status or self.status,
            started=self._started,
            ms=round((time.monotonic() - self._clock) * 1000),
            usage=usage_in(response),
        )
        self._recorder.keep(exchange)


class Recorder:
    """Keeps the newest exchanges in memory. If a folder is given, also appends every exchange to `exchanges.jsonl` in
    it.
    """

    def __init__(self, folder: Path | None = None, file_bytes: int = FILE_BYTES, kept_bytes: int = KEPT_BYTES) -> None:
        """Continue the file in `folder`. Memory holds at most `kept_bytes` of exchanges, but always the newest one.

        When the file has `file_bytes` or is FILE_SECONDS old, it is renamed and a new one is begun. Only one renamed
        file is kept. It is deleted at the age of twice FILE_SECONDS.
        """
        self._file = folder / "exchanges.jsonl" if folder else None
        self._file_bytes = file_bytes
        self._kept_bytes = kept_bytes
        self._kept: deque[Exchange] = deque()
        self._bytes = 0
        self._last = 0
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
        self._delete_old()
        for exchange in self._read_back():
            self._last = exchange.n
            self._remember(exchange)

    def begin(self, call: Call) -> Recording:
        """Start recording one call."""
        return Recording(self, call)

    def next_number(self) -> int:
        """Return the number of the next exchange. Exchanges are numbered from 1, in the order in which they end."""
        self._last += 1
        return self._last

    def keep(self, exchange: Exchange) -> None:
        """Store one exchange. If it cannot be written to the file, it is in memory only."""
        self._remember(exchange)
        if not self._file:
            return
        try:
            self._append(self._file, json.dumps(asdict(exchange), ensure_ascii=False) + "\n")
        except OSError as cause:
            log.warning("exchange %d could not be written to %s: %s", exchange.n, self._file, cause.strerror)

    @property
    def last(self) -> int:
        """Return the number of the newest exchange; 0 if there is none yet."""
        return self._last

    def find(self, trace: str = "", after: int = 0, about: str = "") -> list[Exchange]:
        """Return the exchanges with numbers above `after`. `trace` selects the exchanges of one trace, and `about`
        those whose request contains this text.
        """
        return [e for e in self._kept if e.n > after and trace in ("", e.trace) and about in e.request]

    def _remember(self, exchange: Exchange) -> None:
        self._kept.append(exchange)
        self._bytes += _weight(exchange)
        while len(self._kept) > KEPT_EXCHANGES or (self._bytes > self._kept_bytes and len(self._kept) > 1):
            self._bytes -= _weight(self._kept.popleft())

    def _append(self, file: Path, line: str) -> None:
        self._delete_old()
        if file.exists() and (file.stat().st_size + len(line) > self._file_bytes or _age(file) > FILE_SECONDS):
            file.replace(_set_aside(file))
        is_new = not file.exists()
        with file.open("a", encoding="utf-8") as out:
            out.write(line)
        if is_new:
            file.chmod(0o600)

    def _delete_old(self) -> None:
        """Delete the files that were begun too long ago, so that messages of people are not stored forever."""
        for file in (self._file, _set_aside(self._file)) if self._file else ():
            if file.is_file() and _age(file) > 2 * FILE_SECONDS:
                file.unlink()

    def _read_back(self) -> list[Exchange]:
        if not self._file:
            return []
        files = [file for file in (_set_aside(self._file), self._file) if file.exists()]
        lines = [line for file in files for line in file.read_text(encoding="utf-8").split("\n")]
        return [exchange for line in lines[-KEPT_EXCHANGES:] if (exchange := _exchange_in(line))]


def usage_in(response: str) -> dict[str, Any]:
    """Return the last token counts of a response, which may be one object or a stream of events."""
    for text in [response, *reversed(_EVENT.findall(response))]:
        try:
            body = json.loads(text)
        except (ValueError, RecursionError):
            continue
        usage = (body.get("usageMetadata") or body.get("usage")) if isinstance(body, dict) else None
        if isinstance(usage, dict):
            return usage
    return {}


def _weight(exchange: Exchange) -> int:
    return len(exchange.request) + len(exchange.response)


def _age(file: Path) -> float:
    """Return the seconds since the first exchange of a file; infinite if they are unknown."""
    with file.open(encoding="utf-8") as lines:
        first = _exchange_in(lines.readline())
    return time.time() - first.started if first is not None else float("inf")


def _set_aside(file: Path) -> Path:
    return file.with_name("exchanges.1.jsonl")


def _exchange_in(line: str) -> Exchange | None:
    """Parse a stored line; None if it is incomplete because the process was killed."""
    try:
        return Exchange(**json.loads(line))
    except (ValueError, TypeError):
        return None
