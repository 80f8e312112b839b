"""The task `tell_apart`: sends a message that the conversation does not record."""

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
    """Send a message that the conversation does not record. lull's own; no model plans it.

    The message makes no entry, so no prompt, search or summary contains it. The plan drops the text once it is sent.
    """

    # no other message tells the owner the same: it is retried for a day, and does not block other messages meanwhile
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
    #: the stored notice that the task sends; None if the task answers a command
    reminder: ReminderRef | None = None

    @property
    def reminder_ref(self) -> ReminderRef | None:
        return self.reminder

    async def deliver(self, part: int, context: DeliveryContext) -> DeliveryResult:
        """Send the message without recording it in the conversation."""
        delivered = await super().deliver(part, context)
        return DeliveryResult(message_ids=delivered.message_ids)

    def as_sent(self, text: FormattedText, context: DeliveryContext) -> FormattedText:
        """Return the text, protected from forwarding if its buttons show that it is a notice with words of strangers.

        Otherwise somebody could forward these words into a conversation.
        """
        return replace(text, is_protected=any(read_button(one.data)[0] in TELLS_APART for one in context.buttons))

    def typing_time(self) -> timedelta:
        """Return zero, since the text is already written."""
        return timedelta()

    def without_text(self) -> Self:
        """Return the task without its text."""
        return evolve(self, text=TOLD)


TASK = SendUnrecorded
