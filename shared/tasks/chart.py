"""`chart`: show numbers by day as a picture."""

from typing import ClassVar, Literal, Self

from shared.formatting.chart import bar_chart
from shared.formatting.render import convert
from shared.models.outgoing import OutgoingFile, OutgoingKind
from shared.tasks.task import TOLD, Delivered, DeliveryContext, Task
from shared.tasks.traits import Traits


class Chart(Task):
    """Show numbers by day as a picture, apart from the conversation. lull's own; no model plans it.

    Where the chat takes no photos there is none: what it shows was said in words, too.
    """

    traits: ClassVar[Traits] = Traits(
        method="sendPhoto", is_from_model=False, stays_in_chat=True, is_incident=False, fails_alone=True
    )

    kind: Literal["chart"] = "chart"
    #: its caption, in markdown
    text: str
    #: of each day of a month, from the first on; and what stands before the numbers of its scale
    values: tuple[float, ...]
    unit: str = ""
    reply_to: int | None = None

    async def deliver(self, part: int, context: DeliveryContext) -> Delivered:
        """Draw it and send it; the conversation is told nothing."""
        file = OutgoingFile(kind=OutgoingKind.PHOTO, content=bar_chart(self.values, self.unit), file_name="chart.png")
        quoted = context.quoted(self.reply_to)
        sent = await context.channel.send_file(context.to, file, convert(self.text), quoted)
        return Delivered(message_ids=(sent.message_id,))

    def unquoted(self) -> Self:
        """The same picture, quoting nothing."""
        return self.model_copy(update={"reply_to": None})

    def told(self) -> Self:
        """Without what it showed."""
        return self.model_copy(update={"text": TOLD, "values": ()})

    def summary(self) -> str:
        """Its caption."""
        return self.text


TASK = Chart
