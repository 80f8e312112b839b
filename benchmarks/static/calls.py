"""A static graph of calls between functions.

If a function only names another function (as a callback, in a `partial`, in a table), this counts as a call. Closures
and lambdas belong to the function around them. Methods are found by the declared types of parameters, attributes and
results. A value without a declared type may be of any class that has a method of the called name.
"""

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path

from benchmarks.static.program import Class, Function, Module, Program, annotated_parameters

#: names of attributes that builtin types have. If such a method is called on a value of unknown type, the value counts
#: as a builtin
EVERYDAY = frozenset(
    name for kind in (str, bytes, list, dict, set, tuple, datetime, Path) for name in dir(kind) if name[0] != "_"
) | frozenset(dir(builtins))


@dataclass
class CallGraph:
    """The graph. The calls of a function are computed when they are asked for."""

    program: Program
    _seen: dict[Function, tuple[Function, ...]] = field(default_factory=dict)

    def called_by(self, function: Function) -> tuple[Function, ...]:
        """Return the functions that `function` calls or names, in order, each once."""
        if function not in self._seen:
            self._seen[function] = tuple(dict.fromkeys(_Reader(self, function).callees()))
        return self._seen[function]

    @cached_property
    def _by_method(self) -> Mapping[str, list[Class]]:
        found: dict[str, list[Class]] = {}
        for a_class in self.program.classes():
            for name in a_class.methods:
                found.setdefault(name, []).append(a_class)
        return found

    def methods(self, classes: Iterable[Class], name: str) -> Iterator[Function]:
        """Yield the methods called `name` of these classes and of their subclasses."""
        for a_class in classes:
            own = next((c.methods[name] for c in self.program.bases(a_class) if name in c.methods), None)
            if own is not None:
                yield own
            for other in self._by_method.get(name, ()):
                if other is not a_class and self._stands_for(other, a_class):
                    yield other.methods[name]

    def _stands_for(self, other: Class, a_class: Class) -> bool:
        if a_class in self.program.bases(other):
            return True
        if not a_class.is_protocol or other.is_protocol:
            return False
        return self.program.methods(a_class) <= self.program.methods(other)

    def any_method(self, name: str) -> Iterator[Function]:
        """Yield the methods called `name` of all classes, unless builtin types have such a method."""
        if name not in EVERYDAY:
            yield from (c.methods[name] for c in self._by_method.get(name, ()))


@dataclass
class _Reader:
    """Finds the functions that one function calls."""

    graph: CallGraph
    function: Function

    @property
    def _program(self) -> Program:
        return self.graph.program

    @property
    def _module(self) -> Module:
        return self.function.module

    def callees(self) -> Iterator[Function]:
        for node in in_evaluation_order(self.function.node):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in self._locals:
                yield from self._functions_named(node.id, self._module, set())
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                yield from self._attribute(node)
            elif isinstance(node, ast.Call):
                yield from self._unknown_receiver(node)

    def _functions_named(self, name: str, module: Module, seen: set[str]) -> Iterator[Function]:
        """Yield the function called `name`. If `name` is a class, yield its constructor; if it is a table of functions,
        yield these.
        """
        found = self._program.in_module(module, name)
        if found is None or f"{module.name}.{name}" in seen:
            return
        seen.add(f"{module.name}.{name}")
        thing, where = found
        if isinstance(thing, Function):
            yield thing
        elif isinstance(thing, Class):
            yield from self.graph.methods([thing], "__init__")
            yield from self.graph.methods([thing], "__post_init__")
        elif isinstance(thing, ast.expr):
            for node in ast.walk(thing):
                if isinstance(node, ast.Name):
                    yield from self._functions_named(node.id, where, seen)

    def _attribute(self, node: ast.Attribute) -> Iterator[Function]:
        found = self._program.expression(self._module, node)
        if found is not None and isinstance(found[0], Function):
            yield found[0]
        classes = self._types(node.value)
        yield from self.graph.methods(classes, node.attr)

    def _unknown_receiver(self, node: ast.Call) -> Iterator[Function]:
        called = node.func
        if isinstance(called, ast.Attribute) and self._is_unknown(called.value):
            yield from self.graph.any_method(called.attr)

    def _is_unknown(self, receiver: ast.expr) -> bool:
        """Return whether the type of `receiver` is unknown. It is known if it is declared, or if the name is imported
        from outside of the program.
        """
        if isinstance(receiver, ast.Name) and receiver.id not in self._locals:
            return False
        first = receiver
        while isinstance(first, ast.Attribute | ast.Call | ast.Await | ast.Subscript):
            first = first.func if isinstance(first, ast.Call) else first.value
        declared = isinstance(first, ast.Name) and (first.id in self._declared_types or first.id not in self._locals)
        return not declared and not self._types(receiver)

    @cached_property
    def _functions_inside(self) -> list[ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda]:
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
        return [node for node in ast.walk(self.function.node) if isinstance(node, kinds)]

    @cached_property
    def _declared_types(self) -> dict[str, ast.expr]:
        """Return the annotations of parameters and local names."""
        found = {name: kind for node in self._functions_inside for name, kind in annotated_parameters(node)}
        for node in ast.walk(self.function.node):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                found[node.target.id] = node.annotation
        return found

    @cached_property
    def _locals(self) -> set[str]:
        """Return the names that are bound inside the function: parameters and local names."""
        arguments = {a.arg for node in self._functions_inside for a in ast.walk(node.args) if isinstance(a, ast.arg)}
        stored = (n for n in ast.walk(self.function.node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        return arguments | {n.id for n in stored}

    @cached_property
    def _assigned_values(self) -> dict[str, list[ast.expr]]:
        """Return the expressions whose values each local name gets, in an assignment, a walrus, a `with` or a loop."""
        found: dict[str, list[ast.expr]] = {}
        for node in ast.walk(self.function.node):
            for target, value in _bindings(node):
                for name in (n for n in ast.walk(target) if isinstance(n, ast.Name)):
                    found.setdefault(name.id, []).append(value)
        return found

    def _types(self, node: ast.expr, depth: int = 0) -> set[Class]:
        """Return the possible classes of a value. For a collection, return the possible classes of its items."""
        if depth > 8:
            return set()
        deeper = depth + 1
        match node:
            case ast.Name():
                return self._of_name(node, deeper)
            case ast.Attribute(value=value, attr=attr):
                return self._of_attribute(self._types(value, deeper), attr) or self._of_thing(node)
            case ast.Call(func=called):
                return self._of_call(called, deeper)
            case ast.Await(value=value) | ast.Subscript(value=value) | ast.Starred(value=value):
                return self._types(value, deeper)
            case ast.BoolOp(values=values):
                return {c for value in values for c in self._types(value, deeper)}
            case ast.IfExp(body=body, orelse=otherwise):
                return self._types(body, deeper) | self._types(otherwise, deeper)
        return set()

    def _of_name(self, node: ast.Name, depth: int) -> set[Class]:
        if node.id in {"self", "cls"} and self.function.owner is not None:
            return {self.function.owner}
        if node.id in self._declared_types:
            return self._of_annotation(self._declared_types[node.id], self._module)
        if node.id in self._locals:
            return {c for value in self._assigned_values.get(node.id, ()) for c in self._types(value, depth)}
        return self._of_thing(node)

    def _of_thing(self, node: ast.expr) -> set[Class]:
        found = self._program.expression(self._module, node)
        return {found[0]} if found is not None and isinstance(found[0], Class) else set()

    def _of_call(self, called: ast.expr, depth: int) -> set[Class]:
        found = self._program.expression(self._module, called)
        if found is not None and isinstance(found[0], Function):
            return self._of_result(found[0])
        if found is not None and isinstance(found[0], Class):
            return {found[0]}
        if not isinstance(called, ast.Attribute):
            return set()
        receivers = self._types(called.value, depth)
        methods = list(self.graph.methods(receivers, called.attr))
        # if none of these classes has the method, the value is a collection of instances of these classes, and the
        # method is the collection's
        return {c for m in methods for c in self._of_result(m)} if methods else receivers

    def _of_result(self, function: Function) -> set[Class]:
        returns = function.node.returns
        return self._of_annotation(returns, function.module) if returns is not None else set()

    def _of_attribute(self, classes: set[Class], name: str) -> set[Class]:
        found: set[Class] = set()
        for a_class in classes:
            for base in self._program.bases(a_class):
                if name in base.fields:
                    found |= self._of_annotation(base.fields[name], base.module)
                elif name in base.methods and base.methods[name].is_property:
                    found |= self._of_result(base.methods[name])
        return found

    def _of_annotation(self, annotation: ast.expr, module: Module, depth: int = 0) -> set[Class]:
        """Return all classes that an annotation names, directly or through an alias."""
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            annotation = ast.parse(annotation.value, mode="eval").body
        found: set[Class] = set()
        for node in ast.walk(annotation):
            thing = self._program.expression(module, node) if isinstance(node, ast.Name | ast.Attribute) else None
            if thing is not None and isinstance(thing[0], Class):
                found.add(thing[0])
            elif thing is not None and isinstance(thing[0], ast.expr) and depth < 4:
                found |= self._of_annotation(thing[0], thing[1], depth + 1)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node is not annotation:
                found |= self._of_string(node.value, module, depth)
        return found

    def _of_string(self, text: str, module: Module, depth: int) -> set[Class]:
        if not text.isidentifier() or depth > 3:
            return set()
        return self._of_annotation(ast.Name(id=text), module, depth + 1)


def _bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield each target that a node assigns to, with the assigned expression."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                    yield from zip(target.elts, value.elts, strict=False)
                else:
                    yield target, value
        case ast.NamedExpr(target=target, value=value):
            yield target, value
        case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
            yield target, value
        case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
            yield target, value
        case ast.comprehension(target=target, iter=value):
            yield target, value


def in_evaluation_order(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a tree roughly in the order in which they are evaluated: the arguments of a call before the
    call itself.
    """
    match node:
        case ast.Call(func=called, args=args, keywords=keywords):
            parts: list[ast.AST] = [*args, *keywords, called]
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
            parts = [*node.generators, node.elt]
        case ast.DictComp():
            parts = [*node.generators, node.key, node.value]
        case ast.IfExp():
            parts = [node.test, node.body, node.orelse]
        case _:
            parts = list(ast.iter_child_nodes(node))
    for part in parts:
        yield from in_evaluation_order(part)
    yield node
