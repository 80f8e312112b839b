"""Notices when the files of agents' personas were edited, so that the functions read them again."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from shared.planning.personas.load import SUFFIXES

#: the extensions of a persona's files: texts, JSON lists of photos and of curated files, and photos
READ: Final = frozenset((".md", ".json", *SUFFIXES))


class PersonaWatch:
    """Remembers the state of the files in the configuration folders. Call `has_changed` regularly."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Remember the current state."""
        self._folders = folders
        self._seen = self._told = self._look()

    def has_changed(self) -> bool:
        """Return True once for each change of the files, when two calls in a row have found them in the same state.

        One call is not enough, because an editor may delete a file and write it anew: in between, the agent would seem
        to have been removed.
        """
        before, self._seen = self._seen, self._look()
        if self._seen != before or self._seen == self._told:
            return False
        self._told = self._seen
        return True

    def _look(self) -> dict[Path, int]:
        files = (file for folder in self._folders for file in _files_in(folder) if file.suffix.lower() in READ)
        return dict(seen for file in files if (seen := _modified_at(file)))


def _files_in(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder and its subfolders, each once. Linked folders are followed."""
    walked = set[tuple[int, int]]()
    for place, inner, names in os.walk(folder, followlinks=True):
        with suppress(OSError):
            found = Path(place).stat()
            if (found.st_dev, found.st_ino) in walked:
                inner.clear()
                continue
            walked.add((found.st_dev, found.st_ino))
        yield from (Path(place) / name for name in names)


def _modified_at(file: Path) -> tuple[Path, int] | None:
    """Return a file and the time of its last change in nanoseconds, or None if an editor has just removed the file."""
    try:
        return file, file.stat().st_mtime_ns
    except OSError:
        return None
