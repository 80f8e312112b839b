"""The common part of tasks that send a file with a text.

The text is the file's caption if it fits; otherwise it is sent as messages after the file.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from shared.base.errors import ChannelRefused
from shared.base.text import FormattedText, utf16_length
from shared.tasks.names import as_planned
from shared.tasks.send import quote_in, with_link_preview
from shared.tasks.task import DeliveryContext, DeliveryResult, Task
from shared.telegram.markdown.cutting import LONGEST_MESSAGE, cut
from shared.telegram.markdown.render import convert, render
from shared.values.channel import SentMessage
from shared.values.evolve import evolve
from shared.values.media import MediaRef
from shared.values.message import Message

#: the most UTF-16 units of a photo's or a voice message's caption (core.telegram.org/bots/api#sendphoto)
LONGEST_CAPTION = 1024


class CaptionedTask(Task):
    """A task that sends a file with a text. Each kind of file is a subclass."""

    #: the file's name in the transcript, as for received files
    called: ClassVar[str]

    def texts(self) -> tuple[FormattedText | None, tuple[FormattedText, ...]]:
        """Return the caption, if there is one, and the messages that follow the file."""
        return split_caption(self.words)

    def parts(self) -> int:
        """Return the number of messages: the file, and the texts that follow it."""
        return 1 + len(self.texts()[1])

    async def deliver(self, part: int, context: DeliveryContext) -> DeliveryResult:
        """Send the file (part 0) or one of the messages after it. The last message's transcript entry lists the plan's
        tasks that are still to come.
        """
        caption, following = self.texts()
        if part > len(following):
            raise ChannelRefused("a newer lull cuts this text into fewer parts")
        said = await (
            self.send_with_caption(caption, context) if part == 0 else self.send_following(following[part - 1], context)
        )
        said = evolve(said, later=context.later if part == len(following) else ())
        return DeliveryResult(entries=(said,), message_ids=(said.message_id,))

    async def send_with_caption(self, caption: FormattedText | None, context: DeliveryContext) -> Message:
        """Send the file and return its message. Raises ChannelError."""
        caption = caption.plain(LONGEST_CAPTION) if caption is not None and context.is_plain else caption
        quoted = context.quote_target(getattr(self, "reply_to", None))
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
        """Send one of the messages after the file and return it. Raises ChannelError."""
        text = text.plain(LONGEST_MESSAGE) if context.is_plain else with_link_preview(text, context.known_links)
        sent = await context.channel.send_text(context.to, text, context.quote_target(None))
        update = {"at": sent.at, "message_id": sent.message_id, "text": text.text, "entities": text.entities}
        return _said_with(context, self.words).model_copy(update=update)

    async def send_file(
        self, caption: FormattedText | None, quoted: int | None, context: DeliveryContext
    ) -> tuple[SentMessage, MediaRef]:
        """Send the file; return Telegram's answer, and the file as the transcript records it.

        Raises ChannelError if the file cannot be sent, and ChannelRefused if there is no file.
        """
        raise NotImplementedError(f"a task of the kind {self.kind} sends no file")

    def message_fields(self, caption: FormattedText | None) -> Mapping[str, Any]:
        """Return fields of the file's message in the transcript: its caption, and the task. If the text follows in
        separate messages, the recorded task has no text.
        """
        text = caption or FormattedText("")
        planned = self if caption is not None else self.model_copy(update={"text": None})
        return {"text": text.text, "entities": text.entities, "task": as_planned(planned)}


def split_caption(markdown: str) -> tuple[FormattedText | None, tuple[FormattedText, ...]]:
    """Return the caption and the messages that follow the file. A text too long for a caption becomes messages."""
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
