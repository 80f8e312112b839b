"""The registry of the kinds of task: each module with a `TASK`, here or in a feature's `tasks`, defines one.

The modules are imported only at the first use, because one of them, `plan`, imports this module.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from shared.base.discovery import modules_of
from shared.tasks.task import Task
from shared.tasks.traits import TaskTraits

#: the traits of an unknown kind
_UNKNOWN: Final = TaskTraits()


@cache
def kinds() -> Mapping[str, type[Task]]:
    """Return all kinds by name, including lull's own, sorted by `traits.order` and then by name."""
    found: list[type[Task]] = [module.TASK for module in modules_of("tasks") if hasattr(module, "TASK")]
    ordered = sorted(found, key=lambda model: (model.traits.order, model.kind_name()))
    return MappingProxyType({model.kind_name(): model for model in ordered})


@cache
def unlockable() -> Mapping[str, type[Task]]:
    """Return, by name, the kinds of task that a role prompt may unlock for a model, including `think`."""
    return MappingProxyType({name: model for name, model in kinds().items() if model.traits.is_from_model})


@cache
def plannable() -> Mapping[str, type[Task]]:
    """Return, by name, the kinds of task that a model may write and that a plan keeps; `think` is not kept."""
    return MappingProxyType({name: model for name, model in unlockable().items() if model.traits.is_kept})


def traits_of(kind: str) -> TaskTraits:
    """Return the traits of a kind that a model wrote.

    If models may not write this kind, return the traits of an unknown kind.
    """
    model = unlockable().get(kind)
    return model.traits if model is not None else _UNKNOWN


def usable(wanted: Iterable[str], *, names_messages: bool) -> tuple[str, ...]:
    """Return those of the wanted kinds that a prompt may offer. Unknown kinds stay, so that the schema rejects them.
    `names_messages`: whether the prompt has message ids; without them, kinds that need one are left out.
    """
    unusable = {kind for kind, model in unlockable().items() if not model.is_usable(names_messages=names_messages)}
    return tuple(kind for kind in wanted if kind not in unusable)


def waiting(wanted: Iterable[str]) -> tuple[str, ...]:
    """Return how the prompt names the tasks that need a button press after the model has seen untrusted text."""
    return tuple(filter(None, (unlockable()[kind].waiting() for kind in wanted if kind in unlockable())))


def stored_task(value: object) -> object:
    """Return a stored task as an object of its kind. Raises ValueError for an unknown kind."""
    if not isinstance(value, Mapping):
        return value
    kind = value.get("kind")
    model = kinds().get(kind) if isinstance(kind, str) else None
    if model is None or not model.traits.is_kept:
        raise ValueError(f"unknown task kind {kind!r}; expected one of {', '.join(kinds())}")
    return model.model_validate(value)
