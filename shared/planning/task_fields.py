"""The fields of one task: from the values that a model wrote to a typed task."""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, get_args

from pydantic import TypeAdapter, ValidationError

from shared.models.plan import Task
from shared.planning.raw_task import ReplyProblem
from shared.planning.task_graph import Linked
from shared.planning.task_kinds import TASK_MODELS
from shared.planning.unicode_text import well_formed

#: Telegram's server reads a message_id as a signed 32-bit number (telegram-bot-api, Client::get_message_id)
_LAST_MESSAGE_ID: Final = 2**31 - 1
_MESSAGE_IDS: Final = ("reply_to", "message_id")
_LINKS: Final = ("kind", "id", "depends_on")
_NUMBER: Final = re.compile(r"[+-]?\d{1,18}(?:\.\d{1,18})?", re.ASCII)
_TASK: Final[TypeAdapter[Task]] = TypeAdapter(Task)


def read_task(linked: Linked) -> tuple[Task, list[str]] | ReplyProblem:
    """The task, with notes on optional fields that made no sense and were left out.

    A required field that makes no sense is a problem: the task would do something else than was meant.
    """
    kind = linked.raw.kind
    fields = TASK_MODELS[kind].model_fields
    named = {name: linked.raw.fields.get(name) for name in fields if name not in _LINKS}
    tidied = {name: _tidied(name, value, fields[name].annotation) for name, value in named.items()}
    given: dict[str, object] = {name: value for name, value in tidied.items() if value is not None}
    links = {"kind": kind, "id": linked.id, "depends_on": linked.depends_on}
    wrong = _wrong(given, links)
    for name, why in wrong.items():
        if fields[name].is_required():
            return ReplyProblem(
                f"Task {linked.number} ({kind}), `{name}`: {why}. Correct it and write the whole plan again."
            )
    good = {name: value for name, value in given.items() if name not in wrong}
    notes = [f"Task {linked.number} ({kind}) lost its `{name}`: {why}." for name, why in wrong.items()]
    return _TASK.validate_python(links | good, strict=True), notes


def _wrong(given: Mapping[str, object], links: Mapping[str, object]) -> dict[str, str]:
    """What is wrong with each field that is; pydantic's messages don't quote the value."""
    wrong = dict(_unusable(given))
    try:
        _TASK.validate_python({**links, **given}, strict=True)
    except ValidationError as cause:
        for error in cause.errors(include_url=False, include_input=False):
            name = str(error["loc"][1])  # after the kind
            wrong.setdefault(name, "it is missing" if error["type"] == "missing" else error["msg"].lower())
    return wrong


def _unusable(given: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """What no type says: Telegram sends no empty text and has no such message."""
    for name, value in given.items():
        if isinstance(value, str) and not value.strip():
            yield name, "it is empty; leave the task out if there is nothing to say"
        if name in _MESSAGE_IDS and isinstance(value, int) and not 0 < value <= _LAST_MESSAGE_ID:
            yield name, "there can be no message with this number"


def _tidied(name: str, value: object, annotation: Any) -> object:
    """The value in the type that its field has, where only the spelling of it is another."""
    types = (annotation, *get_args(annotation))
    if str in types:
        return _text(name, value)
    if int in types:
        number = _whole_number(name, value)
        return None if name in _MESSAGE_IDS and number in (0, "") else number
    return value


def _text(name: str, value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return value
    text = well_formed(str(value))
    return text if name == "text" else text.strip()


def _whole_number(name: str, value: object) -> object:
    """A whole number, also from 300.0, "300" and "300.0"; part of a second counts as a whole one."""
    if isinstance(value, str):
        value = value.strip()
        if _NUMBER.fullmatch(value):
            value = float(value) if "." in value else int(value)
    if isinstance(value, float) and math.isfinite(value) and (value.is_integer() or name == "seconds"):
        return math.ceil(value) if value > 0 else math.floor(value)
    return value
