"""`clear-conversation`: begin another conversation in the chat."""

from datetime import timedelta
from typing import ClassVar, Literal

from shared.tasks.task import Task
from shared.tasks.traits import Traits


class ClearConversation(Task):
    """Begin another conversation: from then on nothing of this one is shown to you."""

    # who reads a page must not lose their conversation by it, nor by a button that the page had offered: /new does that
    traits: ClassVar[Traits] = Traits(
        order=90, begins_conversation=True, is_seen=False, ends_preview=True, is_offered=False
    )

    kind: Literal["clear-conversation"] = "clear-conversation"

    def pause(self) -> timedelta:
        """None: it is over once it is reached."""
        return timedelta()

    def summary(self) -> str:
        """What it does."""
        return "begins another conversation"


TASK = ClearConversation
