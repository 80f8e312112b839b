"""What lull's own programs import of lull, for the fork servers of tests: no code changes while they run.

What reads settings when it is imported is left out: a fork reads its own.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from local.parts import FUNCTIONS, PARTS
from local.preload import import_all
from local.processes import ROOT

#: where modules of lull's are that programs import
PACKAGES = ("local", "shared")
#: what reads settings when it is imported, but for the settings themselves
READING, SETTINGS = "shared.wiring.", "shared.wiring.settings"


def _imported() -> Iterator[str]:
    """The modules that the programs of all parts import."""
    for file in _programs():
        for node in ast.walk(ast.parse(file.read_text())):
            name = node.module if isinstance(node, ast.ImportFrom) else None
            if name and name.partition(".")[0] in PACKAGES and not _reads_settings(name):
                yield name


def _reads_settings(name: str) -> bool:
    return name.startswith(READING) and not name.startswith(SETTINGS)


def _programs() -> Iterator[Path]:
    yield from (ROOT / "shared" / "wiring").glob("*.py")
    yield from (ROOT / "functions").glob("*/main.py")
    for part in {*PARTS} - {*FUNCTIONS}:
        package = ROOT / "local" / part
        yield package / "__main__.py" if package.is_dir() else package.with_suffix(".py")


import_all(sorted({*_imported()}))
