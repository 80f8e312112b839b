"""Discovery: the modules of a package that holds one capability each (a kind of task, a tool, a command).

Whatever lists them asks here, so that one more is one more file. Bundling reads the package's name from the call, and
ships the package whole: name it as a literal.
"""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


def modules_of(package: str) -> tuple[ModuleType, ...]:
    """Every module of a package, imported, in the order of their names; packages inside it are left out.

    Raises ImportError.
    """
    found = import_module(package)
    names = sorted(info.name for info in iter_modules(found.__path__) if not info.ispkg)
    return tuple(import_module(f"{package}.{name}") for name in names)
