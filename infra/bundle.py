"""Bundles: each function's files, as a folder or as a zip whose bytes depend only on its content.

Google Cloud accepts only a function's folder. So `agents/` and the imported part of `shared/` are copied beside its
`main.py`; a function is deployed again only if one of its files changed.
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
#: the earliest time that a zip can hold; all files get it, so that equal sources give equal bytes
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
FILE_MODE = 0o100644 << 16
#: the kinds of data files that are bundled with packages of `shared/`; READMEs are left out
DATA = (".yaml", ".json")
#: the kinds of files of agents that are bundled
OF_AGENTS = (".md", *DATA)
#: the photos of personas
PHOTOS = (".jpg", ".jpeg", ".png", ".webp")


def function_names() -> tuple[str, ...]:
    """Return the names of all functions."""
    return tuple(sorted(declared_functions()))


def bundle_files(function: str) -> dict[str, bytes]:
    """Return the files of a function's bundle: their contents by their paths in the bundle."""
    main = ROOT / "functions" / function / "main.py"
    imported = imported_files(main, ROOT)
    data = {file for folder in {one.parent for one in imported} for file in folder.glob("*") if file.suffix in DATA}
    agents = {file for file in (ROOT / "agents").rglob("*") if file.suffix.lower() in (*OF_AGENTS, *PHOTOS)}
    pages = {file for page in declared_functions()[function].pages for file in _files_of(ROOT / page)}
    beside = sorted(imported | data | agents | pages)
    return {
        "main.py": main.read_bytes(),
        **{file.relative_to(ROOT).as_posix(): file.read_bytes() for file in beside},
        "requirements.txt": requirements(function),
    }


def _files_of(page: Path) -> list[Path]:
    """Return a page, or the files of a folder of pages, without READMEs."""
    if page.is_file():
        return [page]
    return [file for file in page.rglob("*") if file.is_file() and file.suffix != ".md"]


def requirements(function: str) -> bytes:
    """Return the function's locked requirements, with hashes."""
    group = declared_functions()[function].packages or function
    command = [uv(), "export", "--frozen", "--quiet", "--no-header", "--no-annotate", "--only-group", group]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout


def uv() -> str:
    """Return the path of uv: the one on PATH, or the one that make installed."""
    return shutil.which("uv") or str(ROOT / ".uv" / "bin" / "uv")


def stage(function: str, folder: Path) -> Path:
    """Write a function's bundle into a folder, and return the folder."""
    for path, content in bundle_files(function).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return folder


def write_zip(function: str, target: Path) -> Path:
    """Write a function's bundle as a zip, and return its path."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in sorted(bundle_files(function).items()):
            entry = zipfile.ZipInfo(path, ZIP_EPOCH)
            entry.external_attr = FILE_MODE
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return target


def main(names: list[str]) -> None:
    """Write the named bundles, or all."""
    unknown = sorted(set(names) - set(function_names()))
    if unknown:
        sys.exit(f"unknown function {', '.join(unknown)}; expected one of: {', '.join(function_names())}")
    for name in names or function_names():
        print(write_zip(name, BUILD / f"{name}.zip").relative_to(ROOT))


if __name__ == "__main__":
    main(sys.argv[1:])
