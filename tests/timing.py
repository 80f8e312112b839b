"""The end of a run: the time that each folder took, the files that took most of the processor, and the work that one
test left running for the next.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath

import pytest

#: each package of shared has its own line; elsewhere a folder includes its subfolders
DEPTH = {"shared": 3}
USUAL_DEPTH = 2
#: folders below this time share a line
TOLD_S = 1.0
#: the number of reported files
MOST = 12
#: a test's property that names an update or a task of an earlier test, which was still under way when it began
RESTLESS = "did not come to rest"


@dataclass
class Took:
    """Seconds and tests of one folder; all workers' seconds are added up.

    The processor's are those of the worker and of the programs that ended meanwhile. What goes on (a cloud, a browser)
    is no folder's.
    """

    seconds: float = 0.0
    tests: int = 0
    processor_s: float = 0.0


@dataclass
class Meter:
    """Measures a worker's processor seconds since the last call."""

    at: float = 0.0

    def since(self) -> float:
        """Return the new seconds of this process and its ended children."""
        before, self.at = self.at, sum(os.times()[:4])
        return self.at - before


_FOLDERS: defaultdict[str, Took] = defaultdict(Took)
_FILES: defaultdict[str, Took] = defaultdict(Took)
_RESTLESS: list[str] = []


def folder_of(nodeid: str) -> str:
    """Return the folder of a test's id: `tests/shared/turn` for `tests/shared/turn/test_batch.py::test_x`."""
    parts = PurePath(nodeid.partition("::")[0]).parent.parts
    depth = DEPTH.get(parts[1], USUAL_DEPTH) if len(parts) > 1 else USUAL_DEPTH
    return "/".join(parts[:depth])


def note(report: pytest.TestReport) -> None:
    """Add one step of a test: its set-up, its call, or its end."""
    for took in (_FOLDERS[folder_of(report.nodeid)], _FILES[report.nodeid.partition("::")[0]]):
        took.seconds += report.duration
        took.processor_s += getattr(report, "processor_s", 0.0)
        took.tests += report.when == "call"
    _RESTLESS.extend(restless_before(report))


def restless_before(report: pytest.TestReport) -> list[str]:
    """Return a line for each update or task that a test's set-up found under way; each step has the properties."""
    found = report.user_properties if report.when == "setup" else []
    return [f"before {report.nodeid}: {what}" for name, what in found if name == RESTLESS]


def table(folders: Mapping[str, Took]) -> list[str]:
    """Make a line for each folder, the longest first, one for the rest, and the sum."""
    ordered = sorted(folders.items(), key=lambda item: -item[1].seconds)
    lines = [_line(name, took) for name, took in ordered if took.seconds >= TOLD_S]
    rest = [took for _, took in ordered if took.seconds < TOLD_S]
    if rest:
        lines.append(_line("others", _sum(rest)))
    return [*lines, _line("all", _sum(folders.values()))]


def dearest(files: Mapping[str, Took]) -> list[str]:
    """Make a line for each of the files with the most processor time."""
    ordered = sorted(files.items(), key=lambda item: -item[1].processor_s)
    return [_line(name, took) for name, took in ordered[:MOST]]


def _sum(parts: Iterable[Took]) -> Took:
    seconds = [(one.seconds, one.tests, one.processor_s) for one in parts]
    return Took(*map(sum, zip(*seconds, strict=True)))


def tell(reporter: pytest.TerminalReporter) -> None:
    """Write the table."""
    if len(_FOLDERS) > 1:
        reporter.section("seconds by folder, all workers together; and of the processor")
        for line in table(_FOLDERS):
            reporter.write_line(line)
        reporter.section("files that took most of the processor")
        for line in dearest(_FILES):
            reporter.write_line(line)
    if _RESTLESS:
        reporter.section(RESTLESS)
        for line in _RESTLESS:
            reporter.write_line(line)


def _line(name: str, took: Took) -> str:
    return f"{took.seconds:8.1f} s {took.processor_s:8.1f} s {took.tests:6} tests  {name}"
