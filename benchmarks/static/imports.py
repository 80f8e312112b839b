"""The graph of imports between modules. Imports that only type checkers need count too, since a reader needs both
modules.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TypeAlias

from benchmarks.static.program import Module, Program, statements

Graph: TypeAlias = Mapping[str, frozenset[str]]


def imports(program: Program) -> Graph:
    """Return, for each module, the modules of the program that it imports, at the top or inside of a function."""
    return {name: _targets(module, program.modules) - {name} for name, module in program.modules.items()}


def by_package(graph: Graph) -> Graph:
    """Return the graph of imports between the packages of `shared`. A module that is not in a package counts as a
    package of its own.
    """
    found: dict[str, set[str]] = {}
    for name, targets in graph.items():
        if name.startswith("shared."):
            own = name.split(".")[1]
            others = {target.split(".")[1] for target in targets if target.startswith("shared.")}
            found.setdefault(own, set()).update(others - {own})
    return {name: frozenset(targets) for name, targets in found.items()}


def cycles(graph: Graph) -> list[list[str]]:
    """Return the groups of modules that import each other, directly or indirectly."""
    reached = {name: _reachable(graph, name) for name in graph}
    groups = {tuple(sorted(o for o in reached[name] if name in reached.get(o, ()))) for name in graph}
    return sorted(list(group) for group in groups if group)


def with_one_importer(graph: Graph, left_out: Collection[str]) -> list[str]:
    """Return the modules of `shared` that exactly one other module imports."""
    counts = {name: 0 for name in graph if name.startswith("shared.") and name not in left_out}
    for targets in graph.values():
        for target in targets & counts.keys():
            counts[target] += 1
    return sorted(name for name, count in counts.items() if count == 1)


def _targets(module: Module, modules: Mapping[str, Module]) -> frozenset[str]:
    """Return the imported modules. If a name of a module is imported, the module of that name counts."""
    wanted = {name if name in modules else name.rpartition(".")[0] for name in _names(module)}
    return frozenset(name for name in wanted if name in modules and name != "shared")


def _names(module: Module) -> Iterator[str]:
    """Yield the dotted names of all imports. `from a import b` yields both `a` and `a.b`, since `b` may be a module."""
    for node in statements(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _reachable(graph: Graph, start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new: Iterable[str] = set(graph.get(waiting.pop(), ())) - found
        found |= set(new)
        waiting += new
    return found
