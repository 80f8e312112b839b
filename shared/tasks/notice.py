"""`notice`: answer the press of a button."""

from typing import Literal

from shared.tasks.task import TaskBase


class Notice(TaskBase):
    """Answer the press of a button: until then it is shown as waiting. lull's own; no model plans it."""

    kind: Literal["notice"] = "notice"
    query_id: str
    #: shown to the person who pressed, for a moment; at most 200 characters (core.telegram.org/bots/api)
    text: str = ""
