"""`sticker`: send a sticker of one of the agent's sets."""

import re
import unicodedata
from datetime import timedelta
from typing import ClassVar, Literal

from pydantic import Field

from shared.base.errors import ChannelRefused
from shared.tasks.names import as_planned
from shared.tasks.send import Send, quote_in
from shared.tasks.task import DeliveryContext, DeliveryResult, Task, TaskNote
from shared.tasks.traits import OnFailure, TaskNeeds, TaskTraits
from shared.values.media import MediaKind, MediaRef
from shared.values.message import Message
from shared.values.outgoing import OutgoingFile, OutgoingKind
from shared.values.stickers import SetSticker, StickerRequest, plain_emoji

#: the number after the emoji of a set's second, third, … sticker with the same emoji
_NUMBER = re.compile(r" \d+$")


class Sticker(Task):
    """Send a sticker of yours."""

    traits: ClassVar[TaskTraits] = TaskTraits(
        order=4,
        method="sendSticker",
        stays_in_chat=True,
        ends_preview=True,
        is_awaited=True,
        uses=TaskNeeds(stickers=True),
        on_failure=OnFailure(is_told=True),
    )

    kind: Literal["sticker"] = "sticker"
    sticker: str = Field(min_length=1, max_length=64, description="The sticker's emoji, as listed.")
    set: str = Field(min_length=1, max_length=64, description="The sticker's set, as listed.", examples=["Name_of_set"])
    reply_to: int | None = Field(default=None, description="The message_id to quote; omit it to quote none.")

    @property
    def sticker_request(self) -> StickerRequest:
        return StickerRequest(self.set, self.sticker)

    @property
    def emoji(self) -> str:
        """Return the sticker's emoji, or "" if its name is not an emoji."""
        name = _NUMBER.sub("", plain_emoji(self.sticker))
        is_emoji = any(unicodedata.category(one) == "So" for one in name) and not any(map(str.isalpha, name))
        return name if is_emoji else ""

    def in_words(self) -> Task | None:
        emoji = self.emoji
        return Send(id=self.id, depends_on=self.depends_on, text=emoji, reply_to=self.reply_to) if emoji else None

    def unsent(self, why: str = "") -> str:
        instead = "; its emoji was sent as text instead" if self.emoji else ""
        return f'your sticker {self.sticker} of the set "{self.set}" could not be sent here{instead}'

    async def deliver(self, part: int, context: DeliveryContext) -> DeliveryResult:
        """Send the sticker by the file id that was found for it."""
        found = context.media.sticker
        if found is None:
            raise ChannelRefused(f"no such sticker was found in the set {self.set}")
        quoted = context.quote_target(self.reply_to)
        file = OutgoingFile(kind=OutgoingKind.STICKER, file_id=found.file_id)
        sent = await context.channel.send_file(context.to, file, None, quoted)
        said = Message(
            at=sent.at,
            message_id=sent.message_id,
            author=context.author,
            media=f"a sticker: {found.emoji or self.emoji}",
            media_refs=(self._ref(found),),
            reply=quote_in(context.entries, quoted),
            plan=context.plan_id,
            calls=context.calls,
            waited_s=context.waited_s,
            holds_outside=context.is_marked,
            later=context.later,
            task=as_planned(self),
        )
        return DeliveryResult(entries=(said,), message_ids=(sent.message_id,))

    def _ref(self, found: SetSticker) -> MediaRef:
        emoji = found.emoji or self.emoji
        return MediaRef(
            kind=MediaKind.STICKER, file_id=found.file_id, unique_id=found.unique_id, emoji=emoji, set_name=self.set
        )

    def pending(self, gone: int, left: timedelta | None) -> TaskNote:
        return TaskNote(f"sticker {self.sticker} of the set {self.set}")

    def in_doubt(self, part: int) -> TaskNote:
        return TaskNote(f"a sticker of yours ({self.sticker}) may or may not have arrived")

    def summary(self) -> str:
        return f"{self.sticker} of {self.set}"


TASK = Sticker
