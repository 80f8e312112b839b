"""The kinds of task that a model may write, each with the fields it takes."""

from types import MappingProxyType
from typing import Annotated, Final, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, Field

from shared.models.plan import Task, TaskBase

TaskModel: TypeAlias = type[TaskBase]


class Think(BaseModel):
    """Think before you act; nobody reads it, and it is not kept."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["think"] = "think"
    text: Annotated[str, Field(description="A short private note.")]


THINK: Final = "think"


def _models_by_kind() -> dict[str, TaskModel]:
    """The members of the union `Task`, by the one value of their `kind`."""
    union = get_args(Task)[0]
    return {get_args(model.model_fields["kind"].annotation)[0]: model for model in get_args(union)}


#: every kind of task that can stand in a plan; `think` is not among them
TASK_MODELS: Final = MappingProxyType(_models_by_kind())
