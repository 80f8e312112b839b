"""Requests for an export. Each person may have one a day, and never two at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING

from shared.base.errors import WriteConflict
from shared.base.wording.words import Phrase, Words, join_phrases
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
    exports: FirestoreExports
    queue: JobQueue
    #: whether there is a bucket for exports; if not, nobody can request an export
    is_open: bool
    #: tells in which groups the person is now; if None, Telegram is not asked, and doubtful memberships count as ended
    visible_chats: VisibleChatsFinder | None = None

    async def ask(self, key: ChatKey, language: str, now: datetime) -> Export | None:
        """Return the export for the person of a private chat: a new one, or the current one.

        None if an export cannot be requested in this chat. The call may be repeated. Raises StoreUnavailable,
        StoreRefused or QueueUnavailable.
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
            except WriteConflict:  # the person requested two exports at the same time
                export = (await self.exports.find(person)).export or export
        if export.state is ExportState.GATHERING and not export.parts:
            # also for an existing export, since the run that stored it may have died before it enqueued the job
            await self.queue.enqueue(export_job(export, now))
        return export


#: number of bytes that are shown as one megabyte
_MEGABYTE = 1_000_000


def progress_text(export: Export, words: Words, zone: str) -> Phrase:
    """Return a text on the progress of an export. `zone` is the name of the time zone in which times are shown."""
    if export.is_received:
        return words.say("takeout.wait", time=moment_text(words, export.may_ask_again_at, zone))
    match export.state:
        case ExportState.GATHERING if not export.parts:
            return words.say("takeout.begun")
        case ExportState.GATHERING:
            return join_phrases(
                words.say("takeout.gathering", total=export.total, done=export.done),
                words.say("takeout.so_far", parts=len(export.parts), size=_megabytes(export)),
            )
        case ExportState.READY:
            return words.say("takeout.ready")
        case ExportState.FAILED:
            return words.say("takeout.failed")
        case ExportState.CLEARED if export.has_arrived:
            return words.say("takeout.wait", time=moment_text(words, export.may_ask_again_at, zone))
        case ExportState.CLEARED:
            return join_phrases(*unsent_parts_texts(export, words))


def buttons_of(export: Export, words: Words, conversation: str) -> tuple[Button, ...]:
    """Return a button that refreshes the progress while parts are being gathered; () at any other time."""
    if export.state is not ExportState.GATHERING:
        return ()
    return (Button(words.say("takeout.how_far"), button_data("export", conversation, "p")),)


def unsent_parts_texts(export: Export, words: Words) -> Iterator[Phrase]:
    """Yield sentences on the parts that could not be sent, and on the parts that may not have arrived."""
    total = len(export.parts)
    if parts := _numbers(export, PartOutcome.FAILED):
        yield words.say("takeout.not_sent", parts=parts, total=total)
    if parts := _numbers(export, PartOutcome.UNKNOWN):
        yield words.say("takeout.in_doubt", parts=parts, total=total)


def _numbers(export: Export, outcome: PartOutcome) -> str:
    """Return the numbers of the parts with this outcome, as a text; "" if there are none."""
    return ", ".join(str(one.number) for one in export.parts if export.outcomes.get(str(one.number)) is outcome)


def _megabytes(export: Export) -> int:
    """Return the size in megabytes, at least 1."""
    return max(1, round(sum(part.size for part in export.parts) / _MEGABYTE))
