"""`leave`: leave the group."""

from typing import ClassVar, Literal

from shared.tasks.task import DeliveryContext, DeliveryResult, Task
from shared.tasks.traits import OnFailure, TaskTraits


class Leave(Task):
    """Leave the group. lull's own; no model plans it."""

    traits: ClassVar[TaskTraits] = TaskTraits(
        method="leaveChat",
        is_from_model=False,
        stays_in_chat=True,
        on_failure=OnFailure(is_incident=False, is_alone=True),
    )

    kind: Literal["leave"] = "leave"

    async def deliver(self, part: int, context: DeliveryContext) -> DeliveryResult:
        """Leave the group. Telegram reports in an update that the agent left."""
        await context.channel.leave(context.to.chat_id)
        return DeliveryResult()


TASK = Leave
