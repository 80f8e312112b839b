"""`rewrite`: write a message of the agent's anew."""

from typing import Literal

from shared.tasks.task import TaskBase


class Rewrite(TaskBase):
    """Write a message of the agent's anew. lull's own; no model plans it."""

    kind: Literal["rewrite"] = "rewrite"
    message_id: int
    text: str
