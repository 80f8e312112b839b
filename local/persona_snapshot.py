"""The personas that run: a copy of the configuration folders that was read whole, so that nothing else is ever run.

An editor saves a file several times while somebody writes, and functions read it when they start, a while later: they
read the copy, which is replaced only by one in which every persona is right.
"""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from local.options import CannotStart
from shared.agents.load import load_agents
from shared.errors import AgentUnreadable
from shared.models.agent import Agent

_IGNORED = shutil.ignore_patterns(".*", "__pycache__")


class PersonaSnapshot:
    """A copy of configuration folders, kept in a place of its own."""

    def __init__(self, folders: Sequence[Path], place: Path) -> None:
        """Nothing is copied yet."""
        self._sources, self._place = folders, place

    @property
    def folders(self) -> tuple[Path, ...]:
        """The copies, always in the same places."""
        return self._in("current")

    def take(self) -> Mapping[str, Agent]:
        """Copy the folders as they are now; the agents in them. Raises CannotStart, and the copy of before stays."""
        copies = self._in("new")
        shutil.rmtree(self._place / "new", ignore_errors=True)
        try:
            for source, copy in zip(self._sources, copies, strict=True):
                shutil.copytree(source, copy, ignore=_IGNORED)
            agents = load_agents(copies)
        except (AgentUnreadable, OSError) as problem:
            raise CannotStart(f"A persona cannot be read: {self._in_words(problem, copies)}.") from problem
        self._replace()
        return agents

    def _in(self, name: str) -> tuple[Path, ...]:
        return tuple(self._place / name / str(number) for number in range(len(self._sources)))

    def _replace(self) -> None:
        current, old = self._place / "current", self._place / "old"
        shutil.rmtree(old, ignore_errors=True)
        if current.exists():
            current.rename(old)
        (self._place / "new").rename(current)
        shutil.rmtree(old, ignore_errors=True)

    def _in_words(self, problem: Exception, copies: Sequence[Path]) -> str:
        """A problem with the names of the files that somebody edits."""
        told = str(problem)
        for source, copy in zip(self._sources, copies, strict=True):
            told = told.replace(str(copy), str(source))
        return told
