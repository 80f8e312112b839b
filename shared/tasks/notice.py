"""`notice`: answer a button press, so that Telegram stops showing the button as waiting."""

from typing import ClassVar, Literal

from shared.tasks.task import DeliveryContext, DeliveryResult, Task
from shared.tasks.traits import OnFailure, TaskTraits


class Notice(Task):
    """Answer the press of a button; until then, Telegram shows the button as waiting. No model plans this task."""

    # not tried again: a late answer to a press is of no use to anybody
    traits: ClassVar[TaskTraits] = TaskTraits(
        method="answerCallbackQuery",
        is_from_model=False,
        stays_in_chat=True,
        keeps_order=False,
        on_failure=OnFailure(is_incident=False, is_tried_again=False),
    )

    kind: Literal["notice"] = "notice"
    query_id: str
    #: shown to the person who pressed, for a moment; at most 200 characters (core.telegram.org/bots/api)
    text: str = ""

    async def deliver(self, part: int, context: DeliveryContext) -> DeliveryResult:
        """Answer the press. The transcript already has an entry for the press."""
        await context.channel.answer_press(self.query_id, self.text)
        return DeliveryResult()

    def summary(self) -> str:
        return self.text


TASK = Notice
