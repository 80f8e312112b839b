"""Find the task blocks in a markdown reply, and escape texts that are written into such blocks.

The reply may also contain prose, code fences and thoughts.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from shared.planning.format.json_text import decode
from shared.planning.format.raw_task import ReplyProblem
from shared.tasks.registry import unlockable

_HEADING_START: Final = r"[ ]{0,3}\#{1,6}[ \t]*+(?:«|<<)[ \t]*+"
_HEADING: Final = re.compile(
    rf"{_HEADING_START}(?P<kind>[A-Za-z][\w-]*)(?:[ \t]+(?P<number>\d+))?[ \t]*(?:»|>>)(?P<rest>.*)", re.ASCII
)
_CUT_HEADING: Final = re.compile(rf"{_HEADING_START}[\w \t-]*>?", re.ASCII)
#: a code fence as in CommonMark; an opening fence may be inside a list item
_ITEM: Final = r"(?P<item>[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)"
_FENCE: Final = re.compile(rf"{_ITEM}(?P<marks>`{{3,}}|~{{3,}})(?P<info>.*)")
#: the beginning of a fence, or of a list item that may contain a fence
_CUT_FENCE: Final = re.compile(rf"{_ITEM}(?:(?:`+|~+)[ \t]*|[-*+]|\d{{1,9}}[.)]?)?")
_TAG: Final = "think|thinking|thought|reasoning"
_THOUGHT_END: Final = re.compile(rf"[ \t]*</(?:{_TAG})>[ \t]*", re.IGNORECASE)
#: the beginning of a line that may become a heading, the end of a thought, or an escaped mark
_BEGINNING: Final = re.compile(r"[ ]{0,3}(?:\#{1,6}[ \t]*<?|</?[a-z]{0,9})|\\.*", re.IGNORECASE)


@dataclass(frozen=True)
class TaskHeading:
    """The heading of a task: its kind, and the rest of the line."""

    kind: str
    rest: str


@dataclass(frozen=True)
class CodeFences:
    """The lines of a text that are fenced code."""

    #: for each line, whether it is code or a fence
    inside: tuple[bool, ...]
    #: the indexes of the lines with opening fences
    openings: tuple[int, ...]
    #: whether the last fence is never closed, so that the rest of the text is code
    is_open: bool


def heading_in(line: str) -> TaskHeading | None:
    """Return the task heading on a line; None if the line is not a heading.

    The names of kinds are lower-case, so a title in quotation marks («Dune», «Le Petit Prince») is not a heading.
    """
    heading = _HEADING.fullmatch(line.rstrip("\r"))
    if heading is None or not (heading["kind"].islower() or heading["kind"].lower() in unlockable()):
        return None
    return TaskHeading(heading["kind"], f"{heading['number'] or ''} {heading['rest']}".strip())


def fences_of(lines: Sequence[str]) -> CodeFences:
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
    return CodeFences(tuple(inside), tuple(openings), opening is not None)


def closing_fences(lines: Sequence[str], opening: int) -> Iterator[int]:
    """Yield the indexes of the lines that could close the fence at `opening`, from the last line upwards."""
    fence = _FENCE.fullmatch(lines[opening].rstrip("\r"))
    for number in reversed(range(opening + 1, len(lines))):
        other = _FENCE.fullmatch(lines[number].rstrip("\r"))
        if fence and other and _closes(other, fence):
            yield number


def ends_a_thought(line: str) -> bool:
    """Return whether the line contains nothing but the end of a thought (`</think>`)."""
    return _THOUGHT_END.fullmatch(line.rstrip("\r")) is not None


def is_cut_heading(line: str) -> bool:
    """Return whether the line is a heading that is cut off."""
    return _CUT_HEADING.fullmatch(line.rstrip("\r")) is not None


def is_mark(line: str) -> bool:
    """Return whether a line outside of code is a heading, a fence, or the end of a thought (`</think>`)."""
    fence = _FENCE.fullmatch(line.rstrip("\r"))
    return bool(heading_in(line) or is_cut_heading(line) or ends_a_thought(line) or (fence and _opens(fence)))


def may_become_a_mark(line: str) -> bool:
    """Return whether a line that is still being written may become a heading, a fence, or the end of a thought."""
    return bool(is_mark(line) or _BEGINNING.fullmatch(line) or (line.strip() and _CUT_FENCE.fullmatch(line)))


def _opens(fence: re.Match[str]) -> bool:
    return fence["marks"][0] == "~" or "`" not in fence["info"]


def _closes(fence: re.Match[str], opening: re.Match[str]) -> bool:
    is_bare = not fence["item"].strip() and not fence["info"].strip()
    return is_bare and fence["marks"].startswith(opening["marks"])


#: the fewest digits of a message id in a heading; a shorter number may belong to the words after it
_LEAST_ID_DIGITS: Final = 4
#: words that models write before an id. A number in `$5` or `In 2024` is a part of the text
_WORDS: Final = r"\b(?:in reply|reply|replying|to|message_id|message|msg|id)\b[ \t]*+[=:]?"
_NUMBER_ALONE: Final = re.compile(
    rf"(?:[\s#:()\[\]«»→*_]|[—–-](?=\s)|{_WORDS})*+(?P<number>\d+)[\s#:()\[\]«»*_]*", re.IGNORECASE
)
_NUMBER_FIRST: Final = re.compile(rf"(?P<number>#\d+|\d{{{_LEAST_ID_DIGITS},}})(?![\w.])[ \t:,;–—-]*+")
_SPACES: Final = re.compile(r"[ \t,;]*+")
_JSON: Final = r'"(?:[^"\\]|\\.)*+"|\[(?:[^\]"]|"(?:[^"\\]|\\.)*+")*+\]'
_WORD: Final = r"[^\s\"\[\],]++"
_LIST: Final = rf"[\"\[]?{_WORD}(?:[ \t]*,[ \t]*[^\s\"\[\],=:]++(?![ \t]*[=:]))*+"
_NAME: Final = r"(?P<name>[A-Za-z][\w-]*+)"
#: an option, in a heading that has only options: `id=tea depends_on=kettle, cup`
_OPTION: Final = re.compile(rf"{_NAME}[ \t]*+[=:][ \t]*+(?P<value>{_JSON}|{_LIST})")
#: an option without spaces around the sign, as required beside other words: `id = 5 is wrong` is a sentence
_TIGHT_OPTION: Final = re.compile(rf"{_NAME}=(?P<value>{_JSON}|{_WORD})")
_NO_WORDS: Final = re.compile(r"[\s#:*_.-]*")


@dataclass(frozen=True)
class HeadingArguments:
    """The parts of a heading after the kind: the number, the options, and other words."""

    number: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    prose: str = ""


def heading_arguments(heading: str, is_option: Callable[[str], bool]) -> HeadingArguments:
    """Parse a heading's text after the task's kind: a number, options whose names `is_option` accepts, other words."""
    rest = heading.strip(" \t").lstrip(": \t")
    if _NO_WORDS.fullmatch(rest):
        return HeadingArguments()
    number = re.match(r"#?(\d+)(?!\S)", rest)
    options, end = _options(rest, number.end() if number else 0, (_OPTION, is_option))
    if end == len(rest):
        return HeadingArguments(number[1] if number else "", options)
    if alone := _NUMBER_ALONE.fullmatch(rest):
        return HeadingArguments(alone["number"])
    first = _NUMBER_FIRST.match(rest)
    options, end = _options(rest, first.end() if first else 0, (_TIGHT_OPTION, is_option))
    return HeadingArguments(first["number"].strip("#") if first else "", options, rest[end:])


def _options(
    heading: str, at: int, form: tuple[re.Pattern[str], Callable[[str], bool]]
) -> tuple[dict[str, object], int]:
    """Return the options from `at` on, and the position where they end. `form`: the pattern and test of an option."""
    option, is_option = form
    options: dict[str, object] = {}
    end = at
    while True:
        at = _end_of(_SPACES, heading, end)
        one = option.match(heading, at)
        if one is None or not is_option(one["name"]):
            return options, at
        options[one["name"]] = _value(one["value"])
        end = one.end()


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _value(written: str) -> object:
    """Parse a value in a heading: a JSON string or list, several words separated by commas, or one word."""
    if written[0] in '["':
        try:
            return decode(written)
        except ValueError:
            written = written.strip('"[]')
    words = [word for part in written.split(",") if (word := part.strip(" \t\"'"))]
    return words if len(words) > 1 else "".join(words)


#: the description of a plan's form, which ends each hint to the model
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
class TaskBlock:
    """A task in a reply: its heading and the text below."""

    heading: TaskHeading
    body: str


def read_blocks(text: str) -> list[TaskBlock] | ReplyProblem:
    """Return the task blocks of the reply's plan, or the problem that makes the reply unusable."""
    spoken = without_thought(text)
    if spoken is None:
        return _STILL_THINKING
    lines = _unwrap_plan(spoken.split("\n"))
    if isinstance(lines, ReplyProblem):
        return lines
    if fences_of(lines).is_open or is_cut_heading(lines[-1]):
        return _CUT_OFF
    return blocks_in(_lines_after_thought(lines)) or _NO_TASK


def without_thought(text: str) -> str | None:
    """Return the reply without the thoughts at its beginning; None if the last of them is never closed."""
    text = text.removeprefix("\ufeff")
    while opening := _THOUGHT.match(text):
        closing = re.compile(f"</{opening['tag']}>", re.IGNORECASE).search(text, opening.end())
        if closing is None:
            return None
        text = text[closing.end() :]
    return text


def blocks_in(lines: Sequence[str]) -> list[TaskBlock]:
    """Return the task blocks in these lines. Prose before the first heading is left out."""
    code = fences_of(lines).inside
    headings = [(at, heading) for at, line in enumerate(lines) if not code[at] and (heading := heading_in(line))]
    starts = [*(at for at, _ in headings), len(lines)]
    return [
        TaskBlock(heading, _body(lines[at + 1 : end])) for (at, heading), end in zip(headings, starts[1:], strict=True)
    ]


def wrapper_line(lines: Sequence[str]) -> int:
    """Return the index of the line that opens a code fence around the whole plan; -1 if there is none."""
    fences = fences_of(lines)
    first_task = next((at for at, line in enumerate(lines) if not fences.inside[at] and heading_in(line)), len(lines))
    before = (at for at in fences.openings if at < first_task)
    return next((at for at in before if heading_in(_next_words(lines, at))), -1)


def escape_body(text: str) -> str:
    """Return the text for the body of a block. Lines that look like headings or unclosed fences are escaped."""
    lines = text.split("\n")
    closed = list(lines)
    while (fences := fences_of(closed)).is_open:
        closed[fences.openings[-1]] = ""
    is_code = fences.inside
    return "\n".join(
        f"\\{line}" if not is_code[at] and is_mark(line.lstrip("\\")) else line for at, line in enumerate(lines)
    )


def escape_headings(text: str) -> str:
    """Put a backslash before lines that look like a task's heading, so that the model does not take them for tasks."""
    return "\n".join(f"\\{line}" if heading_in(line) else line for line in text.split("\n"))


def _unwrap_plan(lines: list[str]) -> list[str] | ReplyProblem:
    """Return the lines inside the code fence around the plan; all lines if there is none; or a problem."""
    opening = wrapper_line(lines)
    if opening < 0:
        return lines
    closing = next(closing_fences(lines, opening), -1)
    if closing < 0:
        return _CUT_OFF
    after = lines[closing + 1 :]
    return _TWO_PLANS if blocks_in(after) else lines[opening + 1 : closing]


def _next_words(lines: Sequence[str], at: int) -> str:
    return next((line for line in lines[at + 1 :] if line.strip()), "")


def _lines_after_thought(lines: list[str]) -> list[str]:
    """Return the lines after a thought that is closed but never opened, as some chat templates leave it; else all."""
    code = fences_of(lines).inside
    ends = [at for at, line in enumerate(lines) if not code[at] and ends_a_thought(line)]
    is_opened = bool(ends) and any(_THOUGHT.match(line) for line in lines[: ends[-1]])
    return lines[ends[-1] + 1 :] if ends and not is_opened else lines


def _body(lines: Sequence[str]) -> str:
    """Return the text below a heading, without escapes, and without blank lines at its beginning and end."""
    code = fences_of(lines).inside
    plain = [_unescape(line) if not code[at] else line for at, line in enumerate(lines)]
    return _BLANK_LINES.sub("", "\n".join(plain), count=1).rstrip(" \t\r\n")


def _unescape(line: str) -> str:
    return line[1:] if line.startswith("\\") and is_mark(line.lstrip("\\")) else line
