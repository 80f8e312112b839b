"""Words beside a file that is sent: its caption, and messages behind it for what no caption holds."""

from typing import Final

from shared.formatting.cutting import cut
from shared.formatting.render import convert, render
from shared.models.message import Message
from shared.models.text import FormattedText, utf16_length
from shared.tasks.send import previewed
from shared.tasks.task import DeliveryContext

#: of a photo or a voice message, in UTF-16 units (core.telegram.org/bots/api#sendphoto)
LONGEST_CAPTION: Final = 1024


def captioned(markdown: str) -> tuple[FormattedText | None, tuple[FormattedText, ...]]:
    """The caption, and what follows the file as messages: a text that is too long for the one is the other."""
    parts = cut(convert(markdown)) if markdown else []
    if not parts:
        return None, ()
    if len(parts) == 1 and utf16_length(parts[0].text) <= LONGEST_CAPTION:
        return parts[0], ()
    return None, render(markdown)


async def sent_behind(text: FormattedText, context: DeliveryContext, words: str) -> Message:
    """One of the messages behind a file, once it is sent. `words` is what they are parts of. Raises ChannelError."""
    text = previewed(text, context.known_links)
    sent = await context.channel.send_text(context.to, text, context.quoted(None))
    update = {"at": sent.at, "message_id": sent.message_id, "text": text.text, "entities": text.entities}
    return said_with(context, words).model_copy(update=update)


def said_with(context: DeliveryContext, words: str) -> Message:
    """What every message of a file and its words has."""
    return Message(
        at=context.clock(),
        message_id=0,
        author=context.author,
        plan=context.plan_id,
        holds_outside=context.saw_outside,
        known_links=tuple(one for one in context.known_links if one in words),
    )
