"""`remind`: say what somebody is to be reminded of."""

from datetime import timedelta
from typing import ClassVar, Literal

from shared.base.text import abridged
from shared.base.wording.words import words_in
from shared.tasks.send import Send
from shared.tasks.task import DeliveryContext, DeliveryResult, TaskNote
from shared.tasks.traits import OnFailure, TaskTraits
from shared.telegram.markdown.render import render
from shared.values.evolve import evolve
from shared.values.reminder import LATE, ReminderRef
from shared.values.retry import RetryBudget

#: characters of it that the conversation's notes tell
NOTED_CHARACTERS = 80


class Remind(Send):
    """Say what somebody is to be reminded of. lull's own; no model plans it."""

    # somebody counts on it: it is tried for a day, and holds up nothing else that lull has to say meanwhile
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
    def said_reminder(self) -> ReminderRef:
        """That one."""
        return self.reminder

    async def deliver(self, part: int, context: DeliveryContext) -> DeliveryResult:
        """Send it; what comes late says so, and how late."""
        late = context.clock() - self.reminder.due_at
        if part or late < LATE or self.reminder.is_notice:
            return await super().deliver(part, context)
        from shared.base.wording.dates import span_in  # few are late

        words = words_in(self.reminder.language)
        told = words.say("reminder.late", span=span_in(words, late), text=self.text)
        with_lateness = evolve(self, text=told)
        # it was counted without the line: what would no longer fit is sent without it
        is_same = len(render(told)) == len(render(self.text))
        return await (Send.deliver(with_lateness, part, context) if is_same else super().deliver(part, context))

    def typing_time(self) -> timedelta:
        """None: it is written already."""
        return timedelta()

    def in_doubt(self, part: int) -> TaskNote:
        """By what it says."""
        return TaskNote("a reminder may or may not have arrived", self.text)

    def loss(self) -> str:
        """By what it says."""
        return f'a reminder could not be sent: "{abridged(self.text, NOTED_CHARACTERS)}"'


TASK = Remind
