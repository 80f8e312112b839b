"""Prepares this checkout: finds or downloads uv, which installs what `uv.lock` lists.

`make` runs this file with any `python3`. So it uses only the standard library, and syntax that every Python 3 knows.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)
#: programs to try if `python3` itself is too old, newest first
OTHERS = ("python3.14", "python3.13", "python3.12", "python3.11")


class NotReady(Exception):
    """The checkout cannot be made ready. The text says what to do."""


def is_synced(root: Path) -> bool:
    """Return whether the environment was last installed from the current `uv.lock`."""
    stamp = _stamp(root)
    return (root / ".venv/bin/python").exists() and stamp.exists() and stamp.read_text() == _lock_hash(root)


def find_uv(root: Path, path: str) -> str:
    """Return the path of uv, from `path` or from `.uv` in the checkout; an empty string if there is none."""
    own = root / ".uv/bin/uv"
    return shutil.which("uv", path=path) or (str(own) if own.exists() else "")


def fetch_uv(root: Path, python: str) -> str:
    """Install uv into `.uv` with venv or pip, whichever this Python has. Raises NotReady."""
    folder = root / ".uv"
    own = folder / "bin/uv"
    in_venv = [[python, "-m", "venv", str(folder)], [str(folder / "bin/python"), "-m", "pip", "install", "-q", "uv"]]
    by_pip = [[python, "-m", "pip", "install", "-q", "--target", str(folder), "uv"]]
    for commands in (in_venv, by_pip):
        if all(_succeeds(command) for command in commands) and own.exists():
            return str(own)
        shutil.rmtree(str(folder), ignore_errors=True)
    raise NotReady(
        "uv is missing, and cannot be downloaded because this Python has neither venv nor pip. Install venv "
        "(Debian: `apt-get install python3-venv`) or uv (https://docs.astral.sh/uv), then try again."
    )


def sync(root: Path, uv: str, python: str) -> None:
    """Install the packages of the lock file. Raises NotReady."""
    command = [uv, "sync", "--frozen", "--quiet"]
    if not (root / ".venv").exists():
        command += ["--python", python]
    # the packages are compiled to bytecode now, as in the cloud: a function that has to compile its libraries takes
    # seconds longer to start
    env = dict(os.environ, UV_COMPILE_BYTECODE="1")
    env.pop("VIRTUAL_ENV", None)
    if subprocess.call(command, cwd=str(root), env=env) != 0:
        raise NotReady("The packages could not be installed; see above. Check the network and try again.")
    _stamp(root).write_text(_lock_hash(root))


def make_importable(root: Path) -> None:
    """Let programs of the environment, such as `functions-framework`, import lull's packages from this checkout."""
    if (root / ".venv").resolve().parent != root.resolve():
        return  # the environment belongs to another checkout
    for packages in (root / ".venv").glob("lib/python3.*/site-packages"):
        file, line = packages / "lull.pth", str(root) + "\n"
        if not file.exists() or file.read_text() != line:
            file.write_text(line)


def newer_python(path: str) -> str:
    """Return the path of a Python that is new enough, from the folders in `path`; an empty string if there is none."""
    for name in OTHERS:
        found = shutil.which(name, path=path)
        if found and _succeeds([found, "-c", "pass"]):
            return found
    return ""


def make_ready(root: Path) -> None:
    """Install everything that is missing or outdated (usually nothing). Raises NotReady."""
    uv = find_uv(root, os.environ.get("PATH", os.defpath))
    if uv and is_synced(root):
        make_importable(root)
        return
    if sys.version_info < OLDEST:
        found = newer_python(os.environ.get("PATH", os.defpath))
        if not found:
            wanted, have = ".".join(map(str, OLDEST)), ".".join(map(str, sys.version_info[:2]))
            raise NotReady("lull needs Python " + wanted + " or newer, but this is " + have + ". Install a newer one.")
        os.execv(found, [found, "-I", __file__])
    is_first = not (root / ".venv").exists()
    print("First time: installing, about a minute ..." if is_first else "Installing what has changed ...", flush=True)
    sync(root, uv or fetch_uv(root, sys.executable), sys.executable)
    make_importable(root)


def _succeeds(command: "list[str]") -> bool:
    try:
        return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def _lock_hash(root: Path) -> str:
    return hashlib.sha256((root / "uv.lock").read_bytes()).hexdigest()


def _stamp(root: Path) -> Path:
    return root / ".venv" / "lull-lock"


if __name__ == "__main__":
    try:
        make_ready(ROOT)
    except NotReady as problem:
        sys.exit(str(problem))
