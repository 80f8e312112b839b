"""The lines of a markdown reply: which are headings of tasks, and which stand in fenced code."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from shared.planning.task_kinds import TASK_MODELS, THINK

_HEADING_START: Final = r"[ ]{0,3}\#{1,6}[ \t]*+(?:«|<<)[ \t]*+"
_HEADING: Final = re.compile(
    rf"{_HEADING_START}(?P<kind>[A-Za-z][\w-]*)(?:[ \t]+(?P<number>\d+))?[ \t]*(?:»|>>)(?P<rest>.*)", re.ASCII
)
_CUT_HEADING: Final = re.compile(rf"{_HEADING_START}[\w \t-]*>?", re.ASCII)
#: a fence of CommonMark, which may also open within items of lists
_FENCE: Final = re.compile(r"(?P<item>[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(?P<marks>`{3,}|~{3,})(?P<info>.*)")
_TAG: Final = "think|thinking|thought|reasoning"
_THOUGHT_END: Final = re.compile(rf"[ \t]*</(?:{_TAG})>[ \t]*", re.IGNORECASE)
#: what may go on as a heading, as the end of a thought, or as a mark with a backslash before it
_BEGINNING: Final = re.compile(r"[ ]{0,3}(?:\#{1,6}[ \t]*<?|</?[a-z]{0,9})|\\.*", re.IGNORECASE)


@dataclass(frozen=True)
class Heading:
    """The head of a task: its kind, and what else stands on its line."""

    kind: str
    rest: str


@dataclass(frozen=True)
class Fences:
    """Where a text has fenced code."""

    #: for each line, whether it is code, or a fence itself
    inside: tuple[bool, ...]
    #: the lines of the fences that open
    openings: tuple[int, ...]
    #: whether the last of them is never closed, and so holds the rest of the text
    is_open: bool


def heading_in(line: str) -> Heading | None:
    """The heading on a line; a title in quotation marks («Dune», «Le Petit Prince») is none: kinds are lower-case."""
    found = _HEADING.fullmatch(line.rstrip("\r"))
    if found is None or not (found["kind"].islower() or found["kind"].lower() in {*TASK_MODELS, THINK}):
        return None
    return Heading(found["kind"], f"{found['number'] or ''} {found['rest']}".strip())


def fences_of(lines: Sequence[str]) -> Fences:
    """The fenced code of a text."""
    inside: list[bool] = []
    openings: list[int] = []
    opening: re.Match[str] | None = None
    for number, line in enumerate(lines):
        fence = _FENCE.fullmatch(line.rstrip("\r"))
        was_open = opening is not None
        if opening is None and fence and _opens(fence):
            opening = fence
            openings.append(number)
        elif opening is not None and fence and _closes(fence, opening):
            opening = None
        inside.append(was_open or opening is not None)
    return Fences(tuple(inside), tuple(openings), opening is not None)


def closing_fences(lines: Sequence[str], opening: int) -> Iterator[int]:
    """The lines after a fence that could close it, the last one first."""
    fence = _FENCE.fullmatch(lines[opening].rstrip("\r"))
    for number in reversed(range(opening + 1, len(lines))):
        other = _FENCE.fullmatch(lines[number].rstrip("\r"))
        if fence and other and _closes(other, fence):
            yield number


def ends_a_thought(line: str) -> bool:
    """Whether nothing but the end of a spoken thought (`</think>`) stands on the line."""
    return _THOUGHT_END.fullmatch(line.rstrip("\r")) is not None


def is_cut_heading(line: str) -> bool:
    """Whether this would be a heading if it went on."""
    return _CUT_HEADING.fullmatch(line.rstrip("\r")) is not None


def is_mark(line: str) -> bool:
    """Whether a line that is no code means something to the reader of a plan."""
    fence = _FENCE.fullmatch(line.rstrip("\r"))
    return bool(heading_in(line) or is_cut_heading(line) or ends_a_thought(line) or (fence and _opens(fence)))


def may_become_a_mark(line: str) -> bool:
    """Whether a line that is still being written may mean something, or is a fence with nothing in it yet."""
    return bool(is_mark(line) or _BEGINNING.fullmatch(line) or set(line.strip(" \t")) in ({"`"}, {"~"}))


def _opens(fence: re.Match[str]) -> bool:
    return fence["marks"][0] == "~" or "`" not in fence["info"]


def _closes(fence: re.Match[str], opening: re.Match[str]) -> bool:
    is_bare = not fence["item"].strip() and not fence["info"].strip()
    return is_bare and fence["marks"].startswith(opening["marks"])
