"""Imports of lull's own modules for the fork servers of tests, as no code changes during a run.

Modules that read settings on import are left out: a fork reads its own.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from local.parts import FUNCTIONS, PARTS
from local.preload import import_all
from local.processes import ROOT
from shared.console.route import console_routes

#: the folders of lull's modules
PACKAGES = ("local", "shared")
#: modules that read settings on import, except the settings themselves
READING, SETTINGS = "shared.wiring.", "shared.wiring.settings"


def _imported() -> Iterator[str]:
    """Yield the modules that programs of all parts import."""
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
# the console finds its views by their files, and imports them with its first request
console_routes()
