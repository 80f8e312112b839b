"""All of lull's texts for people are in its catalogues, and all texts there are used.

The types hold most of it: a response, an apology and a notice take a `Phrase`, which only `base/wording` makes out of
a catalogue. What the types cannot hold is read here from the code.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.bundle import ROOT
from shared.base.wording.words import FALLBACK, catalogue
from tests.shared.base.wording.test_catalogue import placeholders, texts_of

FILES = [file for folder in ("shared", "functions") for file in sorted((ROOT / folder).rglob("*.py"))]
#: who may make each of these, and the fields of it that people read
MAKERS = {
    "Phrase": ("shared/base/wording/words.py", set[str]()),
    "Send": (
        "shared/tasks/send.py shared/media/tasks/send_media.py shared/tasks/react.py shared/media/tasks/sticker.py "
        "shared/media/tasks/voice.py shared/planning/prompt/ shared/planning/format/",
        {"text"},
    ),
    "Notice": ("shared/turn/command_runner.py", {"text"}),
    "Rewrite": ("shared/turn/command_runner.py", {"text"}),
    "CommandResponse": ("*/commands/", {"text", "notice"}),
    "Button": ("shared/", {"text"}),
}


def sayings() -> Iterator[tuple[str, str, set[str]]]:
    """Yield the place of each use of a message, its id, and the filled placeholders."""
    for file in FILES:
        text = file.read_text()
        for node in ast.walk(ast.parse(text)) if ".say(" in text else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "say":
                place = f"{file.relative_to(ROOT)}:{node.lineno}"
                (first,) = node.args
                yield place, _pattern(first), {keyword.arg or "**" for keyword in node.keywords}


def _pattern(first: ast.expr) -> str:
    """Return the id of a used message, with `*` for a part that is made at run time."""
    match first:
        case ast.Constant(value=str(message_id)):
            return message_id
        case ast.JoinedStr(values=parts):
            return "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in parts)
    return f"unreadable: {ast.unparse(first)}"


SAYINGS = list(sayings())


def test_what_is_said_is_in_the_catalogue_with_what_is_filled_in() -> None:
    filled_of = {i: set.union(*map(placeholders, texts_of(m))) for i, m in catalogue(FALLBACK).messages.items()}
    wrong = {}
    for place, pattern, filled in SAYINGS:
        found = {i: expected for i, expected in filled_of.items() if Path(i).match(pattern)}
        if not found or any(expected != filled for expected in found.values()):
            wrong[place] = (pattern, filled, found)
    assert wrong == {}


def test_every_message_of_the_catalogue_is_said() -> None:
    patterns = {pattern for _, pattern, _ in SAYINGS}
    unsaid = [i for i in catalogue(FALLBACK).messages if not any(Path(i).match(pattern) for pattern in patterns)]
    assert unsaid == []


def made(source: str) -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls that make values with texts for people, each with its kind."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAKERS:
            yield node.func.id, node


def literals(kind: str, call: ast.Call) -> Iterator[str]:
    """Yield literal words in a field that people read."""
    read = [word.value for word in call.keywords if word.arg in MAKERS[kind][1]]
    for value in [*read, *(call.args[:1] if "text" in MAKERS[kind][1] else [])]:
        # a literal inside another call, such as the id of a message, is no text
        asked = {id(part) for node in ast.walk(value) if isinstance(node, ast.Call) for part in ast.walk(node)}
        for node in ast.walk(value):
            if id(node) not in asked and isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from [node.value] if any(map(str.isalpha, node.value)) else []


def test_nobody_else_writes_words_to_people() -> None:
    calls = ((file.relative_to(ROOT).as_posix(), *one) for file in FILES for one in made(file.read_text()))
    for place, kind, call in calls:
        assert _may_make(place, kind), f"{place}:{call.lineno} makes a {kind}"
        assert list(literals(kind, call)) == [], f"{place}:{call.lineno}: such words belong in shared/base/wording"


def _may_make(place: str, kind: str) -> bool:
    makers = MAKERS[kind][0].split()
    return any(f"/{one[2:]}" in place if one.startswith("*/") else place.startswith(one) for one in makers)


#: two words, or one that ends as a sentence does
SENTENCE = re.compile(r"[a-z]{2,}[,;:]? [a-z]|[a-z]{2,}[.!?]\\Z", re.IGNORECASE)
#: modules of lull's own capabilities and turns that make texts only for people
SPEAKING = [file for file in FILES if file.parent.name == "commands"]


@pytest.mark.parametrize("file", SPEAKING, ids=lambda file: file.stem)
def test_commands_hold_no_sentence(file: Path) -> None:
    """This finds texts that go to people by another way than a literal argument, such as a constant or a helper."""
    tree = ast.parse(file.read_text())
    unread = {id(part) for node in ast.walk(tree) if _is_unread(node) for part in ast.walk(node)}
    constants = (n for n in ast.walk(tree) if isinstance(n, ast.Constant) and id(n) not in unread)
    assert [n.value for n in constants if isinstance(n.value, str) and SENTENCE.search(n.value)] == []


def _is_unread(node: ast.AST) -> bool:
    """Whether no person reads it: a docstring, a log, an error, the values of an enumeration."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Raise() | ast.Call(func=ast.Name(id="log")):
            return True
        case ast.ClassDef(bases=[ast.Name(id="StrEnum")]):
            return True
    return False


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('CommandResponse(text="Done.")', ["Done."]),
        ('CommandResponse(notice=f"It is {name}.", text=words.say("a"))', ["It is "]),
        ('Button("Older", f"page:{n}")', ["Older"]),
        ('Button(f"✓ {name}", "x")', []),
        ('CommandResponse(text=words.say("stop.stopped"))', []),
    ],
)
def test_words_in_the_code_are_found(code: str, found: list[str]) -> None:
    ((kind, call),) = made(code)
    assert list(literals(kind, call)) == found
