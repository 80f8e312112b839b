"""Function calls as markdown blocks: the instructions for the model, and the parser of the calls that it writes.

A call is a block such as `# «retrieve»`, with the function's arguments below it.
"""

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from shared.base.text import well_formed
from shared.planning.format.json_text import MAX_REPLY_CHARS
from shared.planning.format.markdown_text import TaskBlock, heading_arguments, read_blocks
from shared.planning.format.raw_task import ReplyProblem
from shared.values.prompt import PromptTurn, ToolAnswer, ToolCall, ToolDeclaration, TurnRole

_HEAD: Final = """\
Before you answer you may call functions. A call is such a block, too. If you need one, write calls alone: you are \
told their answers, and then you answer. These are the functions:"""
_ITEM_MARK: Final = re.compile(r"[-*+•][ \t]+|\d{1,2}[.)][ \t]+")
_NAMED_LINE: Final = re.compile(r"(?P<name>[A-Za-z_]\w*+)[ \t]*+[:=][ \t]*+(?P<value>.*)", re.ASCII)


def calls_instructions(tools: Sequence[ToolDeclaration]) -> str:
    """Return the part of the system text that describes the functions; empty if there are no functions."""
    return "\n\n".join([_HEAD, *map(_declaration, tools)]) if tools else ""


def read_calls(reply: str, names: Collection[str], tools: Sequence[ToolDeclaration]) -> tuple[ToolCall, ...]:
    """Return the function calls in a reply: the blocks whose heading is a function's name.

    Arguments are read only for functions in `tools`. The result is empty if the reply is not a plan or is cut off.
    """
    blocks = read_blocks(well_formed(reply)) if names and len(reply) <= MAX_REPLY_CHARS else []
    if isinstance(blocks, ReplyProblem):
        return ()
    declared = {tool.name: tool.parameters for tool in tools}
    named = ((block.heading.kind.lower(), block) for block in blocks)
    called = [(name, block) for name, block in named if name in names]
    return tuple(ToolCall(name=name, arguments=_arguments(block, declared.get(name, {}))) for name, block in called)


def answers_turn(answers: Sequence[ToolAnswer]) -> PromptTurn:
    """Return a turn with the answers of the functions. Each answer follows the name of its function."""
    texts = (f"[{_outcome_words(answer)} `{answer.call.name}`]\n{answer.text}" for answer in answers)
    return PromptTurn(role=TurnRole.USER, parts=(*texts, "[RESPOND]"))


def turn_in_words(turn: PromptTurn) -> PromptTurn:
    """Return the turn as text if it consists of function calls or of answers to them; else return it unchanged."""
    if turn.answers:
        return answers_turn(turn.answers)
    return PromptTurn(role=TurnRole.MODEL, parts=("(functions were called)",)) if turn.verbatim else turn


def _outcome_words(answer: ToolAnswer) -> str:
    return "failure of" if answer.is_error else "answer of"


def _declaration(tool: ToolDeclaration) -> str:
    fields: Mapping[str, Mapping[str, Any]] = tool.parameters.get("properties", {})
    (first, *others) = fields or [""]
    if not first:
        below = "nothing below it"
    elif others:
        needed = tool.parameters.get("required", ())
        every = ", ".join(f"`{name}: …`{_field_hint(field, name in needed)}" for name, field in fields.items())
        below = f"lines below it: {every}"
    else:
        each = ", each on a line of its own" if fields[first].get("type") == "array" else ""
        below = f"its `{first}` below it{each}{_field_hint(fields[first], is_needed=True)}"
    return f"`# «{tool.name}»` with {below}. {tool.description}"


def _field_hint(field: Mapping[str, Any], is_needed: bool) -> str:
    said = [str(field.get("description", "")).rstrip("."), "" if is_needed else "may be left out"]
    return f" ({'; '.join(filter(None, said))})" if any(said) else ""


def _arguments(block: TaskBlock, parameters: Mapping[str, Any]) -> dict[str, object]:
    """Return a call's arguments by name. The argument of a function that takes only one may be unnamed text."""
    fields: Mapping[str, Mapping[str, Any]] = parameters.get("properties", {})
    head = heading_arguments(block.heading.rest, partial(_is_field, fields))
    words = " ".join(filter(None, (head.number, head.prose)))
    lines = [words, *(line.strip() for line in block.body.splitlines())]
    given: dict[str, object] = dict(head.options) | dict(_named_arguments(lines, fields))
    if not given and len(fields) == 1:
        given = {name: "\n".join(filter(None, lines)) for name in fields}
    return {name: _coerced_value(value, fields.get(name, {}).get("type")) for name, value in given.items()}


def _is_field(fields: Collection[str], name: str) -> bool:
    return name in fields


def _named_arguments(lines: Sequence[str], fields: Collection[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        named = _NAMED_LINE.fullmatch(_ITEM_MARK.sub("", line, count=1))
        if named and named["name"] in fields:
            yield named["name"], named["value"].strip()


def _coerced_value(value: object, kind: object) -> object:
    """Return the value converted to `kind`, a JSON type such as "array"; unchanged if it cannot be converted."""
    if not isinstance(value, str):
        return value
    if kind == "array":
        lines = (_ITEM_MARK.sub("", line, count=1).strip("<> \t") for line in value.splitlines())
        return [line for line in lines if line]
    if kind in {"number", "integer"}:
        return _number(value)
    return value


def _number(text: str) -> object:
    try:
        number = float(text.replace(",", ""))
    except ValueError:
        return text
    if not math.isfinite(number):
        return text
    return int(number) if number.is_integer() and abs(number) < 2**53 else number
