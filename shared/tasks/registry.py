"""The kinds of task that there are."""

from collections.abc import Iterable
from types import MappingProxyType
from typing import Annotated, Final, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, Field

from shared.tasks.notice import Notice
from shared.tasks.react import React
from shared.tasks.rewrite import Rewrite
from shared.tasks.send import Send
from shared.tasks.task import TaskBase
from shared.tasks.wait import Wait

Task: TypeAlias = Annotated[Send | Wait | React, Field(discriminator="kind")]
OwnTask: TypeAlias = Send | Notice | Rewrite
TaskModel: TypeAlias = type[TaskBase]


class Think(BaseModel):
    """Think before you act; nobody reads it, and it is not kept."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["think"] = "think"
    text: Annotated[str, Field(description="A short private note.")]


THINK: Final = "think"
#: the fields by which a task names a message
MESSAGE_FIELDS: Final = frozenset({"reply_to", "message_id"})


def _models_by_kind() -> dict[str, TaskModel]:
    """The members of the union `Task`, by the one value of their `kind`."""
    union = get_args(Task)[0]
    return {get_args(model.model_fields["kind"].annotation)[0]: model for model in get_args(union)}


#: every kind of task that can stand in a plan; `think` is not among them
TASK_MODELS: Final = MappingProxyType(_models_by_kind())


def usable(kinds: Iterable[str], *, names_messages: bool) -> tuple[str, ...]:
    """Those of the kinds that can be planned; where the prompt names no messages, not those that must name one."""
    return tuple(kind for kind in kinds if names_messages or not _must_name(kind))


def _must_name(kind: str) -> bool:
    fields = TASK_MODELS[kind].model_fields if kind in TASK_MODELS else {}
    return any(name in MESSAGE_FIELDS and field.is_required() for name, field in fields.items())
