"""Copies the configuration folders with the agents' personas, but only when every persona is valid. Functions read the
copy.

A persona may be invalid while it is being edited, and a function may start at that moment. Functions read the copy, so
they never read an invalid persona.
"""

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from local.options import CannotStart
from local.parts import PERSONA_PROBLEM
from local.processes import ROOT
from shared.base.errors import InvalidPersona
from shared.planning.personas.load import load_everything
from shared.values.agent import Agent

#: size limit of a file in bytes: photos have at most 10 MB
_LARGEST = 50_000_000
_IGNORED = shutil.ignore_patterns(".*", "__pycache__")


class PersonaSnapshot:
    """A copy of configuration folders in a separate place."""

    def __init__(self, folders: Sequence[Path], place: Path) -> None:
        """Prepare a snapshot without copying."""
        self._sources, self._place = folders, place

    @property
    def folders(self) -> tuple[Path, ...]:
        """Return the folders of the copies. Their paths never change."""
        return self._in("current")

    def take(self) -> Mapping[str, Agent]:
        """Copy the folders as they are now and return the agents in them. If a persona is invalid, raises CannotStart,
        and the previous copy stays in use.

        In that case, the error is stored beside the copies, where the page reads it, until every persona is valid.
        """
        copies = self._in("new")
        shutil.rmtree(self._place / "new", ignore_errors=True)
        try:
            for source, copy in zip(self._sources, copies, strict=True):
                shutil.copytree(source, copy, ignore=_IGNORED, copy_function=_copy)
            agents = load_everything(copies)
        except Exception as problem:  # an invalid file must not replace the running personas
            self._keep(problem, copies)
            raise CannotStart(
                f"A persona cannot be read: {self._with_original_names(_reason(problem), copies)}."
            ) from problem
        self._replace()
        self._problem.unlink(missing_ok=True)
        return agents

    @property
    def _problem(self) -> Path:
        return self._place / PERSONA_PROBLEM

    def _keep(self, problem: Exception, copies: Sequence[Path]) -> None:
        found: dict[str, str | int] = {
            "file": "",
            "line": 0,
            "why": self._with_original_names(_reason(problem), copies),
        }
        if isinstance(problem, InvalidPersona):
            file = self._with_original_names(str(problem.file), copies).removeprefix(f"{ROOT}/")
            found = {"file": file, "line": problem.line, "why": self._with_original_names(problem.why, copies)}
        self._place.mkdir(parents=True, exist_ok=True)
        written = self._problem.with_suffix(".new")
        written.write_text(json.dumps(found), encoding="utf-8")
        written.replace(self._problem)

    def _in(self, name: str) -> tuple[Path, ...]:
        return tuple(self._place / name / str(number) for number in range(len(self._sources)))

    def _replace(self) -> None:
        current, old = self._place / "current", self._place / "old"
        shutil.rmtree(old, ignore_errors=True)
        if current.exists():
            current.rename(old)
        (self._place / "new").rename(current)
        shutil.rmtree(old, ignore_errors=True)

    def _with_original_names(self, told: str, copies: Sequence[Path]) -> str:
        """Return the text with the original files' names in place of the copies' names."""
        for source, copy in zip(self._sources, copies, strict=True):
            told = told.replace(str(copy), str(source))
        return told


def _copy(source: str, copy: str) -> str:
    """Copy a file. Raises OSError if it is too large for a persona's file, before it can fill the disk."""
    if not Path(source).is_file() and Path(source).exists():
        raise OSError("it is not a file")
    if Path(source).stat().st_size > _LARGEST:
        raise OSError(f"it is larger than {_LARGEST // 1_000_000} MB, the limit for a persona's files")
    return shutil.copy2(source, copy)


def _reason(problem: Exception) -> str:
    """Return the error's text, or the first reason if a copy failed for several reasons."""
    if not isinstance(problem, InvalidPersona | OSError):
        return f"its files cannot be read ({type(problem).__name__}: {problem})"
    if isinstance(problem, shutil.Error) and isinstance(problem.args[0], list):
        source, _, why = problem.args[0][0]
        return f"{source}: {why}"
    return str(problem)
