"""The walk of a reader who follows a function from its entry point into each step, in the order of the calls.

A step is an async function, since only these have effects outside of the process or yield to others. A function that is
not async returns a value and is read separately. A callable that is passed counts as called where it is named. Each
step is walked once, at its first call; then the reader returns to the caller. Left out are:

- the wiring (`WIRING` in `benchmarks/structure.py`), which runs before there is anything to do;
- modules that add one capability and are found by their files, since an additional one lengthens no walk;
- the inside of modules that use the network, where a walk ends. If they are behind a protocol, it ends there.
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
    """The modules that a reader visits, in order."""

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
    """Follow an entry's calls, except into modules that are left out."""
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
    """Yield the function, its calls, and itself again after each."""
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
