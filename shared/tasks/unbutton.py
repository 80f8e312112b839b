"""`unbutton`: remove the buttons below a message of the agent's."""

from typing import ClassVar, Literal

from shared.tasks.task import DeliveryContext, DeliveryResult, Task
from shared.tasks.traits import OnFailure, TaskTraits
from shared.values.channel import Button


class RemoveButtons(Task):
    """Take the buttons below a message away. lull's own; no model plans it."""

    # a button that could not be removed does nothing, and says so
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
        """Remove the buttons. The text stays, so there is no entry."""
        await context.channel.remove_buttons(context.to, self.message_id, self.left)
        return DeliveryResult()

    def summary(self) -> str:
        return f"below message {self.message_id}"


TASK = RemoveButtons
