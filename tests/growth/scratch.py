"""A scratch copy of the tree: a test adds something to it, checks that it works there, and counts the changed files.

Everything is added to one copy and checked by one run: a copy for each would start a local cloud for each.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent
from typing import TypeAlias

from infra.bundle import ROOT, uv
from tests.once import RUN

COPIED = (
    "agents", "benchmarks", "docs", "functions", "infra", "local", "operations", "shared", "tests", "web",
    ".importlinter", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile", "README.md", "pyproject.toml", "uv.lock",
)  # fmt: skip
#: files that runs leave behind; compiled modules are not among them, as the copy can use them
LEFT_OUT = shutil.ignore_patterns(".terraform*", "node_modules", "*.pyc.*")
#: the lines that limit a figure of the structure
FIGURE = "tests/test_architecture.py::test_the_structure_gets_no_worse[{}]"
#: the tests of every module, so of a new one too
ALWAYS = (
    *map(FIGURE.format, ("class_names_used_twice", "lone_participles", "packages_in_cycles", "question_docstrings")),
    "tests/test_architecture.py::test_no_function_is_longer_than_forty_lines",
    "tests/test_architecture.py::test_only_one_module_names_a_path_of_firestore",
    "tests/infra/test_imports.py",
)
#: for additions that a tick dispatches: one more makes the tree longer, and the way of a tick no harder to follow
NO_WORSE = (*map(FIGURE.format, ("dispatch_places", "modules_with_one_importer", "walk_modules", "walk_returns")),)
#: the commands of `make inventory`
INVENTORY = ("-m", "tests.infra.standin", sys.executable, "-m", "tests.infra.inventory")
#: the files that an addition changed, by the path of its probe
Changes: TypeAlias = Mapping[str, list[str]]


@dataclass
class Scratch:
    """A copy of the named paths. Tests that are written with `tries` do not count as changes."""

    root: Path
    copied: Sequence[str] = COPIED
    before: Mapping[str, str] = field(default_factory=dict)
    _shown: set[str] = field(default_factory=set)
    #: hashes of files by modification time and size, as the tree is read twice for each addition
    _hashes: dict[tuple[str, int, int], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Copy the tree."""
        for name in self.copied:
            source, target = ROOT / name, self.root / name
            if source.is_dir():
                shutil.copytree(source, target, ignore=LEFT_OUT)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)
        self.before = self.contents()

    def adds(self, path: str, text: str) -> None:
        """Write a new file."""
        file = self.root / path
        assert not file.exists(), f"{path} is there already"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text).lstrip())

    def edits(self, path: str, before: str, after: str) -> None:
        """Replace `before`, which must occur once in the file, by `after`."""
        file = self.root / path
        text = file.read_text()
        assert text.count(before) == 1, f"{path} has {text.count(before)} of: {before}"
        file.write_text(text.replace(before, after))

    def says(self, path: str, messages: Mapping[str, str]) -> None:
        """Add new messages to a catalogue, in the order of their ids."""
        file = self.root / path
        found = json.loads(file.read_text())
        assert not messages.keys() & found["messages"].keys()
        found["messages"] = dict(sorted((found["messages"] | messages).items()))
        file.write_text(json.dumps(found, ensure_ascii=False, indent=2))

    def contents(self) -> Mapping[str, str]:
        """Map each path to the hash of its file."""
        return dict(self._contents())

    def changed(self, before: Mapping[str, str] | None = None) -> list[str]:
        """List the files that are new, different or gone since `before`, or since the copy was made."""
        now, then = self.contents(), self.before if before is None else before
        return sorted(path for path in now.keys() | then.keys() if now.get(path) != then.get(path))

    def tries(self, path: str, probe: str) -> None:
        """Write a test into the copy without counting it as a change."""
        self._shown.add(path)
        self.adds(path, probe)

    def shows(self, *tests: str) -> None:
        """Run these tests of the copy, each once."""
        self.runs("-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *sorted(set(tests)))

    def checks_imports(self) -> None:
        """Check that every import of the copy follows the layers of `.importlinter`."""
        self.runs("-c", "from importlinter.cli import lint_imports_command; lint_imports_command(['--no-cache'])")

    def runs(self, *arguments: str) -> str:
        """Run Python inside the copy and give its output."""
        found = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env=self._environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert found.returncode == 0, found.stdout[-6000:] + found.stderr[-3000:]
        return found.stdout

    def _environment(self) -> dict[str, str]:
        """Give this process's environment without the settings of its own test run."""
        told = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}
        own = {RUN: os.environ.get(RUN, str(os.getpid())), **told}
        path = f"{Path(uv()).parent}{os.pathsep}{own.get('PATH', '')}"  # the copy has no uv of its own
        return {**own, "PATH": path, "PYTHONPATH": str(self.root), "PYTHONDONTWRITEBYTECODE": "1"}

    def _contents(self) -> Iterator[tuple[str, str]]:
        for folder, below, names in os.walk(self.root):
            below[:] = [name for name in below if name != "__pycache__" and name[0] != "."]
            for file in (Path(folder, name) for name in names if name[0] != "."):
                path = file.relative_to(self.root).as_posix()
                if path not in self._shown:
                    yield path, self._hash_of(file, path)

    def _hash_of(self, file: Path, path: str) -> str:
        written = file.stat()
        key = (path, written.st_mtime_ns, written.st_size)
        if key not in self._hashes:
            self._hashes[key] = hashlib.sha256(file.read_bytes()).hexdigest()
        return self._hashes[key]


@dataclass(frozen=True, kw_only=True)
class Growth:
    """One addition to the tree: `add` writes it; `probe`, written to `path`, and some tests of the tree check it."""

    add: Callable[[Scratch], None]
    path: str
    probe: str
    tests: tuple[str, ...] = ()

    def changes(self, scratch: Scratch) -> list[str]:
        """Add it and its probe, and list the changed files."""
        before = scratch.contents()
        self.add(scratch)
        scratch.tries(self.path, self.probe)
        return scratch.changed(before)
