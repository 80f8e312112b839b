"""The file that describes the running local cloud. Commands in other terminals read it to reach the cloud."""

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from operations.running import is_alive, record_file


class State(StrEnum):
    """The states of a part of the local cloud."""

    RUNNING = "running"
    RESTARTING = "restarting"
    GIVEN_UP = "given up"


@dataclass(frozen=True, kw_only=True)
class PartRecord:
    """The record of one part. `since` is the time when its process started, in epoch seconds."""

    pid: int
    url: str
    state: State
    since: float


@dataclass(frozen=True, kw_only=True)
class RunRecord:
    """The content of the file: the process of the local cloud, its parts, the address of its page, and the port and
    key of its control server.

    `settings` are the settings by which other programs reach the cloud. `operations/running.py` reads `settings`, and
    also `pid` and `since`, which show whether the cloud still runs.
    """

    page: str
    settings: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, PartRecord]
    control_port: int
    control_key: str = field(repr=False)
    pid: int = field(default_factory=os.getpid)
    since: float = field(default_factory=time.time)


def of_deployment(record: RunRecord, name: str, settings: Mapping[str, str]) -> RunRecord:
    """Return the record of the additional deployment `name`: only the parts of that deployment, without the prefix
    `<name>_` in their names, so that they are named as in the first deployment.
    """
    own = {part.removeprefix(f"{name}_"): it for part, it in record.parts.items() if part.startswith(f"{name}_")}
    return replace(record, settings=settings, parts=own)


def write_record(folder: Path, record: RunRecord) -> None:
    """Write the record in place of the earlier one. Only this user may read the file."""
    new = folder / "run.json.new"
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
        json.dump(asdict(record), out, indent=2)
    new.replace(record_file(folder))


def read_record(folder: Path) -> RunRecord | None:
    """Return the record of the running cloud. Return None if no cloud runs, and also if the record was cut off by a
    full disk or written by another version.
    """
    try:
        found: dict[str, Any] = json.loads(record_file(folder).read_text())
        states = {name: part | {"state": State(part["state"])} for name, part in found.pop("parts").items()}
        record = RunRecord(parts={name: PartRecord(**part) for name, part in states.items()}, **found)
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return record if is_alive(record.pid, record.since) else None


class AlreadyRuns(Exception):
    """Another process runs a local cloud with the same folder. The text names its page."""


@contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Lock the folder during the block. The lock is also released if this process ends. Raises AlreadyRuns."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        running = read_record(folder)
        where = f"at {running.page} (process {running.pid})" if running else "and is just starting or stopping"
        advice = "see `make status`, stop it with `make down`, or start another with LULL_DATA=folder"
        raise AlreadyRuns(f"lull is already running here, {where}; {advice}.") from None
    try:
        yield
    finally:
        lock.release()


def wait_until_unlocked(folder: Path, seconds: float) -> bool:
    """Return whether the folder becomes unlocked within this many seconds."""
    try:
        with FileLock(folder / "lock").acquire(timeout=seconds):
            return True
    except Timeout:
        return False
