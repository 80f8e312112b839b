"""`draw`: make a picture and send it."""

from datetime import timedelta
from typing import ClassVar, Literal, Self

from pydantic import Field

from shared.errors import Refused
from shared.models.capabilities import Made
from shared.models.channel import Activity
from shared.models.media import OWN, Description, MediaKind, MediaRef, Outcome
from shared.models.message import Message
from shared.models.outgoing import MadeFile, OutgoingFile, OutgoingKind, WantedFile
from shared.models.text import FormattedText
from shared.tasks.names import as_planned
from shared.tasks.send import captioned, quote_in, said_with, sent_behind
from shared.tasks.task import Delivered, DeliveryContext, Task, Telling
from shared.tasks.traits import Traits


class Draw(Task):
    """Make a picture and send it."""

    traits: ClassVar[Traits] = Traits(
        order=7,
        method="sendPhoto",
        stays_in_chat=True,
        makes=Made.PICTURES,
        most_per_plan=2,
        activity=Activity.SENDING_PHOTO,
        is_excused=True,
        is_text=True,
        ends_preview=True,
        is_awaited=True,
        is_loss_told=True,
        # what is said after it answers something else as often as not
        fails_alone=True,
    )

    kind: Literal["draw"] = "draw"
    prompt: str = Field(
        min_length=1, max_length=4_000, description="What the picture shows, and how it looks, in some sentences."
    )
    text: str | None = Field(default=None, description="Its caption, in markdown.", examples=["Here it is"])
    reply_to: int | None = Field(default=None, description="The message_id to quote; leave it out to quote none.")

    @property
    def words(self) -> str:
        """Its caption."""
        return self.text or ""

    @property
    def wanted_file(self) -> WantedFile:
        """The picture."""
        return WantedFile(makes=Made.PICTURES, words=self.prompt)

    def with_wanted(self, words: str) -> Self:
        """With another picture."""
        return self.model_copy(update={"prompt": words})

    def loss(self) -> str:
        """That there is no picture."""
        return "a picture of yours could not be made, or not be sent; people were told so"

    def parts(self) -> int:
        """The picture, and the messages of a text that is no caption."""
        return 1 + len(captioned(self.words)[1])

    async def deliver(self, part: int, context: DeliveryContext) -> Delivered:
        """Send the picture, or a message behind it."""
        caption, following = captioned(self.words)
        if part > len(following):
            raise Refused("a newer lull cuts this text into fewer parts")
        if part == 0:
            said = await self._picture(caption, context)
        else:
            said = await sent_behind(following[part - 1], context, self.words)
        said = said.model_copy(update={"later": context.later if part == len(following) else ()})
        return Delivered(entries=(said,), message_ids=(said.message_id,))

    async def _picture(self, caption: FormattedText | None, context: DeliveryContext) -> Message:
        made = context.made
        if made is None or not made.content:
            raise Refused("no picture was made that could be sent")
        quoted = context.quoted(self.reply_to)
        file = OutgoingFile(kind=OutgoingKind.PHOTO, content=made.content, file_name="picture")
        sent = await context.channel.send_file(context.to, file, caption, quoted)
        shown = caption or FormattedText("")
        planned = self if caption is not None else self.model_copy(update={"text": None})
        return said_with(context, self.words).model_copy(
            update={
                "at": sent.at,
                "message_id": sent.message_id,
                "text": shown.text,
                "entities": shown.entities,
                "media": "a photo",
                "media_refs": (self._ref(made, sent.file_id, sent.unique_id),),
                "reply": quote_in(context.entries, quoted),
                "calls": context.calls,
                "waited_s": context.waited_s,
                "task": as_planned(planned),
            }
        )

    def _ref(self, made: MadeFile, file_id: str, unique_id: str) -> MediaRef:
        return MediaRef(
            kind=MediaKind.PHOTO,
            file_id=file_id,
            unique_id=unique_id,
            mime_type=made.mime_type,
            size=len(made.content),
            description=Description(outcome=Outcome.DESCRIBED, shows=self.prompt, source=OWN),
        )

    def pending(self, gone: int, left: timedelta | None) -> Telling:
        """What is to be drawn."""
        return Telling("draw a picture" if not gone else "draw a picture (it is sent; its text is not)", self.prompt)

    def in_doubt(self, part: int) -> Telling:
        """By what it shows."""
        what = "a picture of yours" if part == 0 else "the text of a picture of yours"
        return Telling(f"{what} may or may not have arrived", self.prompt)

    def summary(self) -> str:
        """What it shows, and its caption."""
        return f"{self.prompt}: {self.text}" if self.text else self.prompt


TASK = Draw
