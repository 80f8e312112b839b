"""Remembering: what a plan wants kept or forgotten is done at once when the plan is taken, not when it is reached.

So a plan that the next message replaces loses nothing. The changes are written by the commit that stores the plan.
"""

from collections.abc import Sequence
from dataclasses import replace

from shared.executing.graph import with_failure, with_task
from shared.memory.recollection import Recollection, Told
from shared.memory.shelves import Shelves, changes
from shared.memory.shown import Here
from shared.memory.upsert import Refused
from shared.models.memory import Memory, MemoryChange
from shared.models.message import AnyEntry, Message
from shared.ports.memories import Memories
from shared.records import ChangedMemories
from shared.session.session import Session
from shared.tasks.plan import Plan, PlannedTask, TaskState


def remembered(
    plan: Plan, recollection: Recollection, answered: Sequence[Message], told: Told
) -> tuple[Plan, Recollection]:
    """The plan whose wishes are done, or failed with the reason; and what is remembered then."""
    for planned in plan.tasks:
        wish = planned.task.memory_wish
        if wish is None or not (planned.is_open and planned.is_fresh):
            continue
        found = recollection.wished(wish, answered, planned.task.id, told)
        if isinstance(found, Refused):
            plan = with_failure(plan, planned.task.id, found.why)
        else:
            plan = with_task(plan, planned.model_copy(update={"state": TaskState.DONE}))
            recollection = found
    return plan, recollection


async def note_memories(session: Session, recollection: Recollection | None) -> None:
    """Have the next commit write what was changed, each with its place in the transcript, which has to be noted.

    Raises StoreUnavailable.
    """
    found = list(changes(recollection.before, recollection.after)) if recollection is not None else []
    if not found:
        return
    session.note_conversation()
    window = await session.window()
    for change in found:
        kept = tuple(_placed(one, session.chat.conversation, window) for one in change.kept)
        session.note(ChangedMemories(replace(change, kept=kept)))


def _placed(memory: Memory, conversation: str, window: Sequence[AnyEntry]) -> Memory:
    """The memory with where its message stands, if it comes from one of this plan's."""
    source = memory.source
    if source.conversation:
        return memory
    said = (e.seq for e in reversed(window) if isinstance(e, Message) and e.message_id == source.message_id)
    found = source.model_copy(update={"conversation": conversation, "seq": next(said, 0)})
    return memory.model_copy(update={"source": found})


async def forgotten(memories: Memories, session: Session, plan: Plan, planned: PlannedTask) -> Plan:
    """The plan after a memory was forgotten that somebody had asked for by a button.

    Raises StoreUnavailable or StoreRefused.
    """
    wish = planned.task.memory_wish
    here = Here(key=session.chat.key, moved_from=session.chat.moved_from, people=planned.people)
    shelves = Shelves(await memories.of(here.owners))
    found = shelves.find(wish.memory) if wish is not None and planned.is_own else None
    mine = {here.person(one) for one in planned.people} | set(here.chats)
    if found is not None and found[0] in mine:
        session.note(ChangedMemories(MemoryChange(owner=found[0], gone=(found[1].id,))))
    return with_task(plan, planned.model_copy(update={"state": TaskState.DONE}))
