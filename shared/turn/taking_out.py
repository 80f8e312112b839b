"""Handing over: a tick of a person's private chat sends the parts of their takeout that are ready.

Each part is a task of lull's own in the chat's plan; the commit that records what became of it writes the same into the
takeout's document, so that nothing is sent twice.
"""

from collections.abc import Iterator

from shared.logs import log
from shared.models.takeout import HandedPart, Takeout, TakeoutState
from shared.takeout.desk import TakeoutDesk
from shared.tasks.hand_over import HandOver
from shared.tasks.plan import KeptFrom, Plan, PlannedTask
from shared.tasks.send import own_words
from shared.turn.commands import with_own_tasks
from shared.turn.services import TickContext
from shared.wording.words import words_in


async def with_takeout(context: TickContext, plan: Plan | None) -> Plan | None:
    """The plan with what is to be sent of the takeout whose chat this is. Raises StoreUnavailable or StoreRefused."""
    takeouts, session = context.services.dispatcher.ports[TakeoutDesk].takeouts, context.session
    if not session.chat.key.is_private:
        return plan
    takeout = (await takeouts.find(session.chat.key.chat_id)).takeout
    if takeout is None or takeout.key != session.chat.key or not context.wake.of.startswith(f"{takeout.run}@"):
        return plan
    known = {t.task.id for t in plan.tasks} if plan is not None else set()
    own = [task for task in _tasks(takeout) if task.task.id not in known]
    if not own:
        return plan
    log("a takeout is sent", parts=str(len(own)))
    session.note_chat(due_at=context.now)
    return with_own_tasks(plan, own, context.now)


def _tasks(takeout: Takeout) -> Iterator[PlannedTask]:
    """What is to be said about it now."""
    words = words_in(takeout.language)
    if takeout.state is TakeoutState.FAILED:
        name = f"takeout-{takeout.run}-failed"
        yield _own(name, own_words(name, words.say("takeout.failed"), None), takeout)
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


def _own(name: str, task: object, takeout: Takeout) -> PlannedTask:
    origin = KeptFrom(plan=f"takeout-{takeout.run}", task=name)
    return PlannedTask(task=task, is_own=True, people=(takeout.person,), kept_from=origin)
