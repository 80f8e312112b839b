"""Carries out a plan's wishes to remember or forget as soon as the plan is accepted.

The commit that stores the plan also writes the changes, so no wish is lost if the next message replaces the plan. If
memory is full, nothing is forgotten silently: a question with buttons asks people what to forget.
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

#: how many memories are offered as buttons at most: those that have not been useful for the longest time
MOST_OFFERED: Final = 6
#: for how many facts of one plan people are asked what to forget. For the other facts, a message says that there is no
#: room
MOST_ASKED: Final = 3
#: the reason of a task that ended because people are asked what to forget
ASKED: Final = f"{FULL} The buttons are shown."


def apply_memory_wishes(
    plan: Plan, loaded_memories: LoadedMemories, answered: Sequence[Message], plan_context: PlanContext
) -> tuple[Plan, LoadedMemories]:
    """Return the plan with its memory tasks marked as done or failed, and the memories after these tasks.

    A task that waits for a button press stays open, unless it cannot be done or would change nothing.
    """
    said = replace(plan_context, outside="")
    # carry out wishes to forget first: they make room for new facts
    for planned in sorted(plan.tasks, key=_remembers):
        wish = planned.task.memory_wish
        if wish is None or not (planned.is_open and planned.is_fresh):
            continue
        wish = replace(wish, elsewhere=planned.elsewhere)
        found = loaded_memories.with_wish(wish, answered, planned.task.id, said)
        if isinstance(found, RefusedMemory):
            plan = with_failure(plan, planned.task.id, found.why)
        elif _is_theirs(planned, wish, loaded_memories, answered) or found.after == loaded_memories.after:
            plan = with_task(plan, evolve(planned, state=TaskState.DONE))
            loaded_memories = found
    return plan, loaded_memories


def _remembers(planned: PlannedTask) -> bool:
    wish = planned.task.memory_wish
    return wish is not None and bool(wish.text.strip())


def _is_theirs(
    planned: PlannedTask, wish: MemoryWish, loaded_memories: LoadedMemories, answered: Sequence[Message]
) -> bool:
    """Return whether a wish can come only from the words of the person who asked for it."""
    return not planned.saw_outside or loaded_memories.is_said(wish, answered)


def with_room_questions(
    session: Session, plan: Plan, loaded: LoadedMemories | None, answered: Sequence[Message], words: Words
) -> Plan:
    """Return the plan with questions about what to forget: one for each fact without room, at most `MOST_ASKED`."""
    full = [t for t in plan.tasks if t.is_fresh and t.state is TaskState.FAILED and t.why == FULL]
    for planned in full[:MOST_ASKED]:
        wish = planned.task.memory_wish
        if loaded is not None and wish is not None:
            plan = with_room_question(session, plan, planned, loaded.room_for(wish, answered), words)
    return plan


def with_room_question(
    session: Session, plan: Plan, planned: PlannedTask, room: tuple[int, Sequence[Memory]], words: Words
) -> Plan:
    """Return the plan with a question that asks which memory to forget. If no memory may be shown in this chat, the
    plan gets a message that says so.
    """
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


async def note_memories(session: Session, loaded_memories: LoadedMemories | None) -> None:
    """Add the changed memories to the next commit, each with the transcript position of its message. Raises
    StoreUnavailable.
    """
    found = list(memory_changes(loaded_memories.before, loaded_memories.after)) if loaded_memories is not None else []
    if not found:
        return
    session.note_conversation()
    window = await session.window()
    for change in found:
        kept = tuple(_with_place(one, session.chat.conversation, window) for one in change.kept)
        session.note(MemoryChangeRecord(replace(change, kept=kept)))


def _with_place(memory: Memory, conversation: str, window: Sequence[AnyEntry]) -> Memory:
    """Return the memory with the position of its message in the transcript, if that is not known yet."""
    source = memory.source
    if source.conversation:
        return memory
    said = (e.seq for e in reversed(window) if isinstance(e, Message) and e.message_id == source.message_id)
    found = evolve(source, conversation=conversation, seq=next(said, 0))
    return evolve(memory, source=found)


async def apply_tapped_wish(context: EffectContext) -> Plan:
    """Return the plan after a person confirmed a memory task with a button. The press counts as this person's own wish.

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
    if wish.memory and owned.find(wish.memory) is None:  # the memory has been forgotten already
        return done
    title = "" if session.chat.key.is_private else session.chat.title
    loaded = LoadedMemories(here=here, before=owned, after=owned, title=title)
    plan_context = PlanContext(plan=plan.id, now=context.clock(), owner=owner)
    wish = replace(wish, message_id=0, elsewhere=planned.elsewhere)
    found = loaded.with_wish(wish, (said,), planned.task.id, plan_context)
    if isinstance(found, MemoryFull):
        words = words_in(plan.language, session.chat.locale.last_language)
        return with_room_question(session, plan, planned, loaded.room_for(wish, (said,)), words)
    if isinstance(found, RefusedMemory):
        return with_failure(plan, planned.task.id, found.why)
    await note_memories(session, found)
    return done


def _said_by(people: Sequence[int], wish: MemoryWish | None, window: Sequence[AnyEntry]) -> Message | None:
    """Return the message that a wish names if these people wrote it, or else their last message in the window."""
    theirs = [e for e in window if isinstance(e, Message) and e.author.id in people and not e.author.is_agent]
    named = (e for e in theirs if wish is not None and wish.message_id and e.message_id == wish.message_id)
    return next(named, theirs[-1] if theirs else None)
