"""Finds the files of `shared/` that a function imports, without running the code."""

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

PACKAGE = "shared"
#: the function (shared/base/discovery.py) that imports all modules of the folders that it is given
DISCOVERY = "modules_of"


def imported_files(main: Path, root: Path) -> frozenset[Path]:
    """Return the files of `shared/` below `root` that `main` imports, directly or indirectly.

    Raises ImportError for a module that does not exist.
    """
    found: set[Path] = set()
    seen: set[str] = set()
    waiting = [main]
    while waiting:
        file = waiting.pop()
        names = {*imported_names(file), *discovered_names(file, root)} - seen
        seen |= names
        for name in sorted(names):
            new = _files_of(name, root) - found
            found |= new
            waiting += new
    return frozenset(found)


def imported_names(file: Path) -> Iterator[str]:
    """Yield the dotted names of `shared` that a file imports. For `from a import b`, yield both `a` and `a.b`."""
    for node in _import_nodes(file.read_text(), file.name):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level or not node.module:
                raise ImportError(
                    f"{file} has a relative import in line {node.lineno}; import the module by its full name"
                )
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:  # a call
            continue
        yield from (name for name in names if name.split(".")[0] == PACKAGE)


def discovered_names(file: Path, root: Path) -> Iterator[str]:
    """Yield the dotted names of the modules that a file imports by calls of `modules_of`."""
    for node in _import_nodes(file.read_text(), file.name):
        if isinstance(node, ast.Call):
            folder, package, *_ = (*(ast.literal_eval(argument) for argument in node.args), PACKAGE)
            above = root.joinpath(*package.split("."))
            homes = (above, *sorted(path for path in above.iterdir() if path.is_dir()))
            for module in (path for home in homes for path in _modules_in(home, folder)):
                yield ".".join(module.relative_to(root).with_suffix("").parts)


def _modules_in(home: Path, folder: str) -> list[Path]:
    alone = (home / folder).with_suffix(".py")
    return [alone] if alone.is_file() else sorted((home / folder).glob("*.py"))


@lru_cache(maxsize=4096)  # several functions import the same files
def _import_nodes(text: str, name: str) -> tuple[ast.Import | ast.ImportFrom | ast.Call, ...]:
    """Return the imports that a module may run, and its calls that discover modules."""
    # imports are never inside expressions, which are most of a file
    passed_over = () if DISCOVERY in text else (ast.expr,)
    return tuple(
        node
        for node in _run_nodes(ast.parse(text, name), passed_over)
        if isinstance(node, ast.Import | ast.ImportFrom) or (isinstance(node, ast.Call) and _searches(node))
    )


def _searches(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == DISCOVERY


def _run_nodes(tree: ast.AST, passed_over: tuple[type[ast.AST], ...]) -> Iterator[ast.AST]:
    """Yield every node that may run, except nodes of the types `passed_over`, and their children."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        is_for_types = isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        children = node.orelse if isinstance(node, ast.If) and is_for_types else ast.iter_child_nodes(node)
        waiting += [child for child in children if not isinstance(child, passed_over)]


def _files_of(name: str, root: Path) -> set[Path]:
    """Return the files of a module and of its packages. For a name inside a module, return those of the module."""
    parts = name.split(".")
    packages = {root.joinpath(*parts[:n], "__init__.py") for n in range(1, len(parts) + 1)}
    module = root.joinpath(*parts).with_suffix(".py")
    above = root.joinpath(*parts[:-1])
    is_name_inside = above.with_suffix(".py").is_file() or (above / "__init__.py").is_file()
    if not module.is_file() and not root.joinpath(*parts, "__init__.py").is_file() and not is_name_inside:
        raise ImportError(f"there is no module {name}")
    return {file for file in {module, *packages} if file.is_file()}
