"""Waits until the parts of the local cloud serve, and explains why a part does not."""

import socket
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

import httpx

from local.parts import CloudPart

#: time limit in seconds. It is long because the first start compiles every library, possibly on a slow disk; a part
#: that needs even longer will never start
PATIENCE_S = 90.0
LAST_LINES = 15


class PartFailed(Exception):
    """A part ended, or does not answer. The text ends with the last lines of its log."""

    def __init__(self, part: str, why: str, log: Path) -> None:
        """Make the error's text. `why` completes a sentence that begins with the part's name."""
        said = last_lines(log) or "(nothing)"
        super().__init__(f"{part} {why}. The last lines of its log ({log}):\n{said}")
        self.part = part


@dataclass(frozen=True, kw_only=True)
class Started:
    """A part that was started. `exit_code` returns None while the part runs."""

    part: CloudPart
    log: Path
    exit_code: Callable[[], int | None]


def wait_until_ready(started: Collection[Started], patience_s: float = PATIENCE_S) -> None:
    """Return once all parts answer. Raises PartFailed for the first part that ended, or that did not answer in time."""
    until = time.monotonic() + patience_s
    waiting = list(started)
    with httpx.Client(timeout=5, trust_env=False) as client:
        while waiting:
            waiting = [one for one in waiting if not _is_ready(one, client)]
            if waiting and time.monotonic() > until:
                late = waiting[0]
                raise PartFailed(late.part.name, f"did not answer within {patience_s:.0f} s", late.log)
            time.sleep(0.05 if waiting else 0)


def is_ready(part: CloudPart, client: httpx.Client) -> bool:
    """Return whether the part answers its health check now."""
    if part.health is None:
        return True
    try:
        return client.get(part.health).is_success
    except httpx.TransportError:
        return False


def last_lines(log: Path, count: int = LAST_LINES) -> str:
    """Return the last lines of a log; empty if there is none."""
    if not log.exists():
        return ""
    with log.open("rb") as opened:
        opened.seek(max(0, log.stat().st_size - 16_384))
        return "\n".join(opened.read().decode("utf-8", "replace").splitlines()[-count:])


def _is_ready(one: Started, client: httpx.Client) -> bool:
    code = one.exit_code()
    if code is not None:
        raise PartFailed(one.part.name, f"ended with exit code {code} before it was ready", one.log)
    return _listens(one.part) and is_ready(one.part, client)


def _listens(part: CloudPart) -> bool:
    """Return whether the part's port is open. Parts are checked often, since many need seconds to start, and this check
    takes a hundredth of the time of a request.
    """
    if part.health is None:
        return True
    where = httpx.URL(part.health)
    with socket.socket() as probe:
        probe.settimeout(5)
        return probe.connect_ex((where.host, where.port or 80)) == 0
