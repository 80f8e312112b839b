"""The JSON values that stand in a model's reply, among prose, fences and spoken thoughts."""

import re
from dataclasses import dataclass
from typing import Final

from shared.base.text import well_formed
from shared.planning.format.json_tokens import MAX_DEPTH, Broken, Fault, Value, decode, read_value
from shared.planning.format.raw_task import ReplyProblem

#: Gemini's longest reply is 65,536 tokens (ai.google.dev/gemini-api/docs/models), about 4 characters each
MAX_REPLY_CHARS: Final = 300_000
#: and in UTF-8: a plan is one document of 1 MiB, and holds some of it twice, with what is kept of an earlier plan
MAX_REPLY_BYTES: Final = 300_000
#: how often a reply may be a JSON string that holds JSON
_MAX_WRAPPINGS: Final = 3

_TAG: Final = "think|thinking|thought|reasoning"
#: what interrupts prose: a thought, or a bracket that may open JSON (in prose, few do)
_NOTABLE: Final = re.compile(
    rf"""
      (?P<thought> <(?P<tag>{_TAG})> )
    | (?P<thought_end> </(?:{_TAG})> )
    | \{{ \s*+ (?: ["'“”/}}] | [\w$-]++ \s*+ (?: : | \Z ) | \Z )
    | \[ \s*+ (?: ["'“”/\]\[{{] | \Z )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_FENCE: Final = "```"
_BLANK: Final = "\ufeff \t\r\n"

_ANSWER: Final = 'Answer with the JSON plan alone: {"tasks": [...]}.'
_HINTS: Final = {
    Fault.CUT_OFF: "The JSON is cut off: a bracket or a quote was never closed. "
    'Write the whole plan again, shorter if it was too long, with every " inside a text escaped as \\".',
    Fault.TOO_DEEP: f"The JSON nests more than {MAX_DEPTH} deep. {_ANSWER}",
    Fault.MALFORMED: f'The JSON is not valid. Escape every " inside a text as \\". {_ANSWER}',
}
_TOO_LONG: Final = ReplyProblem(f"The reply is longer than {MAX_REPLY_BYTES} bytes. {_ANSWER}")
_STILL_THINKING: Final = ReplyProblem(f"The reply ends inside a thought that was never closed. {_ANSWER}")


@dataclass(frozen=True)
class ReplyValue:
    """An outermost object or list of a reply."""

    content: object
    #: the prose between this value and the one before, or the start
    before: str


@dataclass(frozen=True)
class ReplyText:
    """A reply as its JSON values and the prose behind the last one."""

    values: tuple[ReplyValue, ...]
    after: str


def read_text(text: str) -> ReplyText | ReplyProblem:
    """Every outermost object and list of the reply, or the problem for which the whole reply is refused.

    A value that is cut off or malformed is such a problem: the values before it may be half of what was meant.
    """
    if is_too_long(text):
        return _TOO_LONG
    return _take_apart(_unwrapped(well_formed(text)))


def is_too_long(text: str) -> bool:
    """Whether a reply is longer than a plan's document holds."""
    if len(text) > MAX_REPLY_CHARS:
        return True
    return not text.isascii() and len(text.encode(errors="replace")) > MAX_REPLY_BYTES


def next_value(text: str, position: int = 0) -> int:
    """Where the next object or list opens outside of thoughts; -1 if there is none."""
    while notable := _NOTABLE.search(text, position):
        if not (notable["thought"] or notable["thought_end"]):
            return notable.start()
        position = _end_of_thought(text, notable) if notable["thought"] else notable.end()
        if position < 0:
            break
    return -1


def _unwrapped(text: str) -> str:
    """The content of a reply that is one JSON string, with or without a fence around it; else the reply."""
    for _ in range(_MAX_WRAPPINGS):
        inner = _unfenced(text.strip(_BLANK))
        if not (inner.startswith('"') and inner.endswith('"')):
            break
        try:
            content = decode(inner)
        except ValueError:
            break
        text = well_formed(str(content))
    return text


def _unfenced(text: str) -> str:
    """The text between the fences, if the text begins and ends with one; else the text."""
    opening = re.match(r"```[\w-]*", text)
    if opening and text.endswith(_FENCE) and len(text) >= opening.end() + len(_FENCE):
        return text[opening.end() : -len(_FENCE)].strip(_BLANK)
    return text


def _take_apart(text: str) -> ReplyText | ReplyProblem:
    values: list[ReplyValue] = []
    prose, since = "", 0  # since: where the prose begins that is not yet in `prose`
    position = 0
    while notable := _NOTABLE.search(text, position):
        start, position = notable.span()
        if notable["thought_end"]:  # some chat templates open the thought themselves
            values, prose, since = [], "", position
        elif notable["thought"]:
            position = _end_of_thought(text, notable)
            if position < 0:
                return _STILL_THINKING
            prose, since = prose + text[since:start], position
        else:
            read = read_value(text, start)
            position = read.end
            if isinstance(read, Value):
                values.append(ReplyValue(read.content, before=prose + text[since:start]))
                prose, since = "", position
            elif not _is_prose(text, start, read):
                return _problem(read)
    return ReplyText(tuple(values), after=prose + text[since:])


def _end_of_thought(text: str, opening: re.Match[str]) -> int:
    """Where the thought that opens there ends; -1 if it does not."""
    closing = re.compile(f"</{opening['tag']}>", re.IGNORECASE).search(text, opening.end())
    return closing.end() if closing else -1


def _is_prose(text: str, start: int, broken: Broken) -> bool:
    """Whether a broken value is only a remark in brackets, which cannot hold a task."""
    return broken.fault is Fault.MALFORMED and text[start] == "[" and "{" not in text[start : broken.end]


def _problem(broken: Broken) -> ReplyProblem:
    detail = f" The decoder says: {broken.detail}." if broken.detail else ""
    return ReplyProblem(_HINTS[broken.fault] + detail)
