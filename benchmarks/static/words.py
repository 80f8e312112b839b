"""Checks of names and docstrings: functions named by a single participle, class names that are used twice, and
docstrings that begin with a question word.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from benchmarks.static.program import FunctionNode, Module, statements

Documented: TypeAlias = ast.Module | ast.ClassDef | FunctionNode

#: irregular participles, except those that are spelled like the verb's base form, such as `read`, `set` and `split`
IRREGULAR = frozenset((
    "begun", "born", "bought", "bound", "broken", "brought", "built", "caught", "chosen", "done", "drawn", "driven",
    "eaten", "fallen", "fed", "felt", "forbidden", "foreseen", "forgotten", "found", "given", "gone", "grown",
    "heard", "held", "hidden", "hung", "kept", "known", "laid", "led", "left", "lent", "lit", "lost", "made",
    "meant", "met", "paid", "rebuilt", "ridden", "risen", "said", "seen", "sent", "shown", "shrunk", "slept",
    "sold", "sought", "spent", "spoken", "stood", "stuck", "sung", "swept", "taken", "taught", "thought", "thrown",
    "told", "torn", "understood", "withheld", "woken", "won", "worn", "written",
))  # fmt: skip
#: verbs whose base form ends like a participle
VERBS = frozenset(("embed", "exceed", "feed", "need", "proceed", "seed", "speed", "succeed"))
QUESTION = re.compile(r"(What|Who|Whether|How)\w*\b")
#: the word with which the docstring of a boolean may begin
OF_BOOLEANS = "Whether"


def lone_participles(modules: Iterable[Module]) -> list[str]:
    """Return the functions and methods whose name is a single participle."""
    return [f"{module.path}:{node.lineno} {node.name}" for module, node in _functions(modules) if _is_lone(node.name)]


def names_used_twice(modules: Iterable[Module]) -> Mapping[str, list[str]]:
    """Return public class names that several modules use, each with its modules."""
    found: dict[str, list[str]] = {}
    for module in modules:
        for name in module.classes:
            if not name.startswith("_"):
                found.setdefault(name, []).append(module.name)
    return {name: where for name, where in sorted(found.items()) if len(where) > 1}


def question_docstrings(modules: Iterable[Module]) -> list[str]:
    """Return the places of docstrings that begin with What, Who, How or Whether. Whether is allowed for functions that
    return a boolean.
    """
    return [
        f"{module.path}:{getattr(node, 'lineno', 1)} {begin}"
        for module in modules
        for node in statements(module.tree)
        if isinstance(node, Documented) and (begin := _question(node))
    ]


def _functions(modules: Iterable[Module]) -> Iterator[tuple[Module, FunctionNode]]:
    for module in modules:
        for node in statements(module.tree):
            if isinstance(node, FunctionNode):
                yield module, node


def _is_lone(name: str) -> bool:
    word = name.strip("_").removeprefix("un")
    return "_" not in word and word not in VERBS and (word.endswith("ed") or word in IRREGULAR)


def _question(node: Documented) -> str:
    found = QUESTION.match(ast.get_docstring(node) or "")
    if found is None or (found.group() == OF_BOOLEANS and _is_boolean(node)):
        return ""
    return found.group()


def _is_boolean(node: Documented) -> bool:
    return isinstance(node, FunctionNode) and node.returns is not None and ast.unparse(node.returns) == "bool"
