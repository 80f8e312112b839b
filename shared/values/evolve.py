"""Frozen models and changed copies of them. The type checker checks the names and types of the changed fields."""

from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ConfigDict

Model = TypeVar("Model", bound=BaseModel)

if TYPE_CHECKING:
    # the type checker treats a pydantic model as a dataclass, and knows the arguments of `replace` for each class
    from dataclasses import replace as evolve
else:

    def evolve(value: Model, **changes: Any) -> Model:
        """Return a copy of a model with some fields changed. The changed fields are not validated again."""
        if unknown := changes.keys() - type(value).model_fields.keys():
            raise TypeError(f"{type(value).__name__} has no field {min(unknown)!r}")
        return value.model_copy(update=changes)


class FrozenModel(BaseModel):
    """A model whose fields cannot be assigned. When it is read, fields that it does not know are ignored."""

    model_config = ConfigDict(frozen=True)


__all__ = ["FrozenModel", "evolve"]
