"""The structure of the code: what a function imports, how deep the calls go, where a kind is chosen by, how long it is.

The source is read, nothing runs. `python -m benchmarks.structure FOLDER…` measures other trees, such as a checkout of
an earlier commit. `tests/test_architecture.py` holds the aims.
"""

import ast
import json
import statistics
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks.static.calls import CallGraph, shortest_chain
from benchmarks.static.dispatch import Place, places
from benchmarks.static.program import Function, Program, parsed, read_program, statements
from infra.imports import discovered_names, imported_files, imported_names

ROOT = Path(__file__).resolve().parents[1]
FUNCTIONS = ("webhook", "tick", "summarize")
PLANNER = "shared/planning/planner.py"
#: makes the parts before there is anything to do: no step of the way from a wake to the model
WIRING = "shared.bootstrap"
CHOOSERS = ("shared", "local", "operations", "benchmarks")
#: what a module of one task, tool or command calls its declaration
DECLARATIONS = {"TASK", "TOOL", "COMMAND"}
#: lines of a module that is tiny
TINY = 30

Graph: TypeAlias = Mapping[str, frozenset[str]]


async def measure() -> dict[str, Any]:
    """The figures of this tree."""
    return figures(ROOT)


def figures(root: Path) -> dict[str, Any]:
    """All figures of the tree below `root`."""
    chain, chosen = way_to_model(root), dispatching(root)
    return {
        **{f"{name}_modules": len(modules_of_function(root, name)) for name in FUNCTIONS},
        "tick_modules_besides_capabilities": len(modules_of_function(root, "tick") - capabilities(root)),
        **_lengths(root),
        "depth_to_model": len(chain) - 1,
        "way_to_model": [function.place for function in chain],
        "dispatch_places": len(chosen) + 1,
        "chosen_in": [f"{place.path}:{place.line} {place.text}" for place in chosen],
        "module_cycles": cycles(imports(root)),
        "package_cycles": cycles(by_package(imports(root))),
        **_importers(root),
    }


def modules_of_function(root: Path, name: str) -> frozenset[Path]:
    """The modules that a function's import reaches: its `main.py`, and those of `shared` but for `__init__.py`."""
    main = root / "functions" / name / "main.py"
    return frozenset({main, *(file for file in imported_files(main, root) if file.name != "__init__.py")})


def capabilities(root: Path) -> frozenset[Path]:
    """The modules that are found by their files and add one thing: a kind of task, a tool, a command, or records."""
    names = {name for file in python_files(root, "shared") for name in discovered_names(file, root)}
    files = (root.joinpath(*name.split(".")).with_suffix(".py") for name in names)
    return frozenset(file for file in files if file.parent.name == "records" or _declares_one(file))


def _declares_one(file: Path) -> bool:
    for node in parsed(file.read_text()).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id in DECLARATIONS for target in targets):
            return True
    return False


def way_to_model(root: Path) -> Sequence[Function]:
    """The shortest chain of calls from the tick's entry to the model, through the planner.

    Closures and callbacks are part of the function that they stand in, so a call through one is not seen as two.
    """
    main = root / "functions" / "tick" / "main.py"
    program = read_program(root, [main, *imported_files(main, root)])
    return shortest_chain(
        CallGraph(program),
        program.modules["functions.tick.main"].functions["tick"],
        is_passed=lambda function: function.module.path == PLANNER,
        is_end=lambda function: function.name == "generate",
        is_left_out=lambda function: function.module.name.startswith(WIRING),
    )


def dispatching(root: Path) -> list[Place]:
    """The places outside of the kinds' own modules and their registry that choose by a task's kind."""
    return places(program_of(root, *CHOOSERS))


def program_of(root: Path, *folders: str) -> Program:
    """Everything in these folders."""
    return read_program(root, python_files(root, *folders))


def python_files(root: Path, *folders: str) -> list[Path]:
    """Every Python file below these folders of a tree."""
    return [file for folder in folders for file in sorted((root / folder).rglob("*.py"))]


def imports(root: Path) -> Graph:
    """Which modules of `shared` each of them imports itself, lazily or not."""
    modules = {_dotted(root, file): file for file in python_files(root, "shared")}
    return {name: _targets(imported_names(file), modules) - {name} for name, file in modules.items()}


def _targets(names: Iterable[str], modules: Mapping[str, Path]) -> frozenset[str]:
    """The modules that are named; for a name inside a module, that module."""
    wanted = {name if name in modules else name.rpartition(".")[0] for name in names}
    return frozenset(name for name in wanted if name in modules and name != "shared")


def by_package(graph: Graph) -> Graph:
    """The same between the packages of `shared`; a module that lies in none stands for itself."""
    found: dict[str, set[str]] = {}
    for name, targets in graph.items():
        if name != "shared":
            own = name.split(".")[1]
            found.setdefault(own, set()).update({t.split(".")[1] for t in targets} - {own})
    return {name: frozenset(targets) for name, targets in found.items()}


def cycles(graph: Graph) -> list[list[str]]:
    """The groups of things that all import each other, directly or through others."""
    reached = {name: _reached(graph, name) for name in graph}
    groups = {tuple(sorted(o for o in reached[name] if name in reached.get(o, ()))) for name in graph}
    return sorted(list(group) for group in groups if group)


def _reached(graph: Graph, start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = set(graph.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return found


def _importers(root: Path) -> dict[str, int]:
    """Modules that only one other needs; what is found by its file (a capability) is not cut from anything."""
    discovered = {name for file in python_files(root, "shared") for name in discovered_names(file, root)}
    modules = {_dotted(root, file): file for file in python_files(root, "shared", "functions")}
    imported = [_targets(imported_names(file), modules) - {name} for name, file in modules.items()]
    single = [
        file
        for name, file in modules.items()
        if file.name != "__init__.py" and name not in discovered and sum(name in targets for targets in imported) == 1
    ]
    return {
        "modules_with_one_importer": len(single),
        "tiny_with_one_importer": sum(len(file.read_text().splitlines()) <= TINY for file in single),
    }


def _lengths(root: Path) -> dict[str, Any]:
    files = {file: len(file.read_text().splitlines()) for file in python_files(root, "shared")}
    modules = [lines for file, lines in files.items() if file.name != "__init__.py"]
    functions = {
        place: node for file in python_files(root, "shared", "functions") for place, node in _functions(root, file)
    }
    lines = {place: (node.end_lineno or 0) - node.lineno + 1 for place, node in functions.items()}
    longest_file, longest_function = max(files, key=lambda f: files[f]), max(lines, key=lambda f: lines[f])
    return {
        "shared_modules": len(modules),
        "median_module_lines": statistics.median(modules),
        "median_file_lines": statistics.median(files.values()),
        "p90_file_lines": _p90(files.values()),
        "longest_file": [longest_file.relative_to(root).as_posix(), files[longest_file]],
        "median_function_lines": statistics.median(lines.values()),
        "p90_function_lines": _p90(lines.values()),
        "longest_function": [longest_function, lines[longest_function]],
        "p90_parameters": _p90(_parameters(node) for node in functions.values()),
    }


def _functions(root: Path, file: Path) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for node in statements(parsed(file.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{file.relative_to(root).as_posix()}:{node.lineno} {node.name}", node


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    named = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    return len([name for name in named if name not in {"self", "cls"}])


def _p90(values: Iterable[int]) -> int:
    """The smallest value that nine in ten are not above."""
    ranked = sorted(values)
    return ranked[-(-len(ranked) * 9 // 10) - 1]


def _dotted(root: Path, file: Path) -> str:
    parts = file.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


if __name__ == "__main__":
    trees = [Path(name).resolve() for name in sys.argv[1:]]
    for tree in trees or [ROOT]:
        print(json.dumps({"bench": "structure", **figures(tree)}, indent=1))
