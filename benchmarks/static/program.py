"""A program as read from its source: its modules, the names that each module binds, its functions, and its classes with
their fields and methods.
"""

import ast
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeAlias

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, eq=False)
class Function:
    """A function of a module, or a method of a class. Closures and lambdas inside of a function are part of that
    function.
    """

    name: str
    node: FunctionNode
    module: "Module"
    owner: "Class | None" = None

    @property
    def is_property(self) -> bool:
        """Whether the function is a property."""
        return any(ast.unparse(d).endswith("property") for d in self.node.decorator_list)

    @property
    def place(self) -> str:
        """The place of the function as `path:name`."""
        return f"{self.module.path}:{self.owner.node.name + '.' if self.owner else ''}{self.name}"


@dataclass(frozen=True, eq=False)
class Class:
    """A class, with the definitions in its own body (not the inherited ones)."""

    node: ast.ClassDef
    module: "Module"

    @cached_property
    def methods(self) -> Mapping[str, Function]:
        """The class's own methods by name."""
        nodes = (n for n in self.node.body if isinstance(n, FunctionNode))
        return {n.name: Function(n.name, n, self.module, self) for n in nodes}

    @cached_property
    def fields(self) -> Mapping[str, ast.expr]:
        """The annotations of the class's own attributes by name. They are taken from the class body, from `self.x: T =
        …`, from `self.x = parameter` with an annotated parameter, and from `self.x = Class(…)`.
        """
        found = {n.target.id: n.annotation for n in self.node.body if _is_annotated_name(n)}  # type: ignore[attr-defined]
        for method in self.methods.values():
            parameters = dict(annotated_parameters(method.node))
            for node in ast.walk(method.node):
                found.update(_attributes_set(node, parameters))
        return found

    @cached_property
    def is_protocol(self) -> bool:
        """Whether the class is a protocol."""
        return any(ast.unparse(base).split("[")[0].endswith("Protocol") for base in self.node.bases)


@dataclass(frozen=True, eq=False)
class Module:
    """One file. `name` is the module's dotted name, and `path` its path relative to the root of the source tree."""

    name: str
    path: str
    tree: ast.Module

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        """The module's own functions, by name."""
        return {n.name: Function(n.name, n, self) for n in self.tree.body if isinstance(n, FunctionNode)}

    @cached_property
    def classes(self) -> Mapping[str, Class]:
        """The module's own classes, by name."""
        return {n.name: Class(n, self) for n in self.tree.body if isinstance(n, ast.ClassDef)}

    @cached_property
    def values(self) -> Mapping[str, ast.expr]:
        """The values of module-level names."""
        found: dict[str, ast.expr] = {}
        for node in self.tree.body:
            if isinstance(node, ast.Assign):
                found.update({t.id: node.value for t in node.targets if isinstance(t, ast.Name)})
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
                found[node.target.id] = node.value
        return found

    @cached_property
    def import_targets(self) -> Mapping[str, str]:
        """The names that imports anywhere in the module bind, each with the dotted name of the imported thing."""
        found: dict[str, str] = {}
        for node in statements(self.tree):
            if isinstance(node, ast.Import):
                found.update({(a.asname or a.name.split(".")[0]): (a.asname and a.name) or a.name for a in node.names})
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.update({(a.asname or a.name): f"{node.module}.{a.name}" for a in node.names})
        return found


#: anything that a dotted name can stand for
Thing: TypeAlias = Module | Class | Function | ast.expr


@dataclass(frozen=True)
class Program:
    """All modules that were read, by name."""

    modules: Mapping[str, Module]
    _found: dict[str, tuple[Thing, Module] | None] = field(default_factory=dict)
    _bases: dict[Class, tuple[Class, ...]] = field(default_factory=dict)
    _methods: dict[Class, frozenset[str]] = field(default_factory=dict)

    def classes(self) -> Iterator[Class]:
        """Yield all classes."""
        for module in self.modules.values():
            yield from module.classes.values()

    def resolve(self, dotted: str) -> tuple[Thing, Module] | None:
        """Return the thing that a dotted name stands for, also through re-exports, and the thing's module. None if the
        program has no such thing.
        """
        if dotted not in self._found:
            self._found[dotted] = None  # also ends the search if modules re-export a name from each other in a circle
            self._found[dotted] = self._look_up(dotted)
        return self._found[dotted]

    def _look_up(self, dotted: str) -> tuple[Thing, Module] | None:
        if module := self.modules.get(dotted):
            return module, module
        above, _, name = dotted.rpartition(".")
        return self.in_module(self.modules[above], name) if above in self.modules else None

    def in_module(self, module: Module, name: str) -> tuple[Thing, Module] | None:
        """Return the thing that a name stands for inside of a module, and the thing's module."""
        here = module.functions.get(name) or module.classes.get(name) or module.values.get(name)
        if here is not None:
            return here, module
        return self.resolve(module.import_targets[name]) if name in module.import_targets else None

    def expression(self, module: Module, node: ast.expr) -> tuple[Thing, Module] | None:
        """Return the thing that a plain or dotted name stands for inside of a module, and the thing's module."""
        if isinstance(node, ast.Name):
            return self.in_module(module, node.id)
        if isinstance(node, ast.Attribute):
            above = self.expression(module, node.value)
            if above is not None and isinstance(above[0], Module):
                return self.in_module(above[0], node.attr) or self.resolve(f"{above[0].name}.{node.attr}")
        return None

    def bases(self, a_class: Class) -> tuple[Class, ...]:
        """Return the class itself, and its base classes that are part of the program."""
        if a_class not in self._bases:
            self._bases[a_class] = tuple(self._look_for_bases(a_class))
        return self._bases[a_class]

    def methods(self, a_class: Class) -> frozenset[str]:
        """Return the names of the class's methods, including inherited methods."""
        if a_class not in self._methods:
            self._methods[a_class] = frozenset(name for base in self.bases(a_class) for name in base.methods)
        return self._methods[a_class]

    def _look_for_bases(self, a_class: Class) -> Iterator[Class]:
        yield a_class
        for base in a_class.node.bases:
            plain = base.value if isinstance(base, ast.Subscript) else base
            found = self.expression(a_class.module, plain)
            if found is not None and isinstance(found[0], Class) and found[0] is not a_class:
                yield from self.bases(found[0])


def read_program(root: Path, files: Iterable[Path]) -> Program:
    """Parse `files`, which are below `root`, the root of a source tree."""
    modules = {}
    for file in files:
        relative = file.relative_to(root)
        parts = relative.with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        modules[name] = Module(name, relative.as_posix(), parse(file.read_text()))
    return Program(modules)


@lru_cache(maxsize=2048)
def parse(text: str) -> ast.Module:
    """Parse a text. The result is cached and must not be changed."""
    return ast.parse(text)


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a tree as `ast.walk` does, but no expressions, since these contain neither imports nor
    functions.
    """
    waiting = deque([tree])
    while waiting:
        node = waiting.popleft()
        yield node
        waiting.extend(child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr))


def annotated_parameters(node: FunctionNode | ast.Lambda) -> Iterator[tuple[str, ast.expr]]:
    """Yield the annotated parameters of a function."""
    arguments = node.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        if argument.annotation is not None:
            yield argument.arg, argument.annotation


def _is_annotated_name(node: ast.stmt) -> bool:
    return isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)


def _attributes_set(node: ast.AST, parameters: Mapping[str, ast.expr]) -> Iterator[tuple[str, ast.expr]]:
    """Yield the attributes of `self` that a statement sets and whose types are known, each with the expression of its
    type.
    """
    if isinstance(node, ast.AnnAssign) and _is_of_self(node.target):
        yield node.target.attr, node.annotation  # type: ignore[union-attr]
    if isinstance(node, ast.Assign):
        for target in node.targets:
            pairs = (
                zip(target.elts, getattr(node.value, "elts", ()), strict=False)
                if isinstance(target, ast.Tuple)
                else [(target, node.value)]
            )
            for one, value in pairs:
                if _is_of_self(one) and isinstance(value, ast.Name) and value.id in parameters:
                    yield one.attr, parameters[value.id]  # type: ignore[attr-defined]
                elif _is_of_self(one) and isinstance(value, ast.Call):
                    yield one.attr, value.func  # type: ignore[attr-defined]


def _is_of_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
