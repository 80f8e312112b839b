"""The task `remind`: sends a due reminder or notice."""

from datetime import timedelta
from typing import ClassVar, Literal

from shared.base.text import abridge
from shared.base.wording.words import words_in
from shared.tasks.send import Send
from shared.tasks.task import DeliveryContext, DeliveryResult, TaskNote
from shared.tasks.traits import OnFailure, TaskTraits
from shared.telegram.markdown.render import render
from shared.values.evolve import evolve
from shared.values.reminder import LATE, ReminderRef
from shared.values.retry import RetryBudget

#: the most characters of a reminder to quote in a note
NOTED_CHARACTERS = 80


class Remind(Send):
    """Say what somebody is to be reminded of. lull's own; no model plans it."""

    # people rely on a reminder: it is retried for a day, and does not block other messages meanwhile
    traits: ClassVar[TaskTraits] = TaskTraits(
        method="sendMessage",
        is_from_model=False,
        stays_in_chat=True,
        is_text=True,
        keeps_order=False,
        on_failure=OnFailure(
            is_told=True,
            budget=RetryBudget(tries=150, after=timedelta(seconds=10), longest_after=timedelta(minutes=10)),
        ),
    )

    kind: Literal["remind"] = "remind"  # type: ignore[assignment]  # a kind has one name of its own
    reminder: ReminderRef

    @property
    def reminder_ref(self) -> ReminderRef:
        return self.reminder

    async def deliver(self, part: int, context: DeliveryContext) -> DeliveryResult:
        """Send the reminder. If it is late, the text says by how much."""
        late = context.clock() - self.reminder.due_at
        if part or late < LATE or self.reminder.is_notice:
            return await super().deliver(part, context)
        from shared.base.wording.dates import span_in  # loaded only when needed

        words = words_in(self.reminder.language)
        told = words.say("reminder.late", span=span_in(words, late), text=self.text)
        with_lateness = evolve(self, text=told)
        # the text was split into parts without the line about the delay, so omit the line if it would need another part
        is_same = len(render(told)) == len(render(self.text))
        return await (Send.deliver(with_lateness, part, context) if is_same else super().deliver(part, context))

    def typing_time(self) -> timedelta:
        """Return zero, since the text is already written."""
        return timedelta()

    def in_doubt(self, part: int) -> TaskNote:
        return TaskNote("a reminder may or may not have arrived", self.text)

    def loss(self) -> str:
        return f'a reminder could not be sent: "{abridge(self.text, NOTED_CHARACTERS)}"'


TASK = Remind
