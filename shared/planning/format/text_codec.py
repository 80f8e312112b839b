"""Plans as bare text, for small models: the whole reply is one message, and an empty reply means silence."""

from collections.abc import Iterable

from shared.base.text import is_blank, well_formed
from shared.planning.format.json_text import MAX_REPLY_BYTES, is_too_long
from shared.planning.format.raw_task import RawTask, ReplyProblem, raw_task
from shared.tasks.send import Send
from shared.tasks.task import Task

#: the text that stands for a plan without messages, such as a reaction
_DONE = "(done)"
_TOO_LONG = ReplyProblem(f"The reply is longer than {MAX_REPLY_BYTES} bytes. Answer again in a few sentences.")


def tasks_in_text(reply: str) -> list[RawTask] | ReplyProblem:
    """Return a reply as one task that sends its text; no task for a blank reply; a problem for one that is too long."""
    if is_too_long(reply):
        return _TOO_LONG
    text = well_formed(reply).strip()
    return [] if is_blank(text) else [raw_task({"kind": Send.kind_name(), "text": text})]


def plan_in_text(tasks: Iterable[Task]) -> str:
    """Return the texts of a plan's messages, separated by blank lines; empty if the plan is silent."""
    planned = tuple(tasks)
    said = "\n\n".join(task.words.strip() for task in planned if task.traits.is_text)
    return said or (_DONE if planned else "")
