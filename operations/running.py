"""Finds the local cloud that runs on this machine, by the file that it writes while it runs.

The package `local` writes this file to the path that is defined here. Commands need only the file to reach the local
cloud.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil

from infra.bundle import ROOT

#: default folder of the local cloud, unless LULL_DATA is set
USUAL_FOLDER = ".lull"


@dataclass(frozen=True, kw_only=True)
class Running:
    """A running local cloud: the address of its page, and the settings needed to reach it."""

    page: str
    settings: Mapping[str, str]


def data_folder(env: Mapping[str, str]) -> Path:
    """Return the data folder of the local cloud. An empty LULL_DATA counts as not set."""
    return (ROOT / Path(env.get("LULL_DATA") or USUAL_FOLDER).expanduser()).resolve()


def record_file(folder: Path) -> Path:
    """Return the file that the local cloud writes while it runs: JSON with `pid`, `since` (epoch seconds), `page`,
    `settings`, and `parts` with the `url` of each.
    """
    return folder / "run.json"


def running_in(folder: Path) -> Running | None:
    """Return the local cloud that runs in a folder, or None."""
    try:
        found = json.loads(record_file(folder).read_text())
        running = Running(page=found["page"], settings=found["settings"])
        pid, since = found["pid"], found["since"]
    # also if the file is incomplete because the disk was full
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None
    return running if is_alive(pid, since) else None


def part_url(folder: Path, part: str) -> str:
    """Return the address of one part of the local cloud that runs in `folder`. Raises OSError if none runs there, and
    KeyError for an unknown part.
    """
    return str(json.loads(record_file(folder).read_text())["parts"][part]["url"])


def is_alive(pid: int, since: float) -> bool:
    """Return whether the process `pid` runs. A process that began after `since` does not count: it reuses the id."""
    try:
        return psutil.Process(pid).create_time() <= since
    except psutil.NoSuchProcess:
        return False
