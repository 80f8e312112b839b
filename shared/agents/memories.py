"""What a persona knows always: `agents/<name>/memory/everyone.md`, and `<user id>.md` beside it for single people."""

import re
from pathlib import Path
from typing import Final

from shared.agents.files import read_file
from shared.errors import AgentUnreadable
from shared.models.agent import CuratedMemory

EVERYONE: Final = "everyone"
#: Telegram's ids of people have at most 52 bits (core.telegram.org/bots/api#user)
_PERSON: Final = re.compile(r"[1-9][0-9]{0,15}", re.ASCII)
#: what editors and desks leave beside a file
_LEFT: Final = re.compile(r"[.#].*|.*~|Thumbs\.db|desktop\.ini")
#: characters of a file: it is in every prompt that it is for
LONGEST: Final = 4_000


def load_memories(folder: Path) -> tuple[CuratedMemory, ...]:
    """What the files of a persona's `memory` folder say, that for everyone first; none without the folder.

    Raises AgentUnreadable with the file and what to do about it.
    """
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    found = [_read(file) for file in files if not _LEFT.fullmatch(file.name)]
    return tuple(sorted(found, key=lambda one: one.person))


def _read(file: Path) -> CuratedMemory:
    is_person = _PERSON.fullmatch(file.stem) is not None
    if file.suffix != ".md" or not (is_person or file.stem == EVERYONE):
        why = "name the file everyone.md, or by a person's id at Telegram, such as 123456789.md (/whoami tells it)"
        raise AgentUnreadable(file, 1, why)
    fields, text = read_file(file)
    if fields:
        raise AgentUnreadable(file, 1, "a memory has no front matter: take out what stands between the lines of ---")
    if not text:
        raise AgentUnreadable(file, 1, "the file is empty: write what is to be known, or delete it")
    if len(text) > LONGEST:
        raise AgentUnreadable(
            file, 1, f"it has {len(text):,} characters, and {LONGEST:,} is the most: every prompt has it"
        )
    return CuratedMemory(person=int(file.stem) if is_person else 0, text=text)
