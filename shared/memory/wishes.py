"""Remembering: what a plan wants kept or forgotten is done at once when the plan is taken, not when it is reached.

So a plan that the next message replaces loses nothing. The changes are written by the commit that stores the plan.
Where memory is full nothing is forgotten unseen: who wants something remembered is asked what goes for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from shared.base.wording.words import Words, words_in
from shared.chat.confirming import asking_message
from shared.chat.session import Session
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.memory.by_owner import MemoriesByOwner, memory_changes
from shared.memory.loaded import LoadedMemories, PlanContext
from shared.memory.store import FirestoreMemories, MemoryChangeRecord
from shared.memory.upsert import FULL, NOBODY, MemoryFull, RefusedMemory
from shared.memory.visible import MemoryAudience
from shared.tasks.ask import Ask
from shared.tasks.graph import with_failure, with_task
from shared.tasks.plan import Plan, PlannedTask, TaskState
from shared.tasks.send import own_words
from shared.tasks.task import Task
from shared.values.evolve import evolve
from shared.values.memory import Memory, MemoryWish
from shared.values.message import AnyEntry, Message

if TYPE_CHECKING:
    from shared.chat.effect import EffectContext

#: memories that may be chosen, a button each: those that were of no use for longest
MOST_OFFERED: Final = 6
#: facts for which one plan has room asked; of more it is told that they were not kept
MOST_ASKED: Final = 3
#: why a task is over of which somebody is asked
ASKED: Final = f"{FULL} The buttons are shown."


def apply_memory_wishes(
    plan: Plan, recollection: LoadedMemories, answered: Sequence[Message], told: PlanContext
) -> tuple[Plan, LoadedMemories]:
    """The plan whose wishes are done, or failed with the reason; and what is remembered then.

    What waits for a tap stays open, unless it could not be done or changes nothing.
    """
    said = replace(told, outside="")
    # what is forgotten makes room for what is remembered
    for planned in sorted(plan.tasks, key=_remembers):
        wish = planned.task.memory_wish
        if wish is None or not (planned.is_open and planned.is_fresh):
            continue
        wish = replace(wish, elsewhere=planned.elsewhere)
        found = recollection.wished(wish, answered, planned.task.id, said)
        if isinstance(found, RefusedMemory):
            plan = with_failure(plan, planned.task.id, found.why)
        elif _is_theirs(planned, wish, recollection, answered) or found.after == recollection.after:
            plan = with_task(plan, evolve(planned, state=TaskState.DONE))
            recollection = found
    return plan, recollection


def _remembers(planned: PlannedTask) -> bool:
    wish = planned.task.memory_wish
    return wish is not None and bool(wish.text.strip())


def _is_theirs(
    planned: PlannedTask, wish: MemoryWish, recollection: LoadedMemories, answered: Sequence[Message]
) -> bool:
    """Whether nothing but the words of who asked for it can have led to a wish."""
    return not planned.saw_outside or recollection.is_said(wish, answered)


def with_room_questions(
    session: Session, plan: Plan, known: LoadedMemories | None, answered: Sequence[Message], words: Words
) -> Plan:
    """The plan that also asks what to forget for what it wants remembered, where there is no room for it."""
    full = [t for t in plan.tasks if t.is_fresh and t.state is TaskState.FAILED and t.why == FULL]
    for planned in full[:MOST_ASKED]:
        wish = planned.task.memory_wish
        if known is not None and wish is not None:
            plan = with_room_question(session, plan, planned, known.room_for(wish, answered), words)
    return plan


def with_room_question(
    session: Session, plan: Plan, planned: PlannedTask, room: tuple[int, Sequence[Memory]], words: Words
) -> Plan:
    """The plan that asks somebody which of some memories is forgotten; where none of them may be shown, it says so."""
    (person, kept), target = room, asking_message(session, plan, planned)
    name = f"room-{plan.id}-{planned.task.id}"
    ask: Task = own_words(name, words.say("memories.full_elsewhere"), target)
    wish = planned.task.memory_wish
    if kept and wish is not None:
        shown = kept[:MOST_OFFERED]
        ask = Ask.for_room(planned.task, wish.text, shown, words, id=name, reply_to=target)
    own = PlannedTask(
        task=ask,
        is_own=True,
        people=(person,),
        saw_outside=planned.saw_outside,
        is_derived=planned.is_derived,
        unseen=planned.unseen,
        elsewhere=planned.elsewhere,
    )
    plan = with_failure(plan, planned.task.id, ASKED)
    return evolve(plan, tasks=(*plan.tasks, own))


async def note_memories(session: Session, recollection: LoadedMemories | None) -> None:
    """Have the next commit write what was changed, each with its place in the transcript, which has to be noted.

    Raises StoreUnavailable.
    """
    found = list(memory_changes(recollection.before, recollection.after)) if recollection is not None else []
    if not found:
        return
    session.note_conversation()
    window = await session.window()
    for change in found:
        kept = tuple(_with_place(one, session.chat.conversation, window) for one in change.kept)
        session.note(MemoryChangeRecord(replace(change, kept=kept)))


def _with_place(memory: Memory, conversation: str, window: Sequence[AnyEntry]) -> Memory:
    """The memory with where its message stands, if it comes from one of this plan's."""
    source = memory.source
    if source.conversation:
        return memory
    said = (e.seq for e in reversed(window) if isinstance(e, Message) and e.message_id == source.message_id)
    found = evolve(source, conversation=conversation, seq=next(said, 0))
    return evolve(memory, source=found)


async def apply_tapped_wish(context: EffectContext) -> Plan:
    """The plan after somebody had something remembered or forgotten by a button: it is their own word then.

    Raises StoreUnavailable or StoreRefused.
    """
    session, plan, planned, ports = context.session, context.plan, context.planned, context.ports
    owner, wish = (await ports[FirestoreAccessLists].access_list(context.agent.id)).owner, planned.task.memory_wish
    said = _said_by(planned.people, wish, await session.window()) if wish is not None and planned.is_own else None
    if wish is None or said is None:
        return with_failure(plan, planned.task.id, NOBODY)
    here = MemoryAudience(key=session.chat.key, moved_from=session.chat.moves.moved_from, people=planned.people)
    owned = MemoriesByOwner(await ports[FirestoreMemories].of(here.owners))
    done = with_task(plan, evolve(planned, state=TaskState.DONE))
    if wish.memory and owned.find(wish.memory) is None:  # it is gone already
        return done
    title = "" if session.chat.key.is_private else session.chat.title
    known = LoadedMemories(here=here, before=owned, after=owned, title=title)
    told = PlanContext(plan=plan.id, now=context.clock(), owner=owner)
    wish = replace(wish, message_id=0, elsewhere=planned.elsewhere)
    found = known.wished(wish, (said,), planned.task.id, told)
    if isinstance(found, MemoryFull):
        words = words_in(plan.language, session.chat.locale.last_language)
        return with_room_question(session, plan, planned, known.room_for(wish, (said,)), words)
    if isinstance(found, RefusedMemory):
        return with_failure(plan, planned.task.id, found.why)
    await note_memories(session, found)
    return done


def _said_by(people: Sequence[int], wish: MemoryWish | None, window: Sequence[AnyEntry]) -> Message | None:
    """The message of theirs by which somebody said it: the one that is named, or their last one."""
    theirs = [e for e in window if isinstance(e, Message) and e.author.id in people and not e.author.is_agent]
    named = (e for e in theirs if wish is not None and wish.message_id and e.message_id == wish.message_id)
    return next(named, theirs[-1] if theirs else None)
