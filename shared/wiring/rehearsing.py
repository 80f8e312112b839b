"""Builds rehearsals, which plan an earlier answer again. The tick function runs them, since it has the models."""

from shared.upkeep.jobs.rehearse import Rehearser, rehearse
from shared.upkeep.store.recorded_pages import FirestoreRecordedPages
from shared.values.rehearsal import Rehearsal, RehearsalOrder
from shared.wiring.tick import tick_services


async def rehearse_moment(order: RehearsalOrder) -> Rehearsal:
    """Plan again what to answer at an earlier point of a conversation. Raises StoreUnavailable or StoreRefused."""
    services = tick_services()
    agent = services.agents.get(order.agent)
    if agent is None:
        return Rehearsal(problem="unknown_moment")
    rehearser = Rehearser(
        chats=services.chats,
        pages=FirestoreRecordedPages(services.chats.client),
        replier=agent.replier,
        window_entries=services.window_entries,
    )
    return await rehearse(rehearser, order)
