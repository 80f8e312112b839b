"""Handing over: a tick of a person's private chat sends the parts of their takeout, and tells how far it is.

Each part is a task of lull's own in the chat's plan; the commit that records what became of it writes the same into the
takeout's document, so that nothing is sent twice. How far it is stands in the message that answered `/export`, which is
written anew; what did not arrive, or may not have, is told in a message of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from shared.base.logs import log
from shared.base.wording.words import words_in
from shared.chat.session import Session
from shared.privacy.export.desk import buttons_of, told
from shared.privacy.tasks.hand_over import HandOver
from shared.privacy.tasks.show_progress import ShowProgress
from shared.reminders.times.zones import first_zone
from shared.tasks.graph import with_own_tasks
from shared.tasks.plan import KeptFrom, Plan, PlannedTask
from shared.tasks.send import own_words
from shared.tasks.task import Task
from shared.tasks.unbutton import Unbutton
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.takeout import HandedPart, ShownTakeout, Takeout, TakeoutState

if TYPE_CHECKING:
    from shared.privacy.store.takeouts import FirestoreTakeouts


async def takeout_of(takeouts: FirestoreTakeouts, key: ChatKey, woken_for: str) -> Takeout | None:
    """The takeout of a private chat, if it is the one that the tick was woken for.

    Raises StoreUnavailable or StoreRefused.
    """
    if not key.is_private:
        return None
    takeout = (await takeouts.find(key.chat_id)).takeout
    is_woken_for = takeout is not None and takeout.key == key and woken_for.startswith(f"{takeout.run}@")
    return takeout if is_woken_for else None


def with_takeout(session: Session, plan: Plan | None, takeout: Takeout, zone: str, now: datetime) -> Plan | None:
    """The plan with what is to be sent of a takeout. `zone`: the agent's (IANA)."""
    shown = session.chat.privacy.shown_takeout
    if shown is None or shown.run != takeout.run:
        shown = ShownTakeout(run=takeout.run)
    if shown.is_ended:  # a queue may wake twice
        return plan
    known = {t.task.id for t in plan.tasks} if plan is not None else set()
    own = [
        task
        for task in (*_progress_tasks(session, zone, takeout, shown), *_tasks(takeout))
        if task.task.id not in known
    ]
    if not own:
        return plan
    if takeout.is_over:
        session.note_part(evolve(session.chat.privacy, shown_takeout=evolve(shown, is_ended=True)))
    log("a takeout goes on", state=takeout.state.value, tasks=str(len(own)))
    session.note_chat(evolve(session.chat, due_at=now))
    return with_own_tasks(plan, own, now)


def _progress_tasks(session: Session, zone: str, takeout: Takeout, shown: ShownTakeout) -> Iterator[PlannedTask]:
    """The message that tells how far it is, as it reads from now on; where it ended badly, without its button."""
    chat, at = session.chat, shown.message_id
    if not at:
        return
    name = f"takeout-{takeout.run}-shown-{takeout.state}-{len(takeout.parts)}"
    if takeout.is_over and not takeout.arrived:
        yield _own(name, Unbutton(id=name, message_id=at), takeout)
        return
    words = words_in(takeout.language)
    text = told(takeout, words, first_zone(chat.locale.group_zone, zone))
    planned = _own(name, ShowProgress(id=name, message_id=at, text=text), takeout)
    yield evolve(planned, buttons=buttons_of(takeout, words, chat.conversation))


def _tasks(takeout: Takeout) -> Iterator[PlannedTask]:
    """What is to be said about it now, and what is to be sent."""
    words = words_in(takeout.language)
    if takeout.is_over and not takeout.arrived:
        name = f"takeout-{takeout.run}-failed"
        yield _own(name, own_words(name, told(takeout, words, "UTC"), None), takeout)
    if takeout.state is not TakeoutState.READY:
        return
    of, day = len(takeout.parts), f"{takeout.asked_at:%Y-%m-%d}"
    for part in takeout.parts:
        if str(part.number) in takeout.outcomes:
            continue
        handed = HandedPart(person=takeout.person, run=takeout.run, number=part.number, of=of, path=part.path)
        name = f"takeout-{takeout.run}-{part.number}"
        several = words.say("takeout.part", number=part.number, total=of)
        caption = words.say("takeout.whole") if of == 1 else several
        file_name = f"{takeout.agent}-{day}.zip" if of == 1 else f"{takeout.agent}-{day}-{part.number}.zip"
        yield _own(name, HandOver(id=name, part=handed, file_name=file_name, caption=caption), takeout)


def _own(name: str, task: Task, takeout: Takeout) -> PlannedTask:
    origin = KeptFrom(plan=f"takeout-{takeout.run}", task=name)
    return PlannedTask(task=task, is_own=True, people=(takeout.person,), kept_from=origin)
