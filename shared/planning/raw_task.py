"""A task as the model spelled it, before anything is known to make sense; and the message to one that went wrong."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from shared.models.text import well_formed
from shared.tasks.task import Task

#: what models write instead of a field's own name, where no schema holds them
_OTHER_NAMES: Final = {
    "kind": ("type", "action"),
    "text": ("message", "content"),
    "reply_to": ("reply_to_message_id",),
    "message_id": ("reply_to",),
    "depends_on": ("dependencies",),
    "seconds": ("delay",),
}
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True)
class ReplyProblem:
    """Why a reply cannot be used, as a message for the model that wrote it.

    It quotes neither people nor the model, so it may be stored and logged.
    """

    hint: str


@dataclass(frozen=True, kw_only=True)
class RawTask:
    """One task of any kind, with any values."""

    kind: str
    #: empty: the model gave none
    id: str
    #: ids as written; None: the model gave none, which is not the same as an empty list
    depends_on: tuple[str, ...] | None
    fields: Mapping[str, object]


def named_fields(item: Mapping[str, object]) -> dict[str, object]:
    """The fields under their own names; the exact spelling of a name wins over another one."""
    named: dict[str, object] = {}
    for key, value in item.items():
        name = _HUMP.sub("_", key).lower().replace("-", "_")
        if name == key or name not in named:
            named[name] = value
    for name, others in _OTHER_NAMES.items():
        for other in others:
            if name not in named and other in named:
                named[name] = named[other]
    return named


def raw_task(item: dict[str, object]) -> RawTask:
    """The task in an item whose fields have their own names."""
    return RawTask(
        kind=kind_of(item), id=_id(item.get("id")), depends_on=_depends_on(item.get("depends_on")), fields=item
    )


def kind_of(item: dict[str, object]) -> str:
    """The kind as lull spells kinds; empty: the item has none."""
    kind = item.get("kind")
    return kind.strip(" «»").lower().replace("_", "-") if isinstance(kind, str) else ""


def written_fields(tasks: Iterable[Task]) -> Iterator[dict[str, object]]:
    """The fields in which a model would best write each task: ids and dependencies only where they are unusual."""
    usual: tuple[str, ...] = ()
    for number, task in enumerate(tasks, start=1):
        fields = task.model_dump(exclude={"id", "depends_on"}, exclude_none=True)
        if task.id != str(number):
            fields["id"] = task.id
        if task.depends_on != usual:
            fields["depends_on"] = task.depends_on
        yield fields
        usual = (task.id,)


def _id(value: object) -> str:
    """An id as text, as which 1, 1.0 and "1" are the same; empty: this is none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return well_formed(str(value)).strip()


def _depends_on(wanted: object) -> tuple[str, ...] | None:
    """The ids in a list or a single one; None: nothing that could be an id, so nothing was said."""
    if wanted == []:
        return ()
    ids = tuple(id_ for one in (wanted if isinstance(wanted, list) else [wanted]) if (id_ := _id(one)))
    return ids or None
