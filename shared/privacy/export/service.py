"""The desk: where a person asks for their export, and is told how far it is. One a day, and never two at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING

from shared.base.errors import Contended
from shared.base.wording.words import Phrase, Words, joined
from shared.chat.queue import JobQueue
from shared.reminders.times.rule_text import moment_text
from shared.values.button_data import button_data
from shared.values.channel import Button
from shared.values.chat_key import ChatKey
from shared.values.export import Export, ExportState, PartOutcome, export_job
from shared.values.place import Asker

if TYPE_CHECKING:
    from shared.privacy.store.exports import FirestoreExports
    from shared.recall.visible_chats import VisibleChatsFinder


@dataclass(frozen=True, kw_only=True)
class ExportService:
    """What asking needs."""

    exports: FirestoreExports
    queue: JobQueue
    #: whether there is a bucket for it: without, nobody can ask
    is_open: bool
    #: none: Telegram is not asked, and whoever may have left a group counts as gone from it
    visible_chats: VisibleChatsFinder | None = None

    async def ask(self, key: ChatKey, language: str, now: datetime) -> Export | None:
        """The export of whose private chat it is: a new one, or the one that stands; none: nobody can ask here.

        It may be repeated. Raises StoreUnavailable, StoreRefused or QueueUnavailable.
        """
        if not self.is_open or not key.is_private:
            return None
        person = key.chat_id
        seen = await self.exports.find(person)
        export = seen.export
        if export is None or export.may_be_replaced(now):
            if self.visible_chats is not None:
                await self.visible_chats.of(Asker(chat=key, places=()))
            export = Export(
                person=person,
                agent=key.agent,
                topic_id=key.topic_id,
                run=token_hex(12),
                language=language,
                asked_at=now,
                due_at=now,
            )
            try:
                await self.exports.replace(seen, export)
            except Contended:  # they asked twice at once
                export = (await self.exports.find(person)).export or export
        if export.state is ExportState.GATHERING and not export.parts:
            # also for one that stands: whoever wrote it may have died before it came to this
            await self.queue.enqueue(export_job(export, now))
        return export


#: bytes that are shown as one
_MEGABYTE = 1_000_000


def progress_text(export: Export, words: Words, zone: str) -> Phrase:
    """How far it is; `zone` is the name of that of the moments in it."""
    if export.is_received:
        return words.say("takeout.wait", time=moment_text(words, export.again_at, zone))
    match export.state:
        case ExportState.GATHERING if not export.parts:
            return words.say("takeout.begun")
        case ExportState.GATHERING:
            return joined(
                words.say("takeout.gathering", total=export.total, done=export.done),
                words.say("takeout.so_far", parts=len(export.parts), size=_megabytes(export)),
            )
        case ExportState.READY:
            return words.say("takeout.ready")
        case ExportState.FAILED:
            return words.say("takeout.failed")
        case ExportState.CLEARED if export.arrived:
            return words.say("takeout.wait", time=moment_text(words, export.again_at, zone))
        case ExportState.CLEARED:
            return joined(*unsent_parts_texts(export, words))


def buttons_of(export: Export, words: Words, conversation: str) -> tuple[Button, ...]:
    """The button by which somebody asks how far it is, while it is being gathered: its message changes rarely."""
    if export.state is not ExportState.GATHERING:
        return ()
    return (Button(words.say("takeout.how_far"), button_data("export", conversation, "p")),)


def unsent_parts_texts(export: Export, words: Words) -> Iterator[Phrase]:
    """Which of its parts could not be sent, and of which nobody knows whether they arrived."""
    total = len(export.parts)
    if parts := _numbers(export, PartOutcome.FAILED):
        yield words.say("takeout.not_sent", parts=parts, total=total)
    if parts := _numbers(export, PartOutcome.UNKNOWN):
        yield words.say("takeout.in_doubt", parts=parts, total=total)


def _numbers(export: Export, outcome: PartOutcome) -> str:
    """The numbers of the parts of which this became; empty: of none."""
    return ", ".join(str(one.number) for one in export.parts if export.outcomes.get(str(one.number)) is outcome)


def _megabytes(export: Export) -> int:
    """At least one: what is ready is something."""
    return max(1, round(sum(part.size for part in export.parts) / _MEGABYTE))
