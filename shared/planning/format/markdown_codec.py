"""Plans as markdown, for models without structured output: blocks like `# «send» 12345`, with the text below."""

import json
import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Final

from pydantic.fields import FieldInfo

from shared.base.text import well_formed
from shared.planning.format.json_text import MAX_REPLY_BYTES, is_too_long
from shared.planning.format.markdown_text import FORM, TaskBlock, escape_body, heading_arguments, read_blocks
from shared.planning.format.raw_task import RawTask, ReplyProblem, fields_to_write, kind_of, named_fields, raw_task
from shared.tasks.registry import plannable
from shared.tasks.task import COMMON_FIELDS, MESSAGE_FIELDS, Task

_PLAIN_WORD: Final = re.compile(r"[A-Za-z0-9_-]+")
_NAMED_LINE: Final = re.compile(r"[ \t]*+(?P<name>[A-Za-z][\w-]*+)[ \t]*+[:=][ \t]*+(?P<value>.*)")

_TOO_LONG: Final = ReplyProblem(f"The reply is longer than {MAX_REPLY_BYTES} bytes. {FORM}")
#: how a plan is written if the model has nothing to say: only a thought
_SILENCE: Final = "# «think»\n\nThere is nothing to do."


def tasks_in_markdown(reply: str) -> list[RawTask] | ReplyProblem:
    """Return the reply's tasks in order, thoughts included; or a problem if it contains no plan or several plans."""
    if is_too_long(reply):
        return _TOO_LONG
    blocks = read_blocks(well_formed(reply))
    return blocks if isinstance(blocks, ReplyProblem) else [raw_task(named_fields(item_in(block))) for block in blocks]


def plan_in_markdown(tasks: Iterable[Task]) -> str:
    """Return the plan as the model should write it, without ids and dependencies that are the default."""
    return "\n\n".join(map(_task_block, fields_to_write(tasks))) or _SILENCE


def body_field(kind: str) -> str:
    """Return the name of the field that is written below the heading of this kind of task; empty if there is none."""
    fields = _own_fields(kind)
    required = [name for name, field in fields.items() if field.is_required() and name not in MESSAGE_FIELDS]
    return next(iter([*required, *(name for name in fields if name not in MESSAGE_FIELDS)]), "")


def target_field(kind: str) -> str:
    """Return the name of the field for the number in the heading of this kind of task; empty if there is none."""
    return next((name for name in MESSAGE_FIELDS if name in _own_fields(kind)), "")


def _own_fields(kind: str) -> Mapping[str, FieldInfo]:
    """Return the fields of a kind of task, except those common to all kinds. Unknown kinds have only `text`."""
    fields = plannable()[kind].model_fields if kind in plannable() else {"text": FieldInfo()}
    return {name: field for name, field in fields.items() if name not in COMMON_FIELDS}


def item_in(block: TaskBlock) -> dict[str, object]:
    """Return the fields in a block's heading and body. Other words in the heading become the beginning of the text."""
    kind = kind_of({"kind": block.heading.kind})
    said = heading_arguments(block.heading.rest, partial(_is_option, kind))
    options = named_fields(said.options)
    body, target = body_field(kind), target_field(kind)
    if body == "text":
        parts = (said.prose, options.pop("text", ""), block.body)
        below: Mapping[str, object] = {"text": "\n".join(str(part) for part in parts if part)}
        number = said.number if target else ""
    else:
        number, words = (said.number, said.prose) if said.number else _split_number(said.prose)
        below = _below(block.body or words, body)
    return {**below, **({target or body: number} if number else {}), **options, "kind": kind}


def _split_number(prose: str) -> tuple[str, str]:
    """Split `60 seconds` or `5 👍` into the number and the words after it. The number is empty if there is none."""
    first, _, rest = prose.partition(" ")
    return (first, rest.strip()) if first.isdecimal() else ("", prose)


def _is_option(kind: str, name: str) -> bool:
    """Return whether this kind of task has a field with this name, in any spelling."""
    return not named_fields({name: ""}).keys().isdisjoint({*COMMON_FIELDS, *_own_fields(kind)})


def _below(body: str, field: str) -> Mapping[str, object]:
    """Return the fields in a block's body: lines of `name: value`, or else the whole body as the field `field`."""
    if not field or not (body or field == "text"):
        return {}
    named = [] if field == "text" else [_NAMED_LINE.fullmatch(line) for line in body.splitlines() if line.strip()]
    if not named or None in named:
        return {field: body}
    return {line["name"]: line["value"].strip() for line in named if line}


def _task_block(fields: Mapping[str, Any]) -> str:
    kind, body, target = fields["kind"], body_field(fields["kind"]), target_field(fields["kind"])
    number = [str(fields[target])] if target in fields else []
    others = [name for name in fields if name not in ("kind", body, target)]
    named = [f"{name}={_heading_value(fields[name])}" for name in others]
    heading = " ".join([f"# «{kind}»", *number, *named])
    return f"{heading}\n\n{_block_body(body, fields[body])}" if body in fields else heading


def _heading_value(value: object) -> str:
    """Return a value as written in a heading: as bare words if no word needs quotes, else as JSON."""
    words = [str(word) for word in (value if isinstance(value, list | tuple) else [value])]
    if words and all(map(_PLAIN_WORD.fullmatch, words)):
        return ",".join(words)
    return json.dumps(value, ensure_ascii=False)


def _block_body(field: str, value: object) -> str:
    return escape_body(value) if isinstance(value, str) else f"{field}: {json.dumps(value, ensure_ascii=False)}"
