"""What a transcript tells of the agent's own: tasks that lull confirmed, what lull said by itself, and waits."""

import json
from collections.abc import Iterator, Sequence

from shared.base.text import fitted
from shared.planning.prompt.escaping import without_control_tokens
from shared.tasks.registry import stored_task
from shared.tasks.task import Task
from shared.tasks.wait import LONGEST_WAIT_SECONDS
from shared.values.message import AnyEntry, Message

#: a shorter pause between two messages of a plan is no wait, but typing and a call or two
LEAST_WAIT_SECONDS = 20
#: what is told of lull's own words, which no model wrote; and how much of them, in characters
BY_COMMAND, BY_LULL = "a command was answered", "it was said for you"
LONGEST_NOTE = 300


def said_for(note: str, text: str) -> str:
    """What was said in the agent's name, on one line that is not too long; `note` says how that came."""
    return f"{note}: {fitted(' '.join(text.split()), LONGEST_NOTE)}"


def confirmed_task(confirmed: str) -> Task | None:
    """The task that lull confirmed; none if it is one that this version does not know."""
    try:
        found = stored_task({"id": "1", "depends_on": (), **json.loads(without_control_tokens(confirmed))})
    except (ValueError, TypeError):
        return None
    return found if isinstance(found, Task) else None


def waits_in(entries: Sequence[AnyEntry]) -> Iterator[tuple[int, int]]:
    """The ids of the agent's messages before which its plan waited, and for how many seconds."""
    last: dict[str, Message] = {}
    for entry in entries:
        if isinstance(entry, Message) and entry.plan:
            before = last.get(entry.plan, entry)
            seconds = entry.waited_s or round((entry.at - before.at).total_seconds())
            if seconds >= LEAST_WAIT_SECONDS:
                yield entry.message_id, min(seconds, LONGEST_WAIT_SECONDS)
            last[entry.plan] = entry
