"""A scratch copy of the tree: something is added to it, shown to work there, and the files that changed are counted.

All that is added is in one copy, and one run there shows it: a copy for each would start a local cloud for each.
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
    "agents", "benchmarks", "docs", "functions", "infra", "local", "operations", "shared", "tests",
    ".importlinter", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile", "README.md", "pyproject.toml", "uv.lock",
)  # fmt: skip
#: what running something makes, but for compiled modules: they are good for the copy, too, once they are written
LEFT_OUT = shutil.ignore_patterns(".terraform*", "node_modules", "*.pyc.*")
#: where a figure of the structure is held
FIGURE = "tests/test_architecture.py::test_the_structure_gets_no_worse[{}]"
#: what holds for every module, so for a new one too
ALWAYS = (
    *map(FIGURE.format, ("class_names_used_twice", "lone_participles", "packages_in_cycles", "question_docstrings")),
    "tests/test_architecture.py::test_no_function_is_longer_than_forty_lines",
    "tests/test_architecture.py::test_only_one_module_names_a_path_of_firestore",
    "tests/infra/test_imports.py",
)
#: for what a tick dispatches: one more of it makes the tree longer, and a tick's way no harder to follow
NO_WORSE = (*map(FIGURE.format, ("dispatch_places", "modules_with_one_importer", "walk_modules", "walk_returns")),)
#: what `make inventory` runs
INVENTORY = ("-m", "tests.infra.standin", sys.executable, "-m", "tests.infra.inventory")
#: the files that something changed, by the path of its probe
Changes: TypeAlias = Mapping[str, list[str]]


@dataclass
class Scratch:
    """The copy of what is named. What is written with `tries` is the test's own, and counts as no change."""

    root: Path
    copied: Sequence[str] = COPIED
    before: Mapping[str, str] = field(default_factory=dict)
    _shown: set[str] = field(default_factory=set)
    #: of files, by when they were written last and how long they are: the tree is looked at twice for each growth
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
        """Write a file that there is not yet."""
        file = self.root / path
        assert not file.exists(), f"{path} is there already"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text).lstrip())

    def edits(self, path: str, before: str, after: str) -> None:
        """Put `after` in the place of `before`, which must stand in the file once."""
        file = self.root / path
        text = file.read_text()
        assert text.count(before) == 1, f"{path} has {text.count(before)} of: {before}"
        file.write_text(text.replace(before, after))

    def says(self, path: str, messages: Mapping[str, str]) -> None:
        """Put messages that there are not yet into a catalogue, in the order of their ids."""
        file = self.root / path
        found = json.loads(file.read_text())
        assert not messages.keys() & found["messages"].keys()
        found["messages"] = dict(sorted((found["messages"] | messages).items()))
        file.write_text(json.dumps(found, ensure_ascii=False, indent=2))

    def contents(self) -> Mapping[str, str]:
        """What tells whether a file is another, by its path."""
        return dict(self._contents())

    def changed(self, before: Mapping[str, str] | None = None) -> list[str]:
        """The files that are new or other than they were then, at first if nothing else is given, or gone."""
        now, then = self.contents(), self.before if before is None else before
        return sorted(path for path in now.keys() | then.keys() if now.get(path) != then.get(path))

    def tries(self, path: str, probe: str) -> None:
        """Write a test of the test's own."""
        self._shown.add(path)
        self.adds(path, probe)

    def shows(self, *tests: str) -> None:
        """Run these tests of the copy, each once."""
        self.runs("-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *sorted(set(tests)))

    def checks_imports(self) -> None:
        """See that every import of the copy follows the layers of `.importlinter`."""
        self.runs("-c", "from importlinter.cli import lint_imports_command; lint_imports_command(['--no-cache'])")

    def runs(self, *arguments: str) -> str:
        """Run Python inside the copy; what it printed."""
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
        """This process's, without what says how its own tests are run; what is started belongs to its run."""
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
    """Something that the tree grows by: `add` writes it, `probe` at `path` and these tests of the tree show it."""

    add: Callable[[Scratch], None]
    path: str
    probe: str
    tests: tuple[str, ...] = ()

    def changes(self, scratch: Scratch) -> list[str]:
        """Add it and its probe; the files that changed."""
        before = scratch.contents()
        self.add(scratch)
        scratch.tries(self.path, self.probe)
        return scratch.changed(before)
