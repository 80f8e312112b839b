"""Notices edited personas, so that the functions read them again."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from shared.planning.personas.load import SUFFIXES

#: endings of a persona's files: texts, lists of photos and of curated files, and the photos
READ: Final = frozenset((".md", ".json", *SUFFIXES))


class PersonaWatch:
    """Remembers how the files of the configuration folders are; `changed` is to be called often."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """As they are now."""
        self._folders = folders
        self._seen = self._told = self._look()

    def changed(self) -> bool:
        """Return whether files changed, and no further change came since the last call.

        Editors take a file away and write it anew: between the two it would be an agent that went.
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
    """The files of a folder and of those in it; of a folder that a link leads to as well, each once."""
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
    """Return when a file was written, or None if an editor has just removed it."""
    try:
        return file, file.stat().st_mtime_ns
    except OSError:
        return None
