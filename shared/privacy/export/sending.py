"""Sends an export. A tick of the person's private chat sends the parts, and updates the message that shows the
progress.

Each part is a task that lull itself adds to the chat's plan. The commit that stores the result of a task also writes
the result into the export's document, so no part is sent twice. The progress is shown by editing the message that
answered `/export`. If a part did not arrive, or may not have arrived, a new message says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from shared.base.logs import log
from shared.base.wording.words import words_in
from shared.chat.session import Session
from shared.privacy.export.service import buttons_of, progress_text
from shared.privacy.tasks.send_export_part import SendExportPart
from shared.privacy.tasks.show_progress import ShowProgress
from shared.reminders.times.zones import first_zone
from shared.tasks.graph import with_own_tasks
from shared.tasks.plan import Plan, PlannedTask, TaskOrigin
from shared.tasks.send import own_words
from shared.tasks.task import Task
from shared.tasks.unbutton import RemoveButtons
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.export import Export, ExportPartRef, ExportProgressMessage, ExportState

if TYPE_CHECKING:
    from shared.privacy.store.exports import FirestoreExports


async def export_for_wake(exports: FirestoreExports, key: ChatKey, woken_for: str) -> Export | None:
    """Return the export of a private chat, if the tick was scheduled for this export; None otherwise.

    Raises StoreUnavailable or StoreRefused.
    """
    if not key.is_private:
        return None
    export = (await exports.find(key.chat_id)).export
    is_woken_for = export is not None and export.key == key and woken_for.startswith(f"{export.run}@")
    return export if is_woken_for else None


def with_export_tasks(session: Session, plan: Plan | None, export: Export, zone: str, now: datetime) -> Plan | None:
    """Return the plan with the export's tasks added. `zone` is the agent's time zone (IANA)."""
    shown = session.chat.privacy.shown_takeout
    if shown is None or shown.run != export.run:
        shown = ExportProgressMessage(run=export.run)
    if shown.is_ended:  # a queue may deliver a wake twice
        return plan
    known = {t.task.id for t in plan.tasks} if plan is not None else set()
    own = [
        task for task in (*_progress_tasks(session, zone, export, shown), *_tasks(export)) if task.task.id not in known
    ]
    if not own:
        return plan
    if export.is_over:
        session.note_part(evolve(session.chat.privacy, shown_takeout=evolve(shown, is_ended=True)))
    log("tasks of an export were added to the plan", state=export.state.value, tasks=str(len(own)))
    session.note_chat(evolve(session.chat, due_at=now))
    return with_own_tasks(plan, own, now)


def _progress_tasks(session: Session, zone: str, export: Export, shown: ExportProgressMessage) -> Iterator[PlannedTask]:
    """Yield the task that updates the message with the progress; if the export failed, the task removes the message's
    button.
    """
    chat, at = session.chat, shown.message_id
    if not at:
        return
    name = f"takeout-{export.run}-shown-{export.state}-{len(export.parts)}"
    if export.is_over and not export.has_arrived:
        yield _own(name, RemoveButtons(id=name, message_id=at), export)
        return
    words = words_in(export.language)
    text = progress_text(export, words, first_zone(chat.locale.group_zone, zone))
    planned = _own(name, ShowProgress(id=name, message_id=at, text=text), export)
    yield evolve(planned, buttons=buttons_of(export, words, chat.conversation))


def _tasks(export: Export) -> Iterator[PlannedTask]:
    """Yield the task that reports a failure, or the tasks that send the parts."""
    words = words_in(export.language)
    if export.is_over and not export.has_arrived:
        name = f"takeout-{export.run}-failed"
        yield _own(name, own_words(name, progress_text(export, words, "UTC"), None), export)
    if export.state is not ExportState.READY:
        return
    of, day = len(export.parts), f"{export.asked_at:%Y-%m-%d}"
    for part in export.parts:
        if str(part.number) in export.outcomes:
            continue
        handed = ExportPartRef(person=export.person, run=export.run, number=part.number, of=of, path=part.path)
        name = f"takeout-{export.run}-{part.number}"
        several = words.say("takeout.part", number=part.number, total=of)
        caption = words.say("takeout.whole") if of == 1 else several
        file_name = f"{export.agent}-{day}.zip" if of == 1 else f"{export.agent}-{day}-{part.number}.zip"
        yield _own(name, SendExportPart(id=name, part=handed, file_name=file_name, caption=caption), export)


def _own(name: str, task: Task, export: Export) -> PlannedTask:
    origin = TaskOrigin(plan=f"takeout-{export.run}", task=name)
    return PlannedTask(task=task, is_own=True, people=(export.person,), kept_from=origin)
