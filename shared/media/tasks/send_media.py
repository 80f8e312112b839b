"""`send-media`: send one of the persona's photos, or a photo that was sent in this chat."""

from collections.abc import Sequence
from typing import ClassVar, Literal, Self

from pydantic import Field

from shared.base.errors import ChannelRefused
from shared.base.text import FormattedText
from shared.media.tasks.captioned import CaptionedTask
from shared.tasks.send import Send
from shared.tasks.task import DeliveryContext, Task, TaskForm, TaskNote
from shared.tasks.traits import OnFailure, TaskNeeds, TaskTraits
from shared.values.agent import OwnPhoto
from shared.values.channel import SentMessage
from shared.values.described import photo_in
from shared.values.evolve import evolve
from shared.values.media import CURATED, Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import AnyEntry
from shared.values.outgoing import OutgoingFile, OutgoingKind


class SendMedia(CaptionedTask):
    """Send a photo: one of yours, or one that was sent in this chat."""

    traits: ClassVar[TaskTraits] = TaskTraits(
        order=5,
        method="sendPhoto",
        stays_in_chat=True,
        is_text=True,
        ends_preview=True,
        is_awaited=True,
        uses=TaskNeeds(photos=True),
        on_failure=OnFailure(is_told=True),
    )
    forms: ClassVar[tuple[TaskForm, ...]] = (
        TaskForm(("media",), ("text", "reply_to")),
        TaskForm(("message_id",), ("index", "text", "reply_to")),
    )

    called: ClassVar[str] = "a photo"

    kind: Literal["send-media"] = "send-media"
    text: str | None = Field(default=None, description="Its caption, in markdown.")
    media: str | None = Field(
        default=None, max_length=40, description="The id of one of your photos.", examples=["photo-id"]
    )
    message_id: int | None = Field(
        default=None, description="The message of this chat with the photo.", examples=["12345"]
    )
    index: int | None = Field(
        default=None, ge=1, le=10, description="The file's position in an album, from 1.", examples=["2"]
    )
    reply_to: int | None = Field(default=None, description="The message_id to quote; omit it to quote none.")

    @property
    def words(self) -> str:
        return self.text or ""

    def without_message(self) -> Self | None:
        """Return the task without message ids if it sends one of the persona's photos; else None."""
        return evolve(self, message_id=None, index=None, reply_to=None) if self.media else None

    def without_quote(self) -> Self:
        return evolve(self, reply_to=None)

    def in_words(self) -> Task | None:
        if not self.text:
            return None
        return Send(id=self.id, depends_on=self.depends_on, text=self.text, reply_to=self.reply_to)

    def unsent(self, why: str = "") -> str:
        instead = "; its caption was sent as text instead" if self.text else ""
        which = f"your photo {self.media}" if self.media else f"the photo of message {self.message_id}"
        return f"{which} could not be sent here{instead}"

    def problem_in(self, entries: Sequence[AnyEntry], photos: Sequence[OwnPhoto]) -> str:
        """Return a sentence for the model if the photo does not exist; else ""."""
        if self._file_in(entries, photos) is not None:
            return ""
        if self.media:
            return "There is no photo of yours with the `media` of a `send-media`."
        return "A `send-media` names a message that is not shown to you, or that has no such photo."

    def _file_in(self, entries: Sequence[AnyEntry], photos: Sequence[OwnPhoto]) -> OwnPhoto | MediaRef | None:
        """Return the persona's photo or the chat's photo that the task names, or None."""
        if self.media:
            return next((one for one in photos if one.id == self.media), None)
        return photo_in(entries, self.message_id, self.index) if self.message_id is not None else None

    async def send_file(
        self, caption: FormattedText | None, quoted: int | None, context: DeliveryContext
    ) -> tuple[SentMessage, MediaRef]:
        found = self._file_in(context.entries, context.media.photos)
        if found is None:
            raise ChannelRefused("there is no such photo in this chat any more")
        sent = await context.channel.send_file(context.to, _outgoing(found), caption, quoted)
        return sent, _ref(found, sent)

    def pending(self, gone: int, left: object) -> TaskNote:
        which = f"your photo {self.media}" if self.media else f"the photo of message {self.message_id}"
        return TaskNote(f"send {which}" + (" (it is sent; its text is not)" if gone else ""), self.text)

    def in_doubt(self, part: int) -> TaskNote:
        what = "a photo of yours" if part == 0 else "the text of a photo of yours"
        return TaskNote(f"{what} may or may not have arrived", self.text)

    def summary(self) -> str:
        which = self.media or f"of message {self.message_id}"
        return f"photo {which}: {self.text}" if self.text else f"photo {which}"


def _ref(found: OwnPhoto | MediaRef, sent: SentMessage) -> MediaRef:
    """Return the sent file as the transcript records it. Its description is included only if a person wrote it, or if
    the file got a new unique id, under which no description is stored.
    """
    if isinstance(found, OwnPhoto):
        known: Description | None = Description(
            outcome=DescriptionOutcome.DESCRIBED, shows=found.description, source=CURATED
        )
    else:
        written = found.description
        is_new = sent.unique_id not in {"", found.unique_id}
        known = written if written is not None and (is_new or written.source == CURATED) else None
    unique_id = sent.unique_id or (found.unique_id if isinstance(found, MediaRef) else "")
    return MediaRef(kind=MediaKind.PHOTO, file_id=sent.file_id, unique_id=unique_id, description=known)


def _outgoing(found: OwnPhoto | MediaRef) -> OutgoingFile:
    """Return the file to send. The persona's photos are uploaded, since a file id is valid for one bot only."""
    if isinstance(found, MediaRef):
        return OutgoingFile(kind=OutgoingKind.PHOTO, file_id=found.file_id)
    return OutgoingFile(kind=OutgoingKind.PHOTO, content=found.file.read_bytes(), file_name=found.file.name)


TASK = SendMedia
