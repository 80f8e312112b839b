"""The kinds of task that there are, found by their modules; and the one place that tells them apart by `kind`.

They are found when they are first asked for: the module of plans, which is among those that are searched, asks too.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from shared.base.discovery import modules_of
from shared.tasks.task import Task
from shared.tasks.traits import TaskTraits

#: what holds of a word that is no kind
_UNKNOWN: Final = TaskTraits()


@cache
def kinds() -> Mapping[str, type[Task]]:
    """Every kind by its name, lull's own among them, in the order of their traits: each module's `TASK`."""
    found: list[type[Task]] = [module.TASK for module in modules_of("tasks") if hasattr(module, "TASK")]
    ordered = sorted(found, key=lambda model: (model.traits.order, model.kind_name()))
    return MappingProxyType({model.kind_name(): model for model in ordered})


@cache
def unlockable() -> Mapping[str, type[Task]]:
    """The kinds that a role prompt may unlock: all that a model may write, a thought among them."""
    return MappingProxyType({name: model for name, model in kinds().items() if model.traits.is_from_model})


@cache
def plannable() -> Mapping[str, type[Task]]:
    """The kinds that a model may write and that stand in a plan."""
    return MappingProxyType({name: model for name, model in unlockable().items() if model.traits.is_kept})


def traits_of(kind: str) -> TaskTraits:
    """The traits of what a model wrote as a kind; one that it may not write is unknown, whatever it is called."""
    model = unlockable().get(kind)
    return model.traits if model is not None else _UNKNOWN


def usable(wanted: Iterable[str], *, names_messages: bool) -> tuple[str, ...]:
    """Those of the kinds that one prompt may lead to; an unknown one stays, for the schema to complain of.

    `names_messages`: whether the prompt does; if not, no kind that must name one.
    """
    unusable = {kind for kind, model in unlockable().items() if not model.is_usable(names_messages=names_messages)}
    return tuple(kind for kind in wanted if kind not in unusable)


def waiting(wanted: Iterable[str]) -> tuple[str, ...]:
    """What of these kinds waits for a tap once text from outside was seen, as the model is told."""
    return tuple(filter(None, (unlockable()[kind].waiting() for kind in wanted if kind in unlockable())))


def stored_task(value: object) -> object:
    """A task of a plan from its document; what is a task already stays. Raises ValueError for an unknown kind."""
    if not isinstance(value, Mapping):
        return value
    kind = value.get("kind")
    model = kinds().get(kind) if isinstance(kind, str) else None
    if model is None or not model.traits.is_kept:
        raise ValueError("no kind of task that a plan can hold")
    return model.model_validate(value)
