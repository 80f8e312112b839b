"""The task `show_progress`: edits a message of the agent to show the progress of an export."""

from typing import ClassVar, Literal

from shared.tasks.task import DeliveryContext, DeliveryResult, Task
from shared.tasks.traits import OnFailure, TaskTraits
from shared.telegram.markdown.render import render


class ShowProgress(Task):
    """Edit a message to show the progress of an export. lull's own task; no model plans it."""

    # A later update follows, so a failed edit is not repeated, and does not count as an incident.
    traits: ClassVar[TaskTraits] = TaskTraits(
        method="editMessageText",
        is_from_model=False,
        stays_in_chat=True,
        keeps_order=False,
        on_failure=OnFailure(is_incident=False, is_tried_again=False, is_alone=True),
    )

    kind: Literal["show_progress"] = "show_progress"
    message_id: int
    #: in markdown; it must fit into one message
    text: str

    async def deliver(self, part: int, context: DeliveryContext) -> DeliveryResult:
        """Edit the message. The transcript keeps the message's first text."""
        await context.channel.rewrite(context.to, self.message_id, render(self.text)[0], context.buttons)
        return DeliveryResult()

    def summary(self) -> str:
        return f"in message {self.message_id}"


TASK = ShowProgress
