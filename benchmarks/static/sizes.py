"""Sizes of the code: lines of functions, numbers of parameters, and numbers of fields."""

import ast
from collections.abc import Iterable, Iterator, Mapping

from benchmarks.static.program import Class, FunctionNode, Module, Program, statements


def lines_of_functions(modules: Iterable[Module]) -> Mapping[str, int]:
    """Return the number of lines of each function, by the function's place."""
    return {place: (node.end_lineno or 0) - node.lineno + 1 for place, node in _functions(modules)}


def parameters_of_functions(modules: Iterable[Module]) -> list[int]:
    """Return the number of parameters of each function, without `self`."""
    return [_parameters(node) for _, node in _functions(modules)]


def fields_of_classes(program: Program) -> Mapping[str, int]:
    """Return the number of fields of each class, including inherited fields, by the class's place.

    Classes of settings are left out: their fields are environment variables, which cannot be grouped.
    """
    return {
        f"{a_class.module.path}:{a_class.node.name}": len({f for base in program.bases(a_class) for f in _fields(base)})
        for a_class in program.classes()
        if not _is_settings(program, a_class)
    }


def p90(values: Iterable[int]) -> int:
    """Return the 90th percentile: the smallest of the values that at least nine in ten values do not exceed."""
    ranked = sorted(values)
    return ranked[-(-len(ranked) * 9 // 10) - 1]


def _functions(modules: Iterable[Module]) -> Iterator[tuple[str, FunctionNode]]:
    for module in modules:
        for node in statements(module.tree):
            if isinstance(node, FunctionNode):
                yield f"{module.path}:{node.lineno} {node.name}", node


def _parameters(node: FunctionNode) -> int:
    named = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    return len([name for name in named if name not in {"self", "cls"}])


def _fields(a_class: Class) -> Iterator[str]:
    """Yield the fields that a class declares in its body, and those that its `__init__` sets."""
    for node in a_class.node.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and not _is_of_class(node.annotation):
            yield node.target.id
    if (begin := a_class.methods.get("__init__")) is not None:
        for part in ast.walk(begin.node):
            if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) and _is_self(part.value):
                yield part.attr


def _is_settings(program: Program, a_class: Class) -> bool:
    """Return whether the class is one that pydantic-settings reads from environment variables."""
    names = (ast.unparse(node) for base in program.bases(a_class) for node in base.node.bases)
    return any(name.rpartition(".")[2] == "BaseSettings" for name in names)


def _is_of_class(annotation: ast.expr) -> bool:
    return ast.unparse(annotation).partition("[")[0].endswith("ClassVar")


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"
