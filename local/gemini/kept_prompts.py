"""Stores prompts that a model has read: the engine's state after each prompt, by the hashes of the model and the
prompt.

A stored file is a SHA-256 followed by the state. A state with another hash is never given to the engine, since a
truncated state would crash it.
"""

import hashlib
import json
import os
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

HASH_BYTES = 32
SUFFIX = ".prompt"

#: limit in bytes for all files; a state has some 30 MB for a thousand tokens of the downloaded model
MOST_BYTES = 512 * 1024 * 1024

#: a model's file is identified by its size and this many samples, because hashing gigabytes takes seconds at each start
SAMPLES, SAMPLE_BYTES = 16, 64 * 1024


class KeptPrompts:
    """The states of prompts in one folder. The least recently used ones are deleted if there are too many bytes."""

    def __init__(self, folder: Path, model: str, max_bytes: int = MOST_BYTES) -> None:
        """Use a folder. `model` is the hash of the model's file."""
        self._folder, self._model, self._max_bytes = folder, model, max_bytes

    def get(self, tokens: Sequence[int]) -> bytes | None:
        """Return the state after these tokens, or None if there is none or it is damaged."""
        file = self._file(tokens)
        try:
            content = file.read_bytes()
            file.touch()
        except OSError:
            return None
        state = content[HASH_BYTES:]
        return state if hashlib.sha256(state).digest() == content[:HASH_BYTES] else None

    def put(self, tokens: Sequence[int], state: bytes) -> None:
        """Store a state. If the disk is full it is not stored, and the prompt is read anew next time."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            file = self._file(tokens)
            begun = file.with_name(f"{file.name}.{os.getpid()}.part")
            try:
                begun.write_bytes(hashlib.sha256(state).digest() + state)
                begun.replace(file)
            finally:
                begun.unlink(missing_ok=True)
            self._drop_the_oldest()
        except OSError:
            return

    def _file(self, tokens: Sequence[int]) -> Path:
        known = json.dumps([version("xllamacpp"), self._model, list(tokens)])
        return self._folder / f"{hashlib.sha256(known.encode()).hexdigest()}{SUFFIX}"

    def _drop_the_oldest(self) -> None:
        files = sorted(self._folder.glob(f"*{SUFFIX}"), key=lambda file: file.stat().st_mtime_ns, reverse=True)
        total = 0
        for file in files:
            total += file.stat().st_size
            if total > self._max_bytes:
                file.unlink(missing_ok=True)


def model_hash(file: Path) -> str:
    """Return a hash that identifies a model's file, from its size and samples of its content."""
    size = file.stat().st_size
    known = hashlib.sha256(str(size).encode())
    with file.open("rb") as opened:
        for number in range(SAMPLES):
            opened.seek(max(0, size - SAMPLE_BYTES) * number // (SAMPLES - 1))
            known.update(opened.read(SAMPLE_BYTES))
    return known.hexdigest()
