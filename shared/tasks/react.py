"""`react`: put an emoji on a message."""

from typing import ClassVar, Literal

from pydantic import Field

from shared.models.message import Reaction
from shared.tasks.task import Delivered, DeliveryContext, Task
from shared.tasks.traits import Traits


class React(Task):
    """Put an emoji on a message."""

    # a reaction carries nothing, and one that is made twice is one: nobody is told of a lost one
    traits: ClassVar[Traits] = Traits(order=3, method="setMessageReaction", stays_in_chat=True, fails_alone=True)

    kind: Literal["react"] = "react"
    emoji: str = Field(min_length=1, max_length=16, description="One emoji that Telegram allows as a reaction.")
    message_id: int = Field(description="The message to react to.")

    async def deliver(self, part: int, context: DeliveryContext) -> Delivered:
        """React; Telegram sends a bot no update of its own acts, so the transcript is told here."""
        await context.channel.react(context.to, self.message_id, self.emoji)
        made = Reaction(at=context.clock(), message_id=self.message_id, author=context.author, emojis=(self.emoji,))
        return Delivered(entries=(made,))

    def summary(self) -> str:
        """The emoji and the message."""
        return f"{self.emoji} on message {self.message_id}"


TASK = React
