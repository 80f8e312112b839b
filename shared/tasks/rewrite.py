"""`rewrite`: change the text of a message of the agent."""

from typing import ClassVar, Literal, Self

from shared.tasks.task import TOLD, DeliveryContext, DeliveryResult, Task, TaskNote
from shared.tasks.traits import OnFailure, TaskTraits
from shared.telegram.markdown.cutting import LONGEST_MESSAGE
from shared.telegram.markdown.render import render
from shared.values.evolve import evolve
from shared.values.message import Edit


class Rewrite(Task):
    """Replace the text of a message of the agent. lull's own; no model plans it."""

    traits: ClassVar[TaskTraits] = TaskTraits(
        method="editMessageText", is_from_model=False, stays_in_chat=True, on_failure=OnFailure(is_told=True)
    )

    kind: Literal["rewrite"] = "rewrite"
    message_id: int
    text: str
    #: whether the message, and this edit, are kept out of the conversation
    is_apart: bool = False

    async def deliver(self, part: int, context: DeliveryContext) -> DeliveryResult:
        """Edit the message.

        Telegram sends a bot no update about the bot's own edits, so this method makes the transcript's entry.
        """
        text = render(self.text)[0]
        text = text.plain(LONGEST_MESSAGE) if context.is_plain else text
        entities = text.entities
        await context.channel.rewrite(context.to, self.message_id, text, context.buttons)
        if self.is_apart:
            return DeliveryResult()
        edit = Edit(
            at=context.clock(),
            message_id=self.message_id,
            author=context.author,
            text=text.text,
            entities=entities,
            holds_outside=context.is_marked,
        )
        return DeliveryResult(entries=(edit,))

    def in_doubt(self, part: int) -> TaskNote:
        """Return a note that tells the model that a message may have been changed to the new text."""
        text = "".join(found.text for found in render(self.text)[:1]) or self.text
        return TaskNote("a message of yours may or may not have been changed to", text)

    def loss(self) -> str:
        """Return a note that tells the model that a choice made with a button could not be shown."""
        return "what was chosen with a button could not be shown below it"

    def without_text(self) -> Self:
        """Return the task without its text if the message is kept out of the conversation; else the task itself."""
        return evolve(self, text=TOLD) if self.is_apart else self

    def summary(self) -> str:
        return self.text


TASK = Rewrite
