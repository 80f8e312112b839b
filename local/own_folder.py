"""The data folder of a local cloud. lull puts a marker file into the folder, and deletes only files there that lull
made.

`LULL_DATA` may name any folder, but lull neither uses nor deletes a folder that belongs to another program.
"""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from local.credentials import FILE as CREDENTIALS
from local.emulator_jar import cache_folder
from local.model_choice import FILE as MODEL_CHOICE
from local.options import CannotStart
from local.parts import PARTS, PERSONAS, REAL
from local.run_record import hold_folder

MARKER = ".of-lull"
_MARK = "lull keeps its conversations here (LULL_DATA); `make clean` deletes them.\n"
#: content of the mark if the folder itself existed before
_WAS_THERE = "The folder was there before, and stays.\n"
_LOCK = "lock"
#: the folder in which earlier versions stored requests to the model and its answers
_FORMER = "gemini"
#: names of all files that lull writes into the folder; other files belong to other programs
ENTRIES = frozenset(
    (
        *PARTS,
        _FORMER,
        PERSONAS,
        REAL,
        "logs",
        "run",
        "ports.json",
        "run.json",
        "run.json.new",
        CREDENTIALS,
        f"{CREDENTIALS}.new",
        MODEL_CHOICE,
    )
)
#: names of files that operating systems leave in folders that look empty
_NOTHING = frozenset((".DS_Store", ".directory", ".gitkeep", "desktop.ini", "lost+found"))
#: names of those files that contain messages of people
_WORDS = ("firestore", "telegram", "storage", "model", _FORMER, REAL)


def check_usable(folder: Path) -> None:
    """Raise CannotStart if the folder contains files that lull did not make."""
    with _refusal(folder, "read"):
        is_foreign = not _is_own(folder) and any(True for _ in _foreign_in(folder, all_of_it=True))
    if is_foreign:
        raise CannotStart(
            f"{folder} holds files that lull did not make; set LULL_DATA to a new or an empty folder, such as "
            f"{folder / 'lull'}."
        )


def take_folder(folder: Path, *, was_there: bool = False) -> None:
    """Make the folder, mark it as lull's, and make it private to this user. Raises CannotStart.

    `was_there`: the folder existed before, so the folder itself stays when lull's data is deleted.
    """
    with _refusal(folder, "written"):
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        if not (folder / MARKER).is_file():
            (folder / MARKER).write_text(_MARK + (_WAS_THERE if was_there else ""))


def is_own(folder: Path) -> bool:
    """Return whether lull made the content of the folder; False if the folder is empty or missing. Raises CannotStart
    if another program made the content.
    """
    with _refusal(folder, "read"):
        if _is_own(folder):
            return True
        if not any(folder.iterdir() if folder.is_dir() else ()):
            return False
    raise CannotStart(
        f"{folder} is not a data folder of lull, so nothing was deleted; set LULL_DATA to the right folder."
    )


def has_words(folder: Path) -> bool:
    """Return whether the folder contains messages of people."""
    return any(True for name in _WORDS for _ in _files_in(folder / name))


def delete_own(folder: Path) -> list[str]:
    """Delete lull's data in the folder. Also delete the folder itself if lull made it and nothing else is in it. Return
    the names of files that remain because they are not lull's.

    The file that marks the folder as lull's is deleted last, so that an interrupted deletion can be repeated. Raises
    CannotStart if a file cannot be deleted, and AlreadyRuns if a local cloud uses the folder.
    """
    _check_no_disk_in(folder)
    with _refusal(folder, "deleted"), hold_folder(folder):  # the lock keeps a cloud from starting in the meantime
        mark = (folder / MARKER).read_text() if (folder / MARKER).is_file() else ""
        for entry in (folder / name for name in (*sorted(ENTRIES), _LOCK, MARKER)):
            with _refusal(entry, "deleted"):
                if entry.is_dir() and not entry.is_symlink():
                    shutil.rmtree(entry)
                else:
                    entry.unlink(missing_ok=True)
        if _WAS_THERE not in mark:
            with suppress(OSError):  # rmdir fails if the folder is not empty
                folder.rmdir()
        return sorted(_foreign_in(folder, all_of_it=True))


def _check_no_disk_in(folder: Path) -> None:
    """Raise CannotStart if a disk is mounted inside of the folder, since lull must not delete the disk's content."""
    for disk in psutil.disk_partitions(all=True):
        if folder in Path(disk.mountpoint).parents:
            raise CannotStart(
                f"{disk.mountpoint} is a separate disk, so nothing was deleted; unmount it and try again."
            )


@contextmanager
def _refusal(place: Path, what: str) -> Iterator[None]:
    """Turn an OSError in the block into CannotStart with the sentence "`place` cannot be `what`", where `what` is a
    word such as "deleted".
    """
    try:
        yield
    except OSError as cause:
        todo = "check its owner, or set LULL_DATA to another folder"
        raise CannotStart(f"{place} cannot be {what} ({cause.strerror}); {todo}.") from cause


def size_of(folder: Path) -> int:
    """Return the size of a folder's files in bytes. Files may disappear while they are counted."""
    total = 0
    for file in _files_in(folder):
        with suppress(FileNotFoundError):
            total += file.lstat().st_size
    return total


def kept_elsewhere() -> str:
    """Return a sentence about the files that lull stores outside of the data folder, or "" if there are none."""
    cache = cache_folder(os.environ)
    size = size_of(cache)
    return f"Downloaded models stay in {cache} ({size / 1e9:.1f} GB)." if size else ""


def _is_own(folder: Path) -> bool:
    return (folder / MARKER).is_file() or _is_of_before(folder)


def _is_of_before(folder: Path) -> bool:
    """Return whether this folder was made by an older version of lull, which did not put a marker file into its
    folders. Such a folder contains lull's credentials, or nothing but an empty lock file.

    A lock file beside other files proves nothing, since other programs also make such files.
    """
    if any(True for _ in _foreign_in(folder)):
        return False
    with suppress(OSError, ValueError):
        found = json.loads((folder / CREDENTIALS).read_text())
        return isinstance(found, dict) and found.keys() - {"console_secret"} == {"webhook_secret", "tokens"}
    files = list(_files_in(folder))
    return files == [folder / _LOCK] and not files[0].stat().st_size


def _foreign_in(folder: Path, *, all_of_it: bool = False) -> Iterator[str]:
    """Yield the names of the entries in the folder that lull did not make. `all_of_it`: lull made none of the entries,
    so yield all their names.
    """
    known = _NOTHING if all_of_it else _NOTHING | ENTRIES | {_LOCK, MARKER}
    if folder.is_dir():
        yield from (entry.name for entry in folder.iterdir() if entry.name not in known)


def _files_in(folder: Path) -> Iterator[Path]:
    return (Path(place) / name for place, _, names in os.walk(folder) for name in names if name not in _NOTHING)
