"""Wishes: what a reply wants remembered or forgotten is done once the whole reply is valid and taken."""

from shared.executing.remembering import remembered
from shared.memory.recollection import Recollection, Told
from shared.models.memory import MemoryScope
from shared.tasks.plan import Plan
from shared.turn.batch import Batch
from shared.turn.consulting import Reply
from shared.turn.services import TickContext


async def with_wishes(context: TickContext, plan: Plan, batch: Batch, reply: Reply) -> tuple[Plan, Recollection | None]:
    """The plan whose wishes of memories are done, and what is remembered then. Raises StoreUnavailable."""
    if reply.recollection is None:
        return plan, None
    wishes = [wish for planned in plan.tasks if (wish := planned.task.memory_wish) is not None]
    owners, agent = context.services.owners, context.session.chat.key.agent
    # asked anew, since a right depends on it
    needs_owner = owners is not None and any(wish.memory or wish.scope is MemoryScope.AGENT for wish in wishes)
    owner = await owners.owner(agent) if owners is not None and needs_owner else None
    told = Told(
        plan=plan.id,
        now=context.now,
        outside=", ".join(plan.outside),
        is_mixed=reply.is_mixed,
        owner=owner or 0,
    )
    return remembered(plan, reply.recollection, batch.targets, told)
