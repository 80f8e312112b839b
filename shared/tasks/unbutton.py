"""`unbutton`: remove the buttons below a message of the agent."""

from typing import ClassVar, Literal

from shared.tasks.task import DeliveryContext, DeliveryResult, Task
from shared.tasks.traits import OnFailure, TaskTraits
from shared.values.channel import Button


class RemoveButtons(Task):
    """Take the buttons below a message away. lull's own; no model plans it."""

    # a loss does no harm: a button that could not be removed has no effect, and a press says so
    traits: ClassVar[TaskTraits] = TaskTraits(
        method="editMessageReplyMarkup",
        is_from_model=False,
        stays_in_chat=True,
        keeps_order=False,
        on_failure=OnFailure(is_incident=False, is_alone=True),
    )

    kind: Literal["unbutton"] = "unbutton"
    message_id: int
    #: the buttons that stay
    left: tuple[Button, ...] = ()

    async def deliver(self, part: int, context: DeliveryContext) -> DeliveryResult:
        """Remove the buttons. The text stays, so the transcript gets no entry."""
        await context.channel.remove_buttons(context.to, self.message_id, self.left)
        return DeliveryResult()

    def summary(self) -> str:
        return f"below message {self.message_id}"


TASK = RemoveButtons
