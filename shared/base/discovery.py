"""Finds modules by their folders. Each module defines one capability: a kind of task, a tool, or a command.

All lists of capabilities are made by this module, so a new capability needs only a new file. The bundler finds the
calls of `modules_of` in the code, so the folder's name must be a string literal there.
"""

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType

PACKAGE = "shared"


def modules_of(folder: str, package: str = PACKAGE) -> tuple[ModuleType, ...]:
    """Import and return all modules of `<package>/<folder>` and of each `<package>/<feature>/<folder>`.

    A feature may have `<feature>/<folder>.py` instead. The modules are sorted by name. Packages inside the folder, and
    modules whose names begin with `_`, are left out. Raises ImportError if there is no module.
    """
    features = sorted(info.name for info in iter_modules(import_module(package).__path__) if info.ispkg)
    homes = (f"{package}.{folder}", *(f"{package}.{feature}.{folder}" for feature in features))
    names = sorted((name for home in homes for name in _names_in(home)), key=lambda name: name.rpartition(".")[2])
    if not names:
        raise ImportError(f"no folder or module {folder!r} in {package} or its features")
    return tuple(import_module(name) for name in names)


def _names_in(home: str) -> Iterator[str]:
    spec = find_spec(home)
    if spec is None:
        return
    if spec.submodule_search_locations is None:
        yield home
    else:
        found = iter_modules(spec.submodule_search_locations)
        yield from (f"{home}.{info.name}" for info in found if not info.ispkg and info.name[0] != "_")
