"""The lull that runs on this machine: the file in which it tells of itself, and how it is reached.

`local` writes that file, and takes from here where it is. Nothing else of the local cloud has to be known to reach it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil

from infra.bundle import ROOT

#: where it keeps everything unless LULL_DATA names another folder
USUAL_FOLDER = ".lull"


@dataclass(frozen=True, kw_only=True)
class Running:
    """A local cloud that is alive: where its page is, and the settings by which it is reached."""

    page: str
    settings: Mapping[str, str]


def data_folder(env: Mapping[str, str]) -> Path:
    """The folder of the local cloud that an environment means; an empty LULL_DATA names none."""
    return (ROOT / Path(env.get("LULL_DATA") or USUAL_FOLDER).expanduser()).resolve()


def record_file(folder: Path) -> Path:
    """Where the local cloud of a folder tells of itself while it runs, as JSON with these fields among others:
    `pid`, `since` (epoch seconds), `page`, `settings`, and `parts` with the `url` of each.
    """
    return folder / "run.json"


def running_in(folder: Path) -> Running | None:
    """The local cloud that is alive in a folder, or None."""
    try:
        found = json.loads(record_file(folder).read_text())
        running = Running(page=found["page"], settings=found["settings"])
        pid, since = found["pid"], found["since"]
    except (FileNotFoundError, ValueError, KeyError, TypeError):  # also of one that a full disk cut off
        return None
    return running if is_alive(pid, since) else None


def part_url(folder: Path, part: str) -> str:
    """The address of one part of the local cloud that is alive in a folder."""
    return str(json.loads(record_file(folder).read_text())["parts"][part]["url"])


def is_alive(pid: int, since: float) -> bool:
    """Whether the very process lives that had this number at that moment: the number may have gone to another."""
    try:
        return psutil.Process(pid).create_time() <= since
    except psutil.NoSuchProcess:
        return False
