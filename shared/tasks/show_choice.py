"""`show-choice`: show, below a message of the agent, which of its buttons was pressed, and by whom."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final, Literal, Self

from shared.base.text import FormattedText, abridge, utf16_length
from shared.base.wording.words import join_phrases, plain_phrase
from shared.tasks.ask import LONGEST_LABEL
from shared.tasks.send import own_words, with_link_preview
from shared.tasks.task import TOLD, DeliveryContext, DeliveryResult, Task
from shared.tasks.traits import OnFailure, TaskTraits
from shared.telegram.markdown.cutting import LONGEST_MESSAGE
from shared.values.channel import Button
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Edit, Entities, Message

#: data of a button that only shows a choice: a press does nothing
_NOTHING: Final = "choice:shown"


class ShowChoice(Task):
    """Below a message's text, write the choices that were made; remove their buttons. lull's own; no model plans it."""

    # a loss is no incident: the transcript has the choice as a message of the person who chose
    traits: ClassVar[TaskTraits] = TaskTraits(
        method="editMessageText",
        is_from_model=False,
        stays_in_chat=True,
        keeps_order=False,
        on_failure=OnFailure(is_incident=False, is_alone=True),
    )

    kind: Literal["show-choice"] = "show-choice"
    message_id: int
    #: a line for each choice, the oldest first; the last `new` lines are not shown yet
    lines: tuple[str, ...]
    new: int = 1
    #: the message's text with the lines; "" if the text is unknown or has no room for them
    text: str = ""
    entities: Entities = ()
    preview: str = ""
    #: the buttons that stay
    left: tuple[Button, ...] = ()

    @classmethod
    def of(cls, entries: Sequence[AnyEntry], message_id: int, lines: tuple[str, ...], **fields: Any) -> Self:
        """Return the task that shows these lines below a message among the entries.

        The task stores the message's text: before the lines are shown, the chat may begin another conversation.
        """
        found = below(entries, message_id, lines)
        shown = cls(message_id=message_id, lines=lines, **fields)
        if found is None:
            return shown
        return evolve(shown, text=found.text, entities=found.entities, preview=found.preview)

    async def deliver(self, part: int, context: DeliveryContext) -> DeliveryResult:
        """Show the choices that were pressed (`lines`) below the message's text.

        If the text is unknown or has no room, show only the last choice, on a button.
        """
        if self.text:
            text = FormattedText(self.text, self.entities, self.preview)
            text = text.plain(LONGEST_MESSAGE) if context.is_plain else text
            await context.channel.rewrite(context.to, self.message_id, text, self.left)
        else:
            shown = Button(abridge(self.lines[-1], LONGEST_LABEL), _NOTHING)
            await context.channel.remove_buttons(context.to, self.message_id, (shown, *self.left))
        return DeliveryResult()

    def in_words(self) -> Task:
        """Return a separate message, for the case that the original message cannot be changed."""
        return own_words(self.id, join_phrases(*map(plain_phrase, self.lines[-self.new :]), by="\n"))

    def without_text(self) -> Self:
        """Return the task without its text. The transcript has the choice as a message of the person who made it."""
        return evolve(self, lines=(TOLD,) * len(self.lines), text="", entities=(), preview="")

    def summary(self) -> str:
        return f"below message {self.message_id}"


def below(entries: Sequence[AnyEntry], message_id: int, lines: Sequence[str]) -> FormattedText | None:
    """Return a message's text with the lines below it; None if the message is unknown, has no text, or has no room."""
    of_it = [e for e in entries if isinstance(e, Message | Edit) and e.message_id == message_id]
    sent = of_it[0] if of_it else None
    if not isinstance(sent, Message) or not sent.text or sent.media or sent.media_refs:
        return None
    newest = of_it[-1]
    text = with_link_preview(FormattedText(newest.text, newest.entities), sent.known_links)
    longer = replace(text, text="\n".join((f"{text.text}\n", *lines)))
    return longer if utf16_length(longer.text) <= LONGEST_MESSAGE else None


TASK = ShowChoice
