"""Places where code decides by a task's kind. Each of them may have to be changed when a kind is added.

A place is an expression or statement that decides by kinds, and names them by their classes or by strings:
`isinstance`, `is`, a `match`, a table, a comparison, a collection of names, a regular expression of names, a union.
Creating a task does not count, and neither does code in the module that defines a kind.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from benchmarks.static.program import Class, Module, Program

PACKAGE = "shared.tasks"
REGISTRY = f"{PACKAGE}.registry"
#: the base class of every kind: its full name, and a unique class name that also identifies it
BASE = f"{PACKAGE}.task.Task"
BASE_NAME = "TaskBase"
CHOOSING = frozenset({"isinstance", "issubclass"})
#: calls on a value of this name are calls of the module for regular expressions
EXPRESSIONS = "re"
#: types of nodes that may be places; and types of nodes that neither are places nor contain any (most nodes of a file
#: are of these types)
MAY_CHOOSE = (ast.Call, ast.Match, ast.Dict, ast.Compare, ast.Tuple, ast.List, ast.Set, ast.BinOp)
NEITHER = (ast.Name, ast.Constant, ast.expr_context, ast.operator, ast.boolop, ast.unaryop, ast.cmpop)


@dataclass(frozen=True)
class Kinds:
    """The kinds of task that a program has: their classes and the strings that name them."""

    program: Program

    @cached_property
    def classes(self) -> frozenset[Class]:
        """The subclasses of the tasks' base class; and other classes, in the same package or in modules that import the
        base class, that declare a `kind` as a task does.
        """
        return frozenset(c for c in self.program.classes() if self._is_made_from_base(c) or self._is_beside(c))

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the kinds: `send`, `wait`, …"""
        return frozenset(name for c in self.classes if (name := declared_name(c)))

    def _is_made_from_base(self, a_class: Class) -> bool:
        return any(_is_base(base) for base in self.program.bases(a_class) if base is not a_class)

    def _is_beside(self, a_class: Class) -> bool:
        module = a_class.module
        names_base = module.name.startswith(PACKAGE) or any(
            dotted == BASE or dotted.endswith(f".{BASE_NAME}") for dotted in module.import_targets.values()
        )
        return names_base and bool(declared_name(a_class))


def _is_base(a_class: Class) -> bool:
    return a_class.node.name == BASE_NAME or f"{a_class.module.name}.{a_class.node.name}" == BASE


def declared_name(a_class: Class) -> str:
    """Return the value that the class declares for its field `kind`, or "" if the class declares no such field."""
    for node in a_class.node.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == "kind":
            values = [node.value, *(n for n in ast.walk(node.annotation))]
            return next((v.value for v in values if isinstance(v, ast.Constant) and isinstance(v.value, str)), "")
    return ""


@dataclass(frozen=True)
class Place:
    """A place that decides by kinds, with the first line of its code."""

    path: str
    line: int
    text: str


def places(program: Program) -> list[Place]:
    """Return every place that decides by kinds, except in the modules that define kinds and in the registry of
    kinds.
    """
    kinds = Kinds(program)
    own = {c.module for c in kinds.classes}
    modules = [m for m in program.modules.values() if m not in own and m.name != REGISTRY]
    return [place for module in modules for place in _Reader(kinds, module).places()]


@dataclass
class _Reader:
    """Finds the places in one module. A node inside of a place belongs to that place."""

    kinds: Kinds
    module: Module

    def places(self) -> Iterator[Place]:
        yield from self._below(self.module.tree)

    def _below(self, node: ast.AST) -> Iterator[Place]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, NEITHER):
                continue
            if isinstance(child, MAY_CHOOSE) and self._chooses(child):
                line = getattr(child, "lineno", 0)
                yield Place(self.module.path, line, _first_line(child))
                if isinstance(child, ast.Match):  # the bodies of the cases may contain further places
                    for case in child.cases:
                        for statement in case.body:
                            yield from self._below(ast.Module([statement], []))
            else:
                yield from self._below(child)

    def _chooses(self, node: ast.AST) -> bool:
        match node:
            case ast.Call(func=ast.Name(id=name), args=[_, kind]) if name in CHOOSING:
                return self._names_class(kind)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name)), args=[pattern, *_]) if name == EXPRESSIONS:
                return self._is_expression(pattern)
            case ast.Match(cases=cases):
                return any(self._is_pattern(case.pattern) for case in cases)
            case ast.Dict(keys=keys):
                return any(k is not None and self._is_class(k) for k in keys) or self._names(keys) > 1
            case ast.Compare(left=left, comparators=others):
                return any(self._is_class(n) or self._is_name(n) or self._is_collection(n, 1) for n in (left, *others))
            case ast.Tuple() | ast.List() | ast.Set():
                return self._is_collection(node, 2)
            case ast.BinOp(op=ast.BitOr()):
                return sum(self._is_class(n) for n in ast.walk(node)) > 1
        return False

    def _names(self, nodes: Iterable[ast.AST | None]) -> int:
        return sum(node is not None and self._is_name(node) for node in nodes)

    def _is_class(self, node: ast.AST) -> bool:
        if not isinstance(node, ast.Name | ast.Attribute):
            return False
        found = self.kinds.program.expression(self.module, node)
        return found is not None and found[0] in self.kinds.classes

    def _names_class(self, node: ast.AST) -> bool:
        """Return whether the node names the class of a kind, or a collection, union or alias that contains such a
        class.
        """
        if any(self._is_class(n) for n in ast.walk(node)):
            return True
        found = self.kinds.program.expression(self.module, node) if isinstance(node, ast.expr) else None
        if found is None or not isinstance(found[0], ast.expr):
            return False
        elsewhere = _Reader(self.kinds, found[1])
        return any(elsewhere._is_class(n) for n in ast.walk(found[0]))

    def _is_name(self, node: ast.AST) -> bool:
        """Return whether the node is a string with the name of a kind, or a constant that has such a string as its
        value.
        """
        if isinstance(node, ast.Name):
            found = self.kinds.program.in_module(self.module, node.id)
            if found is None or not isinstance(found[0], ast.expr):
                return False
            node = found[0]
        return isinstance(node, ast.Constant) and node.value in self.kinds.names

    def _is_collection(self, node: ast.AST, least: int) -> bool:
        if isinstance(node, ast.Name):
            found = self.kinds.program.in_module(self.module, node.id)
            node = found[0] if found is not None and isinstance(found[0], ast.expr) else node
        if isinstance(node, ast.Call) and node.args:
            node = node.args[0]
        elements = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else []
        return sum(self._is_name(e) or self._is_class(e) for e in elements) >= least

    def _is_pattern(self, pattern: ast.pattern) -> bool:
        return any(
            (isinstance(n, ast.MatchClass) and self._is_class(n.cls))
            or (isinstance(n, ast.MatchValue) and self._is_name(n.value))
            for n in ast.walk(pattern)
        )

    def _is_expression(self, pattern: ast.expr) -> bool:
        texts = (n.value for n in ast.walk(pattern) if isinstance(n, ast.Constant) and isinstance(n.value, str))
        words = {word for text in texts for word in re.findall(r"[a-z]+", text)}
        return len(words & self.kinds.names) > 1


def _first_line(node: ast.AST) -> str:
    return ast.unparse(node).partition("\n")[0][:100]
