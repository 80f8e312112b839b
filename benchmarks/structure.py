"""The structure of the code: its size, its imports, the walk of a reader through a tick, and its names.

Most figures come from parsing the source. To count frames of the call stack, one message takes the whole path
(`benchmarks/frames.py`). `python -m benchmarks.structure FOLDER…` reads other source trees, such as a checkout of an
earlier commit, without running their code. docs/benchmarks.md explains figures whose names do not.
`tests/test_architecture.py` enforces today's values as limits.
"""

import ast
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.frames import depths
from benchmarks.static.calls import CallGraph
from benchmarks.static.dispatch import places
from benchmarks.static.imports import by_package, cycles, imports, with_one_importer
from benchmarks.static.program import Module, Program, parse, read_program
from benchmarks.static.sizes import fields_of_classes, lines_of_functions, p90, parameters_of_functions
from benchmarks.static.walk import Walk, walk
from benchmarks.static.words import lone_participles, names_used_twice, question_docstrings
from infra.imports import discovered_names, imported_files

ROOT = Path(__file__).resolve().parents[1]
#: the aims: for each figure the largest value that is wanted
AIMS: Mapping[str, int] = {
    "shared_lines": 48_000,
    "shared_files": 400,
    "shared_packages": 24,
    "packages_in_cycles": 0,
    "modules_in_cycles": 0,
    "walk_modules": 35,
    "walk_returns": 90,
    "frames_to_model": 8,
    "modules_with_one_importer": 40,
    "most_fields": 15,
    "classes_above_15_fields": 0,
    "class_names_used_twice": 0,
    "lone_participles": 0,
    "question_docstrings": 0,
    "longest_file": 400,
    "longest_function": 40,
    "p90_parameters": 4,
    "dispatch_places": 1,
}
#: today's values of the figures, as limits. If a change lowers a figure, lower its limit here. To raise a limit, give
#: the reason in docs/benchmarks.md#limits-that-were-raised
LIMITS: Mapping[str, int] = {
    "shared_lines": 93_460,
    "shared_files": 722,
    "shared_packages": 24,
    "packages_in_cycles": 0,
    "modules_in_cycles": 0,
    "webhook_modules": 30,
    "walk_modules": 63,
    "walk_returns": 152,
    "frames_to_model": 8,
    "frames_to_adapter": 10,
    "frames_to_store": 5,
    "modules_with_one_importer": 96,
    "most_fields": 35,
    "classes_above_15_fields": 9,
    "class_names_used_twice": 0,
    "lone_participles": 19,
    "question_docstrings": 0,
    "p90_function": 16,
    "p90_parameters": 3,
    "dispatch_places": 3,
}
#: figures that are measured by running the code
OF_A_RUN = frozenset({"frames_to_model", "frames_to_adapter", "frames_to_store"})
#: packages that create the services before a message has to be processed; they are not part of a walk
WIRING = ("shared.wiring",)
#: packages at which a walk ends, since the code inside of a store's method does not help to understand a tick
ADAPTERS = frozenset(
    {"store", "documents", "archives", "cloud", "gemini", "openai", "outbound", "reader", "media_files", "media_reader"}
)
CHOOSERS = ("shared", "local", "operations", "benchmarks")
#: names of the variable by which a module declares a kind of task, a tool or a command
DECLARATIONS = {"TASK", "TOOL", "COMMAND"}
MANY_FIELDS = 15


async def measure() -> dict[str, Any]:
    """Return the figures of this source tree, including those that are measured by running the code, with their
    aims.
    """
    return beside_aims(figures(ROOT) | await depths())


def beside_aims(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures, their aims, and the names of figures that miss their aims."""
    aims = {name: aim for name, aim in AIMS.items() if name in found}
    return {**found, "aims": aims, "missed": [name for name, aim in aims.items() if found[name] > aim]}


def figures(root: Path) -> dict[str, Any]:
    """Return the figures of a source tree for which no code has to run."""
    program = program_of(root, "shared", "functions")
    modules = list(program.modules.values())
    way, chosen = walk_of(root, "tick"), places(program_of(root, *CHOOSERS))
    return {
        **_sizes(root, program),
        **_imports(root, program),
        "walk_modules": len(way.modules),
        "walk_returns": way.returns,
        "dispatch_places": len(chosen) + 1,
        "chosen_in": [f"{place.path}:{place.line} {place.text}" for place in chosen],
        "class_names_used_twice": len(twice := names_used_twice(modules)),
        "used_twice": twice,
        "lone_participles": len(lone_participles(modules)),
        "question_docstrings": len(question_docstrings(modules)),
    }


def walk_of(root: Path, function: str) -> Walk:
    """Return the walk from the entry point of the cloud function called `function`."""
    main = root / "functions" / function / "main.py"
    program = read_program(root, [main, *imported_files(main, root)])
    passed_over = {_dotted_name(root, file) for file in capabilities(root)}

    def is_left_out(module: Module) -> bool:
        is_adapter = not ADAPTERS.isdisjoint(module.name.split("."))
        return is_adapter or module.name.startswith(WIRING) or module.name in passed_over

    entry = program.modules[f"functions.{function}.main"].functions[function]
    return walk(CallGraph(program), entry, is_left_out)


def capabilities(root: Path) -> frozenset[Path]:
    """Return the modules that add one capability (a kind of task, a tool or a command). lull finds these modules by
    their file names.
    """
    files = [root.joinpath(*name.split(".")).with_suffix(".py") for name in _discovered_modules(root)]
    return frozenset(file for file in files if "documents" in {file.parent.name, file.stem} or _declares_one(file))


def program_of(root: Path, *folders: str) -> Program:
    """Return the program that consists of the Python files in these folders."""
    return read_program(root, python_files(root, *folders))


def python_files(root: Path, *folders: str) -> list[Path]:
    """Return every Python file below these folders of a tree."""
    return [file for folder in folders for file in sorted((root / folder).rglob("*.py"))]


def _sizes(root: Path, program: Program) -> dict[str, Any]:
    files = {file.relative_to(root).as_posix(): _lines(file) for file in python_files(root, "shared")}
    functions = lines_of_functions(program.modules.values())
    fields = fields_of_classes(program)
    file, function, a_class = (max(found, key=lambda name: found[name]) for found in (files, functions, fields))
    return {
        "shared_lines": sum(files.values()),
        "shared_files": len(files),
        "shared_packages": len({name.split("/")[1] for name in files if name.count("/") > 1}),
        "tests_lines": sum(_lines(file) for file in python_files(root, "tests")),
        "longest_file": files[file],
        "p90_file": p90(files.values()),
        "longest_function": functions[function],
        "p90_function": p90(functions.values()),
        "p90_parameters": p90(parameters_of_functions(program.modules.values())),
        "most_fields": fields[a_class],
        "classes_above_15_fields": sum(count > MANY_FIELDS for count in fields.values()),
        "largest": {"file": file, "function": function, "class": a_class},
    }


def _imports(root: Path, program: Program) -> dict[str, Any]:
    graph = imports(program)
    circles = cycles(by_package(graph)), cycles(graph)
    return {
        "packages_in_cycles": sum(map(len, circles[0])),
        "modules_in_cycles": sum(map(len, circles[1])),
        "circles": circles,
        "webhook_modules": len(_imported_modules(root, "webhook")),
        "modules_with_one_importer": len(with_one_importer(graph, _packages(root) | _discovered_modules(root))),
    }


def _imported_modules(root: Path, function: str) -> list[Path]:
    """Return the modules of `shared` that the cloud function called `function` imports, at its start or later."""
    found = imported_files(root / "functions" / function / "main.py", root)
    return [file for file in found if file.name != "__init__.py"]


def _packages(root: Path) -> set[str]:
    return {_dotted_name(root, file) for file in python_files(root, "shared") if file.name == "__init__.py"}


def _discovered_modules(root: Path) -> set[str]:
    return {name for file in python_files(root, "shared") for name in discovered_names(file, root)}


def _declares_one(file: Path) -> bool:
    for node in parse(file.read_text()).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id in DECLARATIONS for target in targets):
            return True
    return False


def _lines(file: Path) -> int:
    return len(file.read_text().splitlines())


def _dotted_name(root: Path, file: Path) -> str:
    parts = file.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def main(trees: Sequence[str]) -> None:
    """Print the figures of each source tree."""
    for tree in trees:
        print(json.dumps({"bench": "structure", "tree": tree, **beside_aims(figures(Path(tree).resolve()))}, indent=1))


if __name__ == "__main__":
    main(sys.argv[1:] or [str(ROOT)])
