"""`send`: write a message."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Annotated, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field

from shared.base.errors import ChannelRefused
from shared.base.text import FormattedText, abridge, is_blank
from shared.base.wording.words import Phrase
from shared.tasks.task import DeliveryContext, DeliveryResult, Task, TaskNote
from shared.tasks.traits import OnFailure, TaskTraits
from shared.telegram.markdown.cutting import LONGEST_MESSAGE
from shared.telegram.markdown.render import label, render
from shared.values.keyboard import LONGEST_CHOICE, MOST_CHOICES
from shared.values.links import linked_addresses, normal_address
from shared.values.message import EXCERPT_CHARACTERS, AnyEntry, Edit, Message, QuotedMessage

#: seconds that a person takes before typing the first letter
START_SECONDS = 2.0
LETTERS_PER_SECOND = 60.0
#: the longest time, in seconds, for which a text that is ready is held back
LONGEST_SECONDS = 8.0


def short_choices(value: object) -> object:
    """Return the choices in the form that buttons show: without markup or repetition, at most eight.

    None if no choice is left.
    """
    written = [value] if isinstance(value, str) else value
    if not isinstance(written, list | tuple):
        return value
    short = (abridge(one, LONGEST_CHOICE) for one in map(label, map(_words_of, written)) if not is_blank(one))
    return tuple(dict.fromkeys(short))[:MOST_CHOICES] or None


def _words_of(choice: object) -> str:
    """Return the words of a choice. Some models write a choice as an object: `{"text": "Yes"}`."""
    told = choice if isinstance(choice, dict) else {"text": choice}
    return str(next((told[name] for name in ("text", "label", "title", "name", "value") if name in told), ""))


class Send(Task):
    """Write a message: markdown, of any length."""

    traits: ClassVar[TaskTraits] = TaskTraits(
        order=1,
        method="sendMessage",
        stays_in_chat=True,
        is_text=True,
        is_awaited=True,
        on_failure=OnFailure(is_told=True),
    )

    kind: Literal["send"] = "send"
    text: str = Field(min_length=1, description="What to write, in markdown.")
    reply_to: int | None = Field(default=None, description="The message_id to quote; omit it to quote none.")
    choices: Annotated[tuple[str, ...] | None, BeforeValidator(short_choices)] = Field(
        default=None,
        max_length=MOST_CHOICES,
        description="Up to eight short answers, offered as buttons below the message.",
        examples=[["Yes, please", "No"]],
    )
    choices_for: Literal["everyone"] | None = Field(
        default=None, description="Who may press them. Default: only the person you answer.", examples=["everyone"]
    )

    @property
    def words(self) -> str:
        return self.text

    @property
    def offered(self) -> tuple[str, ...]:
        return self.choices or ()

    def is_for_everyone(self) -> bool:
        return self.choices_for is not None

    def offering(self, choices: tuple[str, ...]) -> Self:
        """Return the task with other choices. If there are none, `choices_for` is removed too."""
        return self.model_copy(update={"choices": choices} if choices else {"choices": None, "choices_for": None})

    def parts(self) -> int:
        """Return the number of messages that the text needs."""
        return len(render(self.text))

    async def deliver(self, part: int, context: DeliveryContext) -> DeliveryResult:
        """Send one message of the text. The first message has the quote, the last one has the buttons."""
        texts = render(self.text)
        if part >= len(texts):
            raise ChannelRefused("this version of lull splits the text into fewer parts")
        text = self.as_sent(with_link_preview(texts[part], context.known_links), context)
        text = text.plain(LONGEST_MESSAGE) if context.is_plain else text
        quoted = context.quote_target(self.reply_to if part == 0 else None)
        buttons = context.buttons if part == len(texts) - 1 else ()
        sent = await context.channel.send_text(context.to, text, quoted, buttons)
        said = Message(
            at=sent.at,
            message_id=sent.message_id,
            author=context.author,
            text=text.text,
            entities=text.entities,
            reply=quote_in(context.entries, quoted),
            plan=context.plan_id,
            calls=context.calls,
            waited_s=context.waited_s if part == 0 else 0,
            holds_outside=context.is_marked,
            known_links=tuple(one for one in context.known_links if one in self.text),
            choices=self.offered if part == len(texts) - 1 else (),
            later=context.later if part == len(texts) - 1 else (),
        )
        return DeliveryResult(entries=(said,), message_ids=(sent.message_id,))

    def as_sent(self, text: FormattedText, context: DeliveryContext) -> FormattedText:
        """Return a part of the text in the form in which it is sent to Telegram."""
        return text

    def typing_time(self) -> timedelta:
        """Return the time in which a person would type the text, within limits."""
        return human_pace(len(self.text))

    def pending(self, gone: int, left: timedelta | None) -> TaskNote:
        """Return a note that tells the model which text was not sent yet.

        Parts with an unknown outcome count as sent.
        """
        if not gone:
            return TaskNote("send", self.text)
        rest = "\n".join(part.text for part in render(self.text)[gone:])
        sent = "its first part was" if gone == 1 else f"its first {gone} parts were"
        return TaskNote(f"send the rest of a text ({sent} sent already):", rest)

    def in_doubt(self, part: int) -> TaskNote:
        """Return a note that tells the model that the part may not have arrived. The note quotes the part, or the whole
        text if this version of lull splits the text into fewer parts.
        """
        text = "".join(found.text for found in render(self.text)[part : part + 1]) or self.text
        return TaskNote("a message of yours may or may not have arrived", text)

    def summary(self) -> str:
        return self.text


def with_link_preview(text: FormattedText, known: Collection[str]) -> FormattedText:
    """Return the text with a preview of its first link in `known`. Links that the model made up get no preview."""
    forms = {normal_address(address) for address in known}
    # the normal form is used, never the model's spelling: capitals and fragments could carry data out
    linked = map(normal_address, linked_addresses(text.text, text.entities))
    return replace(text, preview=next((address for address in linked if address in forms), ""))


def own_words(name: str, phrase: Phrase, reply_to: int | None = None) -> Send:
    """Return a task that sends a text of lull's own."""
    return Send(id=name, text=phrase, reply_to=reply_to)


def human_pace(text_length: int) -> timedelta:
    """Return the time for which typing is shown before a text of this length."""
    return timedelta(seconds=min(LONGEST_SECONDS, START_SECONDS + max(0, text_length) / LETTERS_PER_SECOND))


def quote_in(entries: Sequence[AnyEntry], message_id: int | None) -> QuotedMessage | None:
    """Return a quote of a message with its latest text, or with only its id if the message is not among the entries.

    None if `message_id` is None.
    """
    if message_id is None:
        return None
    of_it = [entry for entry in entries if isinstance(entry, Message | Edit) and entry.message_id == message_id]
    if not of_it:
        return QuotedMessage(message_id=message_id)
    first, newest = of_it[0], of_it[-1]
    return QuotedMessage(
        message_id=message_id,
        author=first.author,
        forwarded_from=first.forwarded_from if isinstance(first, Message) else None,
        excerpt=(newest.text or newest.media or first.media)[:EXCERPT_CHARACTERS],
    )


TASK = Send
