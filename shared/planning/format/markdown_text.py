"""The blocks of a markdown reply, among prose, fences and thoughts; and texts as they may stand in a block."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from shared.planning.format.markdown_lines import (
    Heading,
    closing_fences,
    ends_a_thought,
    fences_of,
    heading_in,
    is_cut_heading,
    is_mark,
)
from shared.planning.format.raw_task import ReplyProblem

#: the form of a plan, told at the end of each hint
FORM: Final = (
    "Answer with the plan alone: for each task a heading such as # «send» on a line of its own, and its content below."
)
_NO_TASK: Final = ReplyProblem(f"There is no task in the reply, so nobody will read it. {FORM}")
_TWO_PLANS: Final = ReplyProblem(f"The reply holds several plans. Write only the one to carry out. {FORM}")
_CUT_OFF: Final = ReplyProblem(
    "The reply is cut off: a heading ends in the middle, or a code block that was opened with ``` is never closed. "
    "Write the whole plan again, shorter if it was too long."
)
_STILL_THINKING: Final = ReplyProblem(f"The reply ends inside a thought that was never closed. {FORM}")

_THOUGHT: Final = re.compile(r"[\s\ufeff]*<(?P<tag>think|thinking|thought|reasoning)>", re.IGNORECASE)
_BLANK_LINES: Final = re.compile(r"(?:[ \t\r]*\n)*")


@dataclass(frozen=True)
class Block:
    """A task in a reply: its heading and the text below."""

    heading: Heading
    body: str


def read_blocks(text: str) -> list[Block] | ReplyProblem:
    """The blocks of the reply's plan, or the problem for which the whole reply is refused."""
    spoken = without_thought(text)
    if spoken is None:
        return _STILL_THINKING
    lines = _unwrapped(spoken.split("\n"))
    if isinstance(lines, ReplyProblem):
        return lines
    if fences_of(lines).is_open or is_cut_heading(lines[-1]):
        return _CUT_OFF
    return blocks_in(_said(lines)) or _NO_TASK


def without_thought(text: str) -> str | None:
    """The reply without the thoughts at its beginning. None if the last of them does not end."""
    text = text.removeprefix("\ufeff")
    while opening := _THOUGHT.match(text):
        closing = re.compile(f"</{opening['tag']}>", re.IGNORECASE).search(text, opening.end())
        if closing is None:
            return None
        text = text[closing.end() :]
    return text


def blocks_in(lines: Sequence[str]) -> list[Block]:
    """The blocks. What stands before the first heading is prose and left out."""
    code = fences_of(lines).inside
    headings = [(at, heading) for at, line in enumerate(lines) if not code[at] and (heading := heading_in(line))]
    starts = [*(at for at, _ in headings), len(lines)]
    return [Block(heading, _body(lines[at + 1 : end])) for (at, heading), end in zip(headings, starts[1:], strict=True)]


def wrapper_of(lines: Sequence[str]) -> int:
    """The line of the fence around the whole plan; -1 if there is none."""
    fences = fences_of(lines)
    first_task = next((at for at, line in enumerate(lines) if not fences.inside[at] and heading_in(line)), len(lines))
    before = (at for at in fences.openings if at < first_task)
    return next((at for at in before if heading_in(_next_words(lines, at))), -1)


def escaped_text(text: str) -> str:
    """The text as the body of a block: no line can be taken for a heading, or for a fence that is never closed."""
    lines = text.split("\n")
    closed = list(lines)
    while (fences := fences_of(closed)).is_open:
        closed[fences.openings[-1]] = ""
    is_code = fences.inside
    return "\n".join(
        f"\\{line}" if not is_code[at] and is_mark(line.lstrip("\\")) else line for at, line in enumerate(lines)
    )


def harmless(text: str) -> str:
    """Somebody else's text, with a backslash before each line that a model could copy as a task's heading."""
    return "\n".join(f"\\{line}" if heading_in(line) else line for line in text.split("\n"))


def _unwrapped(lines: list[str]) -> list[str] | ReplyProblem:
    """The lines inside the fence around the plan, if there is one; else all lines. The last bare fence closes it."""
    opening = wrapper_of(lines)
    if opening < 0:
        return lines
    closing = next(closing_fences(lines, opening), -1)
    if closing < 0:
        return _CUT_OFF
    after = lines[closing + 1 :]
    return _TWO_PLANS if blocks_in(after) else lines[opening + 1 : closing]


def _next_words(lines: Sequence[str], at: int) -> str:
    return next((line for line in lines[at + 1 :] if line.strip()), "")


def _said(lines: list[str]) -> list[str]:
    """The lines behind a thought that the model did not open itself, as some chat templates do for it."""
    code = fences_of(lines).inside
    ends = [at for at, line in enumerate(lines) if not code[at] and ends_a_thought(line)]
    is_opened = bool(ends) and any(_THOUGHT.match(line) for line in lines[: ends[-1]])
    return lines[ends[-1] + 1 :] if ends and not is_opened else lines


def _body(lines: Sequence[str]) -> str:
    """The text below a heading, without blank lines at either end."""
    code = fences_of(lines).inside
    plain = [_unescaped(line) if not code[at] else line for at, line in enumerate(lines)]
    return _BLANK_LINES.sub("", "\n".join(plain), count=1).rstrip(" \t\r\n")


def _unescaped(line: str) -> str:
    return line[1:] if line.startswith("\\") and is_mark(line.lstrip("\\")) else line
