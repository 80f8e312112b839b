"""A file with a text: the text stands below it where it has room there, and follows it in messages otherwise."""

from collections.abc import Mapping
from typing import Any, ClassVar

from shared.base.errors import Refused
from shared.base.text import FormattedText, utf16_length
from shared.tasks.names import as_planned
from shared.tasks.send import previewed, quote_in
from shared.tasks.task import Delivered, DeliveryContext, Task
from shared.telegram.markdown.cutting import LONGEST_MESSAGE, cut
from shared.telegram.markdown.render import convert, render
from shared.values.channel import SentMessage
from shared.values.evolve import evolve
from shared.values.media import MediaRef
from shared.values.message import Message

#: of a photo or a voice message, in UTF-16 units (core.telegram.org/bots/api#sendphoto)
LONGEST_CAPTION = 1024


class CaptionedTask(Task):
    """What the kinds have in common that send a file with a text."""

    #: what the transcript calls the file, as it does one that came
    called: ClassVar[str]

    def texts(self) -> tuple[FormattedText | None, tuple[FormattedText, ...]]:
        """The caption, if there is one, and what follows the file as messages."""
        return split_caption(self.words)

    def parts(self) -> int:
        """The file, and the messages of a text that is no caption."""
        return 1 + len(self.texts()[1])

    async def deliver(self, part: int, context: DeliveryContext) -> Delivered:
        """Send the file, or a message behind it; the last one says what the plan does later."""
        caption, following = self.texts()
        if part > len(following):
            raise Refused("a newer lull cuts this text into fewer parts")
        said = await (
            self.send_with_caption(caption, context) if part == 0 else self.send_following(following[part - 1], context)
        )
        said = evolve(said, later=context.later if part == len(following) else ())
        return Delivered(entries=(said,), message_ids=(said.message_id,))

    async def send_with_caption(self, caption: FormattedText | None, context: DeliveryContext) -> Message:
        """The message of the file, once it is sent. Raises ChannelError."""
        caption = caption.plain(LONGEST_CAPTION) if caption is not None and context.is_plain else caption
        quoted = context.quoted(getattr(self, "reply_to", None))
        sent, ref = await self.send_file(caption, quoted, context)
        return _said_with(context, self.words).model_copy(
            update={
                "at": sent.at,
                "message_id": sent.message_id,
                "media": self.called,
                "media_refs": (ref,),
                "reply": quote_in(context.entries, quoted),
                "calls": context.calls,
                "waited_s": context.waited_s,
                **self.message_fields(caption),
            }
        )

    async def send_following(self, text: FormattedText, context: DeliveryContext) -> Message:
        """One of the messages behind the file, once it is sent. Raises ChannelError."""
        text = text.plain(LONGEST_MESSAGE) if context.is_plain else previewed(text, context.known_links)
        sent = await context.channel.send_text(context.to, text, context.quoted(None))
        update = {"at": sent.at, "message_id": sent.message_id, "text": text.text, "entities": text.entities}
        return _said_with(context, self.words).model_copy(update=update)

    async def send_file(
        self, caption: FormattedText | None, quoted: int | None, context: DeliveryContext
    ) -> tuple[SentMessage, MediaRef]:
        """Send the file: what Telegram says of it, and the file as the transcript has it.

        Raises ChannelError if it can't be sent, Refused if there is none.
        """
        raise NotImplementedError(f"a task of the kind {self.kind} sends no file")

    def message_fields(self, caption: FormattedText | None) -> Mapping[str, Any]:
        """What the message of the file says, as fields of it: its caption, and the task without a text that follows."""
        text = caption or FormattedText("")
        planned = self if caption is not None else self.model_copy(update={"text": None})
        return {"text": text.text, "entities": text.entities, "task": as_planned(planned)}


def split_caption(markdown: str) -> tuple[FormattedText | None, tuple[FormattedText, ...]]:
    """The caption, and what follows the file as messages: a text that is too long for the one is the other."""
    parts = cut(convert(markdown)) if markdown else []
    if not parts:
        return None, ()
    if len(parts) == 1 and utf16_length(parts[0].text) <= LONGEST_CAPTION:
        return parts[0], ()
    return None, render(markdown)


def _said_with(context: DeliveryContext, words: str) -> Message:
    return Message(
        at=context.clock(),
        message_id=0,
        author=context.author,
        plan=context.plan_id,
        holds_outside=context.is_marked,
        known_links=tuple(one for one in context.known_links if one in words),
    )
