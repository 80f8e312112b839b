"""Read a model's reply as a plan. The result is either the tasks, or a problem to report to the model."""

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, get_args

from pydantic import ValidationError

from shared.base.text import is_blank, well_formed
from shared.planning.format.json_codec import plan_in_json, tasks_in_json
from shared.planning.format.markdown_codec import plan_in_markdown, tasks_in_markdown
from shared.planning.format.raw_task import LinkedTask, RawTask, ReplyProblem, link_tasks
from shared.planning.format.text_codec import plan_in_text, tasks_in_text
from shared.tasks.registry import plannable, traits_of
from shared.tasks.task import COMMON_FIELDS, MESSAGE_FIELDS, Task
from shared.values.agent import Codec

#: Telegram's server reads a message_id as a signed 32-bit number (telegram-bot-api, Client::get_message_id)
_LAST_MESSAGE_ID: Final = 2**31 - 1
#: the range of whole numbers that a plan's document can store: 64 bits
_WHOLE_NUMBERS: Final = range(-(2**63), 2**63)
_TRUTHS: Final[Mapping[str, bool]] = MappingProxyType({"true": True, "yes": True, "false": False, "no": False})
_NOTHING_SEEN: Final = (
    "Task {number} ({kind}), `text`: nothing of it would be seen. "
    "Write the whole plan again, without the task if there is nothing to say."
)
_NUMBER: Final = re.compile(r"[+-]?\d{1,18}(?:\.\d{1,18})?", re.ASCII)


def read_task(linked: LinkedTask) -> tuple[Task, list[str]] | ReplyProblem:
    """Return the task, with notes on the optional fields that were left out because their values were wrong.

    A wrong required field is a problem: without it, the task would differ from the model's intention.
    """
    kind = linked.raw.kind
    model = plannable()[kind]
    fields = model.model_fields
    named = {name: linked.raw.fields.get(name) for name in fields if name not in COMMON_FIELDS}
    tidied = {name: _coerced_value(name, value, fields[name].annotation) for name, value in named.items()}
    given: dict[str, object] = {name: value for name, value in tidied.items() if value is not None}
    links = {"kind": kind, "id": linked.id, "depends_on": linked.depends_on}
    wrong = _field_errors(model, given, links)
    for name, why in wrong.items():
        if fields[name].is_required():
            return ReplyProblem(
                f"Task {linked.number} ({kind}), `{name}`: {why}. Correct it and write the whole plan again."
            )
    good = {name: value for name, value in given.items() if name not in wrong}
    notes = [f"Task {linked.number} ({kind}) lost its `{name}`: {why}." for name, why in wrong.items()]
    task = model.model_validate(links | good, strict=True)
    if task.traits.is_text and not task.parts():
        return ReplyProblem(_NOTHING_SEEN.format(number=linked.number, kind=kind))
    return task, notes


def _field_errors(model: type[Task], given: Mapping[str, object], links: Mapping[str, object]) -> dict[str, str]:
    """Return the error of each wrong field. The errors are pydantic's, which do not quote the value."""
    wrong = dict(_value_errors(given))
    try:
        model.model_validate({**links, **given}, strict=True)
    except ValidationError as cause:
        for error in cause.errors(include_url=False, include_input=False):
            name = str(error["loc"][0])
            wrong.setdefault(name, "it is missing" if error["type"] == "missing" else error["msg"].lower())
    return wrong


def _value_errors(given: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield errors that the types do not cover: empty texts, impossible message ids, and numbers too large to store."""
    for name, value in given.items():
        if isinstance(value, str) and is_blank(value):
            yield name, "it is empty; leave the task out if there is nothing to say"
        if name in MESSAGE_FIELDS and isinstance(value, int) and not 0 < value <= _LAST_MESSAGE_ID:
            yield name, "there can be no message with this number"
        if isinstance(value, int) and value not in _WHOLE_NUMBERS:
            yield name, "the number is far too large"


def _coerced_value(name: str, value: object, annotation: Any) -> object:
    """Return the value converted to the type of its field; unchanged if it cannot be converted."""
    types = (annotation, *get_args(annotation))
    if str in types:
        return _text(name, value)
    if bool in types and isinstance(value, str):
        return _TRUTHS.get(value.strip().lower(), value)
    if int in types:
        number = _whole_number(name, value)
        return None if name in MESSAGE_FIELDS and number in (0, "") else number
    return value


def _text(name: str, value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return value
    text = well_formed(str(value))
    return text if name == "text" else text.strip()


def _whole_number(name: str, value: object) -> object:
    """Return 300 for 300, 300.0, "300" and "300.0". Round fractions in the field `seconds` up. Keep other values."""
    if isinstance(value, str):
        value = value.strip()
        if _NUMBER.fullmatch(value):
            value = float(value) if "." in value else int(value)
    if isinstance(value, float) and math.isfinite(value) and (value.is_integer() or name == "seconds"):
        return math.ceil(value) if value > 0 else math.floor(value)
    return value


#: the maximum number of tasks in a plan. This is far more than an answer needs; a model that writes more malfunctions
MAX_TASKS: Final = 50
#: how the note on a left-out task ends, if the task had a lasting effect that the model may have announced as done
NOT_DONE: Final = ", so it was not done."
_PLAIN_WORD: Final = re.compile(r"[a-z][a-z0-9-]{0,30}", re.ASCII)
_READERS: Final[Mapping[Codec, Callable[[str], list[RawTask] | ReplyProblem]]] = MappingProxyType(
    {Codec.JSON: tasks_in_json, Codec.MARKDOWN: tasks_in_markdown, Codec.TEXT: tasks_in_text}
)
_WRITERS: Final[Mapping[Codec, Callable[[Iterable[Task]], str]]] = MappingProxyType(
    {Codec.JSON: plan_in_json, Codec.MARKDOWN: plan_in_markdown, Codec.TEXT: plan_in_text}
)


@dataclass(frozen=True)
class ParsedReply:
    """A plan that can be executed. An empty plan means that the agent says nothing."""

    #: in order: ids are unique, and every task follows its dependencies
    tasks: tuple[Task, ...]
    #: sentences on what was changed or left out; they quote nothing
    notes: tuple[str, ...]


def parse_reply(text: str, kinds: Collection[str], codec: Codec = Codec.JSON) -> ParsedReply | ReplyProblem:
    """Return the plan in the model's reply, or the problem to report to the model. Never raises.

    Tasks of other kinds than `kinds` are left out. A reply that is visibly cut off is refused as a whole. (A reply that
    ends between two lines of JSON, or anywhere in a markdown text, looks complete; only the model's finish reason shows
    that it is cut off.)
    """
    raws = _READERS[codec](text)
    if isinstance(raws, ReplyProblem):
        return raws
    if len(raws) > MAX_TASKS:
        return ReplyProblem(f"The plan has {len(raws)} tasks; write one with at most {MAX_TASKS}.")
    return _plan(raws, kinds)


def reply_text(tasks: Iterable[Task], codec: Codec = Codec.JSON) -> str:
    """Return the reply that a model should write for these tasks. `parse_reply` reads the same tasks from this reply.

    (In markdown, a text loses leading blank lines and trailing white space, since Telegram shows neither.)
    """
    return _WRITERS[codec](tasks)


def _plan(raws: list[RawTask], kinds: Collection[str]) -> ParsedReply | ReplyProblem:
    known = [raw.kind in kinds and raw.kind in plannable() for raw in raws]
    unknown = [(at, raw) for at, raw in enumerate(raws, start=1) if not known[at - 1]]
    strange = [(at, raw) for at, raw in unknown if traits_of(raw.kind).is_kept]
    if strange and not any(known):
        usable = ", ".join(kind for kind in plannable() if kind in kinds)
        return ReplyProblem(
            f"No task is of a kind that you may use. Write the plan again with these kinds only: {usable}."
        )
    linked = link_tasks(raws, known)
    if isinstance(linked, ReplyProblem):
        return linked
    places, graph_notes = linked
    notes = [_left_out_note(at, raw) for at, raw in strange] + graph_notes
    tasks: list[Task] = []
    for place in places:
        read = read_task(place)
        if isinstance(read, ReplyProblem):
            return read
        tasks.append(read[0])
        notes += read[1]
    return ParsedReply(tuple(tasks), tuple(notes))


def _left_out_note(number: int, raw: RawTask) -> str:
    """Return the note on a task whose kind is unknown or not allowed. The kind is named only if it is a plain word."""
    name = f" `{raw.kind}`" if _PLAIN_WORD.fullmatch(raw.kind) else ""
    traits = traits_of(raw.kind)
    lasts = raw.kind in plannable() and (traits.uses.times or not traits.stays_in_chat)
    return f"Task {number} was left out: its kind{name} is not one to use here{NOT_DONE if lasts else '.'}"
