"""`unbutton`: take the buttons below a message of the agent's away."""

from typing import ClassVar, Literal

from shared.tasks.task import Delivered, DeliveryContext, Task
from shared.tasks.traits import OnFailure, Traits
from shared.values.channel import Button


class Unbutton(Task):
    """Take the buttons below a message away. lull's own; no model plans it."""

    # a button that stays does nothing: whoever presses it is told so
    traits: ClassVar[Traits] = Traits(
        method="editMessageReplyMarkup",
        is_from_model=False,
        stays_in_chat=True,
        keeps_order=False,
        on_failure=OnFailure(is_incident=False, is_alone=True),
    )

    kind: Literal["unbutton"] = "unbutton"
    message_id: int
    #: those that stay
    left: tuple[Button, ...] = ()

    async def deliver(self, part: int, context: DeliveryContext) -> Delivered:
        """Take them away; the words of the message stay, so the transcript is told nothing."""
        await context.channel.remove_buttons(context.to, self.message_id, self.left)
        return Delivered()

    def summary(self) -> str:
        """The message."""
        return f"below message {self.message_id}"


TASK = Unbutton
