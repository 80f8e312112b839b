"""Small programs to analyse."""

from pathlib import Path
from textwrap import dedent

from benchmarks.static.program import Program, read_program


def program(folder: Path, **sources: str) -> Program:
    """Return a program with these modules below `shared`: `a__b` is a/b.py, `a__package` is a/__init__.py."""
    files = []
    for name, source in sources.items():
        file = folder / "shared" / f"{name.replace('__', '/').replace('package', '__init__')}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(source))
        files.append(file)
    return read_program(folder, files)
