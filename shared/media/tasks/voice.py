"""`voice`: say something aloud, as a voice note."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from shared.base.errors import ChannelRefused
from shared.base.text import FormattedText, is_blank
from shared.media.tasks.captioned import LONGEST_CAPTION, CaptionedTask
from shared.tasks.names import as_planned
from shared.tasks.send import Send, human_pace
from shared.tasks.task import DeliveryContext, Task, TaskNote
from shared.tasks.traits import OnFailure, TaskNeeds, TaskTraits
from shared.telegram.markdown.cutting import cut
from shared.telegram.markdown.render import convert
from shared.values.capabilities import OutputKind
from shared.values.channel import Activity, SentMessage
from shared.values.evolve import evolve
from shared.values.media import OWN, Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import Message
from shared.values.outgoing import FileRequest, GeneratedFile, OutgoingFile, OutgoingKind


class Voice(CaptionedTask):
    """Say something aloud: people get a voice note of you."""

    traits: ClassVar[TaskTraits] = TaskTraits(
        order=6,
        method="sendVoice",
        stays_in_chat=True,
        activity=Activity.RECORDING,
        is_text=True,
        ends_preview=True,
        is_awaited=True,
        uses=TaskNeeds(made=OutputKind.SPEECH, most_per_plan=3),
        on_failure=OnFailure(is_told=True),
    )

    called: ClassVar[str] = "a voice message"

    kind: Literal["voice"] = "voice"
    text: str = Field(min_length=1, description="The spoken words.")
    reply_to: int | None = Field(default=None, description="The message_id to quote; omit it to quote none.")
    #: set by lull: whether the words are sent as a caption; a model's value is overwritten
    is_captioned: Annotated[bool | None, SkipJsonSchema()] = None

    @property
    def words(self) -> str:
        return self.text

    @property
    def _spoken_text(self) -> FormattedText:
        return convert(self.text)

    @property
    def file_request(self) -> FileRequest:
        return FileRequest(makes=OutputKind.SPEECH, words=self._spoken_text.text.strip())

    def with_generated_file(self, made: GeneratedFile) -> Self:
        """Return the task with `made.is_captioned`, which says whether the persona's voice notes have captions."""
        return evolve(self, is_captioned=made.is_captioned)

    def in_words(self) -> Task:
        return Send(id=self.id, depends_on=self.depends_on, text=self.text, reply_to=self.reply_to)

    def unsent(self, why: str = "") -> str:
        return f"a voice note of yours could not be sent{f' ({why})' if why else ''}; its words were written instead"

    def texts(self) -> tuple[FormattedText | None, tuple[FormattedText, ...]]:
        """Return the spoken words as a caption, and the words that do not fit into it as messages.

        There are no texts if the persona's voice notes have no captions.
        """
        parts = cut(self._spoken_text, LONGEST_CAPTION) if self.is_captioned else []
        return (parts[0], tuple(parts[1:])) if parts else (None, ())

    def parts(self) -> int:
        """Count the voice note and the messages that follow it; 0 if there are no words to speak."""
        return 0 if is_blank(self._spoken_text.text) else super().parts()

    def typing_time(self) -> timedelta:
        """Return the time that a person would take to type the words."""
        return human_pace(len(self.text))

    async def send_file(
        self, caption: FormattedText | None, quoted: int | None, context: DeliveryContext
    ) -> tuple[SentMessage, MediaRef]:
        made = context.media.made
        if made is None or not made.content:
            raise ChannelRefused("nothing was spoken that could be sent")
        file = OutgoingFile(
            kind=OutgoingKind.VOICE, content=made.content, file_name="voice.ogg", duration_s=made.duration_s
        )
        sent = await context.channel.send_file(context.to, file, caption, quoted)
        ref = MediaRef(
            kind=MediaKind.VOICE,
            file_id=sent.file_id,
            unique_id=sent.unique_id,
            mime_type=made.mime_type,
            size=len(made.content),
            duration_s=made.duration_s,
            description=Description(outcome=DescriptionOutcome.DESCRIBED, says=self._spoken_text.text, source=OWN),
        )
        return sent, ref

    def message_fields(self, caption: FormattedText | None) -> Mapping[str, Any]:
        """Return the spoken words as the message's text, with or without a caption."""
        return {"text": self._spoken_text.text, "task": as_planned(evolve(self, is_captioned=None))}

    async def send_following(self, text: FormattedText, context: DeliveryContext) -> Message:
        """Send words that did not fit into the caption. The transcript has these words already."""
        said = await super().send_following(text, context)
        return evolve(said, is_by_lull=True)

    def pending(self, gone: int, left: timedelta | None) -> TaskNote:
        return TaskNote("say aloud" if not gone else "say aloud (it is sent; more of its caption is not)", self.text)

    def in_doubt(self, part: int) -> TaskNote:
        what = "a voice note of yours" if part == 0 else "what stands below a voice note of yours"
        return TaskNote(f"{what} may or may not have arrived", self.text)

    def summary(self) -> str:
        return self.text


TASK = Voice
