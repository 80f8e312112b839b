"""The walk of a reader who begins at a function's entry point and follows the calls into each step, in the order of the
calls.

A step is a call of an async function, since only async functions have effects outside of the process or let other tasks
run. A function that is not async only returns a value, and is read separately. A callable that is passed on counts as
called at the place where it is named. Each step is walked once, at its first call; then the reader returns to the
caller. Left out are:

- the wiring (`WIRING` in `benchmarks/structure.py`), which runs before a message has to be processed;
- modules that add one capability (such as a kind of task) and are found by their file names, since a further such
  module does not make the walk longer;
- the functions that are called inside of modules that use the network. If such a module is called through a protocol,
  the walk ends at the protocol.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks.static.calls import CallGraph
from benchmarks.static.program import Function, Module

#: libraries that use the network
NETWORK = frozenset({"aiohttp", "botocore", "google", "grpc", "httpcore", "httpx", "openai", "telegram"})


@dataclass(frozen=True)
class Walk:
    """The modules that a reader visits, in the order of the visits."""

    stays: tuple[str, ...]

    @property
    def modules(self) -> frozenset[str]:
        """The visited modules, each once."""
        return frozenset(self.stays)

    @property
    def returns(self) -> int:
        """The number of returns to a module that was left before."""
        return len(self.stays) - len(self.modules)


def walk(graph: CallGraph, entry: Function, is_left_out: Callable[[Module], bool]) -> Walk:
    """Follow the calls from the function `entry` on, except into modules that are left out."""
    stays: list[str] = []
    for function in _steps(graph, entry, is_left_out, set()):
        if stays[-1:] != [function.module.name]:
            stays.append(function.module.name)
    return Walk(tuple(stays))


def speaks_to_network(module: Module) -> bool:
    """Return whether a module imports a library that uses the network."""
    return any(name.partition(".")[0] in NETWORK for name in module.import_targets.values())


def _steps(
    graph: CallGraph, function: Function, is_left_out: Callable[[Module], bool], seen: set[Function]
) -> Iterator[Function]:
    """Yield the function, then the steps of each call in it, and after each call the function again."""
    seen.add(function)
    yield function
    if speaks_to_network(function.module):
        return
    called = graph.called_by(function)
    methods = {one.name for one in called if _is_of_protocol(one)}
    for one in called:
        is_behind = one.name in methods and not _is_of_protocol(one) and speaks_to_network(one.module)
        if one in seen or is_behind or not _is_step(one) or is_left_out(one.module):
            continue
        yield from _steps(graph, one, is_left_out, seen)
        yield function


def _is_of_protocol(function: Function) -> bool:
    return function.owner is not None and function.owner.is_protocol


def _is_step(function: Function) -> bool:
    return isinstance(function.node, ast.AsyncFunctionDef)
