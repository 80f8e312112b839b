"""Local clouds of tests, and lull's own programs: forked of one process that has imported lull, once for a test worker.

What a part or a program imports is most of the processor time of its start. What reads settings when it is imported is
not imported here: a fork reads its own.
"""

import ast
import atexit
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

from local.cloud import CloudSpec
from local.parts import FUNCTIONS, PARTS
from local.processes import ROOT
from local.stem import shared_stem

#: where modules of lull's are that programs import
PACKAGES = ("local", "shared")
#: what reads settings when it is imported
READING = "shared.bootstrap"


def forked(**how: Any) -> CloudSpec:
    """A local cloud whose parts are forked."""
    return CloudSpec(is_forked=True, stem=stem(), **how)


@cache
def stem() -> str:
    """The path of this process's stem, which ends with it; empty where nothing is forked."""
    if sys.platform != "linux":
        return ""
    stack = ExitStack()
    atexit.register(stack.close)
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="stem-"))
    path = Path(folder) / "stem"
    stack.enter_context(shared_stem(path, str(ROOT), sorted(set(_imported()))))
    return str(path)


def _imported() -> Iterator[str]:
    """The modules that the programs of all parts import."""
    for file in _programs():
        for node in ast.walk(ast.parse(file.read_text())):
            name = node.module if isinstance(node, ast.ImportFrom) else None
            if name and name.partition(".")[0] in PACKAGES and not name.startswith(READING):
                yield name


def _programs() -> Iterator[Path]:
    yield from (ROOT / "shared" / "bootstrap").glob("*.py")
    yield from (ROOT / "functions").glob("*/main.py")
    for part in {*PARTS} - {*FUNCTIONS}:
        package = ROOT / "local" / part
        yield package / "__main__.py" if package.is_dir() else package.with_suffix(".py")
