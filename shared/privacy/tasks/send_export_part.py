"""The task `hand-over`: sends a person one part of their export."""

from datetime import timedelta
from typing import ClassVar, Literal

from shared.base.errors import ChannelRefused
from shared.tasks.task import DeliveryContext, DeliveryResult, Task, TaskNote
from shared.tasks.traits import OnFailure, TaskTraits
from shared.telegram.markdown.render import convert
from shared.values.export import ExportPartRef
from shared.values.message import Message
from shared.values.outgoing import OutgoingFile, OutgoingKind
from shared.values.retry import RetryBudget


class SendExportPart(Task):
    """Send a person one part of their export. lull's own task; no model plans it."""

    # The person asked for the export, so sending is tried for a day. This delays no other message of lull.
    traits: ClassVar[TaskTraits] = TaskTraits(
        method="sendDocument",
        is_from_model=False,
        keeps_order=False,
        on_failure=OnFailure(
            is_told=True,
            budget=RetryBudget(tries=150, after=timedelta(seconds=10), longest_after=timedelta(minutes=10)),
        ),
    )

    kind: Literal["hand-over"] = "hand-over"
    part: ExportPartRef
    file_name: str
    #: in markdown
    caption: str

    @property
    def export_part(self) -> ExportPartRef:
        return self.part

    async def deliver(self, part: int, context: DeliveryContext) -> DeliveryResult:
        """Send the part. In any chat other than the person's own, this is refused."""
        if context.to.chat_id != self.part.person:
            raise ChannelRefused("an export may only be sent to the private chat of its person")
        caption = convert(self.caption)
        file = OutgoingFile(kind=OutgoingKind.DOCUMENT, stored=self.part.path, file_name=self.file_name)
        sent = await context.channel.send_file(context.to, file, caption, None)
        said = Message(
            at=sent.at,
            message_id=sent.message_id,
            author=context.author,
            text=caption.text,
            entities=caption.entities,
            media=f"a file: {self.file_name}",
            plan=context.plan_id,
        )
        return DeliveryResult(entries=(said,), message_ids=(sent.message_id,))

    def in_doubt(self, part: int) -> TaskNote:
        return TaskNote(f"a file with what is kept of them ({self.file_name}) may or may not have arrived")

    def loss(self) -> str:
        return f"a file with what is kept of them ({self.file_name}) could not be sent"

    def summary(self) -> str:
        return self.file_name


TASK = SendExportPart
