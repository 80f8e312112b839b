"""A model's reply, read as a plan: total, so whatever the model writes is either tasks or a message back to it."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from shared.models.agent import Codec
from shared.models.plan import Task
from shared.planning.json_codec import plan_in_json, tasks_in_json
from shared.planning.markdown_codec import plan_in_markdown, tasks_in_markdown
from shared.planning.raw_task import RawTask, ReplyProblem
from shared.planning.task_fields import read_task
from shared.planning.task_graph import link_tasks
from shared.planning.task_kinds import TASK_MODELS, THINK

__all__ = ["MAX_TASKS", "ParsedReply", "ReplyProblem", "parse_reply", "reply_text"]

#: far more than an answer needs; beyond it a model has lost its way
MAX_TASKS: Final = 50
_PLAIN_WORD: Final = re.compile(r"[a-z][a-z0-9-]{0,30}", re.ASCII)
_READERS: Final[Mapping[Codec, Callable[[str], list[RawTask] | ReplyProblem]]] = MappingProxyType(
    {Codec.JSON: tasks_in_json, Codec.MARKDOWN: tasks_in_markdown}
)
_WRITERS: Final[Mapping[Codec, Callable[[Iterable[Task]], str]]] = MappingProxyType(
    {Codec.JSON: plan_in_json, Codec.MARKDOWN: plan_in_markdown}
)


@dataclass(frozen=True)
class ParsedReply:
    """A plan that can be carried out: no task means silence."""

    #: ids are unique, and every dependency stands before what depends on it
    tasks: tuple[Task, ...]
    #: what was not taken as it was written, in plain sentences that quote nobody
    notes: tuple[str, ...]


def parse_reply(text: str, kinds: Collection[str], codec: Codec = Codec.JSON) -> ParsedReply | ReplyProblem:
    """The plan in the model's reply, of the kinds of task that are unlocked; or what to tell the model.

    Never raises. A reply that is seen to be cut off is refused whole. (One that ends between two lines of JSON, or
    anywhere in a text of markdown, looks complete: only the model's finish reason can tell.)
    """
    raws = _READERS[codec](text)
    if isinstance(raws, ReplyProblem):
        return raws
    if len(raws) > MAX_TASKS:
        return ReplyProblem(f"The plan has {len(raws)} tasks; write one with at most {MAX_TASKS}.")
    return _plan(raws, kinds)


def reply_text(tasks: Iterable[Task], codec: Codec = Codec.JSON) -> str:
    """The plan as the model would best have written it; `parse_reply` makes the same tasks of it.

    (In markdown, a text loses blank lines before it, and white space after it: Telegram shows neither.)
    """
    return _WRITERS[codec](tasks)


def _plan(raws: list[RawTask], kinds: Collection[str]) -> ParsedReply | ReplyProblem:
    known = [raw.kind in kinds and raw.kind in TASK_MODELS for raw in raws]
    strange = [(at, raw) for at, raw in enumerate(raws, start=1) if not known[at - 1] and raw.kind != THINK]
    if strange and not any(known):
        usable = ", ".join(kind for kind in TASK_MODELS if kind in kinds)
        return ReplyProblem(
            f"No task is of a kind that you may use. Write the plan again with these kinds only: {usable}."
        )
    linked = link_tasks(raws, known)
    if isinstance(linked, ReplyProblem):
        return linked
    places, graph_notes = linked
    notes = [_left_out(at, raw) for at, raw in strange] + graph_notes
    tasks: list[Task] = []
    for place in places:
        read = read_task(place)
        if isinstance(read, ReplyProblem):
            return read
        tasks.append(read[0])
        notes += read[1]
    return ParsedReply(tuple(tasks), tuple(notes))


def _left_out(number: int, raw: RawTask) -> str:
    """The note on a task of an unknown or locked kind; a kind is named only if it can be nothing but a kind's name."""
    name = f" `{raw.kind}`" if _PLAIN_WORD.fullmatch(raw.kind) else ""
    return f"Task {number} was left out: its kind{name} is not one to use here."
