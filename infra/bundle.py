"""Bundles: what is uploaded for each function, as a folder or as a zip whose bytes depend on nothing but its content.

A function's folder is all that Google Cloud takes, so `agents/` and what it imports of `shared/` are laid beside its
`main.py`: a function is deployed anew only when something of its own changed.
`python -m infra.bundle [FUNCTION…]` writes `build/<function>.zip` for each.
"""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from infra.functions import declared_functions
from infra.imports import imported_files

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
#: a zip cannot hold an earlier moment; files carry no time of their own, so that equal sources are equal bytes
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
FILE_MODE = 0o100644 << 16
#: what a package of `shared/` has beside its modules; its README is for readers of the code alone
DATA = (".yaml", ".json")
#: what agents are made of
OF_AGENTS = (".md", *DATA)
#: the photos of personas
PHOTOS = (".jpg", ".jpeg", ".png", ".webp")


def function_names() -> tuple[str, ...]:
    """The names of the functions that there are."""
    return tuple(sorted(declared_functions()))


def bundle_files(function: str) -> dict[str, bytes]:
    """What a function's bundle holds: path in the bundle → bytes."""
    main = ROOT / "functions" / function / "main.py"
    imported = imported_files(main, ROOT)
    data = {file for folder in {one.parent for one in imported} for file in folder.glob("*") if file.suffix in DATA}
    agents = {file for file in (ROOT / "agents").rglob("*") if file.suffix.lower() in (*OF_AGENTS, *PHOTOS)}
    pages = {ROOT / page for page in declared_functions()[function].pages}
    beside = sorted(imported | data | agents | pages)
    return {
        "main.py": main.read_bytes(),
        **{file.relative_to(ROOT).as_posix(): file.read_bytes() for file in beside},
        "requirements.txt": requirements(function),
    }


def requirements(function: str) -> bytes:
    """What the function is deployed with, as locked, with hashes.

    With a pyproject.toml alone the buildpack would install what is for development and compile no bytecode.
    """
    group = declared_functions()[function].packages or function
    command = [uv(), "export", "--frozen", "--quiet", "--no-header", "--no-annotate", "--only-group", group]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout


def uv() -> str:
    """The uv that make uses: the one on the path, or the one that it fetched."""
    return shutil.which("uv") or str(ROOT / ".uv" / "bin" / "uv")


def stage(function: str, folder: Path) -> Path:
    """Lay a function's bundle out in a folder; returns the folder."""
    for path, content in bundle_files(function).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return folder


def write_zip(function: str, target: Path) -> Path:
    """Write a function's bundle as a zip; returns its path."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in sorted(bundle_files(function).items()):
            entry = zipfile.ZipInfo(path, ZIP_EPOCH)
            entry.external_attr = FILE_MODE
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return target


def main(names: list[str]) -> None:
    """Write the bundles that are named, or all."""
    unknown = sorted(set(names) - set(function_names()))
    if unknown:
        sys.exit(f"there is no function {', '.join(unknown)}; there are: {', '.join(function_names())}")
    for name in names or function_names():
        print(write_zip(name, BUILD / f"{name}.zip").relative_to(ROOT))


if __name__ == "__main__":
    main(sys.argv[1:])
