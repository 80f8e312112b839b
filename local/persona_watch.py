"""Notices when somebody edits a persona, so that the functions read it again."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from shared.agents.photos import SUFFIXES

#: what personas are made of: texts, lists of photos and of what is known of files, and the photos
READ: Final = frozenset((".md", ".json", *SUFFIXES))


class PersonaWatch:
    """Remembers how the files of the configuration folders are; `changed` is to be called often."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """As they are now."""
        self._folders = folders
        self._seen = self._look()

    def changed(self) -> bool:
        """Whether a file was written, added or removed since the last call."""
        before, self._seen = self._seen, self._look()
        return self._seen != before

    def _look(self) -> dict[Path, int]:
        files = (file for folder in self._folders for file in folder.rglob("*") if file.suffix.lower() in READ)
        return {file: file.stat().st_mtime_ns for file in files if file.is_file()}
