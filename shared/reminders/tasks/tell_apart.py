"""`tell_apart`: say something apart from the conversation."""

from dataclasses import replace
from datetime import timedelta
from typing import ClassVar, Literal, Self

from shared.base.text import FormattedText
from shared.tasks.send import Send
from shared.tasks.task import TOLD, DeliveryContext, DeliveryResult
from shared.tasks.traits import OnFailure, TaskTraits
from shared.values.button_data import TELLS_APART, read_button
from shared.values.evolve import evolve
from shared.values.reminder import ReminderRef
from shared.values.retry import RetryBudget


class SendUnrecorded(Send):
    """Say something apart from the conversation. lull's own; no model plans it.

    No entry is made of it, so no prompt, search or summary has it; and its plan forgets the words once they are said.
    """

    # a notice to the owner has nobody else who tells them: it is tried for a day, and holds up nothing meanwhile
    traits: ClassVar[TaskTraits] = TaskTraits(
        method="sendMessage",
        is_from_model=False,
        stays_in_chat=True,
        keeps_order=False,
        on_failure=OnFailure(
            budget=RetryBudget(tries=150, after=timedelta(seconds=10), longest_after=timedelta(minutes=10))
        ),
    )

    kind: Literal["tell_apart"] = "tell_apart"  # type: ignore[assignment]  # a kind has one name of its own
    #: what it is kept as until it is due; none: it answers a command
    reminder: ReminderRef | None = None

    @property
    def said_reminder(self) -> ReminderRef | None:
        """That one."""
        return self.reminder

    async def deliver(self, part: int, context: DeliveryContext) -> DeliveryResult:
        """Send it; the conversation is told nothing."""
        delivered = await super().deliver(part, context)
        return DeliveryResult(message_ids=delivered.message_ids)

    def as_sent(self, text: FormattedText, context: DeliveryContext) -> FormattedText:
        """What tells of strangers is protected: nobody carries their words into a conversation by a forward."""
        return replace(text, is_protected=any(read_button(one.data)[0] in TELLS_APART for one in context.buttons))

    def typing_time(self) -> timedelta:
        """None: it is written already."""
        return timedelta()

    def told(self) -> Self:
        """Without the words."""
        return evolve(self, text=TOLD)


TASK = SendUnrecorded
