"""`draw`: make a picture and send it."""

from datetime import timedelta
from typing import ClassVar, Literal, Self

from pydantic import Field

from shared.base.errors import ChannelRefused
from shared.base.text import FormattedText
from shared.media.tasks.captioned import CaptionedTask
from shared.tasks.task import DeliveryContext, TaskNote
from shared.tasks.traits import OnFailure, TaskNeeds, TaskTraits
from shared.values.capabilities import OutputKind
from shared.values.channel import Activity, SentMessage
from shared.values.evolve import evolve
from shared.values.media import OWN, Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.outgoing import FileRequest, OutgoingFile, OutgoingKind


class Draw(CaptionedTask):
    """Make a picture and send it."""

    traits: ClassVar[TaskTraits] = TaskTraits(
        order=7,
        method="sendPhoto",
        stays_in_chat=True,
        activity=Activity.SENDING_PHOTO,
        is_text=True,
        ends_preview=True,
        is_awaited=True,
        uses=TaskNeeds(made=OutputKind.PICTURES, most_per_plan=2),
        on_failure=OnFailure(is_excused=True, is_told=True, is_alone=True),
    )

    called: ClassVar[str] = "a photo"

    kind: Literal["draw"] = "draw"
    prompt: str = Field(
        min_length=1, max_length=4_000, description="The picture's subject and style, in a few sentences."
    )
    text: str | None = Field(default=None, description="Its caption, in markdown.", examples=["Here it is"])
    reply_to: int | None = Field(default=None, description="The message_id to quote; omit it to quote none.")

    @property
    def words(self) -> str:
        return self.text or ""

    @property
    def file_request(self) -> FileRequest:
        return FileRequest(makes=OutputKind.PICTURES, words=self.prompt)

    def with_file_words(self, words: str) -> Self:
        """Return the task with `words` as the description of the picture."""
        return evolve(self, prompt=words)

    def loss(self) -> str:
        return "a picture of yours could not be made, or not be sent; people were told so"

    async def send_file(
        self, caption: FormattedText | None, quoted: int | None, context: DeliveryContext
    ) -> tuple[SentMessage, MediaRef]:
        made = context.media.made
        if made is None or not made.content:
            raise ChannelRefused("no picture was made that could be sent")
        file = OutgoingFile(kind=OutgoingKind.PHOTO, content=made.content, file_name="picture")
        sent = await context.channel.send_file(context.to, file, caption, quoted)
        ref = MediaRef(
            kind=MediaKind.PHOTO,
            file_id=sent.file_id,
            unique_id=sent.unique_id,
            mime_type=made.mime_type,
            size=len(made.content),
            description=Description(outcome=DescriptionOutcome.DESCRIBED, shows=self.prompt, source=OWN),
        )
        return sent, ref

    def pending(self, gone: int, left: timedelta | None) -> TaskNote:
        return TaskNote("draw a picture" if not gone else "draw a picture (it is sent; its text is not)", self.prompt)

    def in_doubt(self, part: int) -> TaskNote:
        what = "a picture of yours" if part == 0 else "the text of a picture of yours"
        return TaskNote(f"{what} may or may not have arrived", self.prompt)

    def summary(self) -> str:
        return f"{self.prompt}: {self.text}" if self.text else self.prompt


TASK = Draw
