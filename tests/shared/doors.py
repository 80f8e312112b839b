"""The door of a room's agent, closed: it answers its owner, and whom they let in."""

from dataclasses import replace

from shared.access.checker import AccessChecker
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.bots import FirestoreOwners
from tests.shared.turn.room import Room


async def closed(here: Room, owner: int) -> FirestoreAccessLists:
    """Who may, once somebody has claimed the agent; from now on its ticks ask."""
    services = here.tick_services.agents["lull"]
    ports = services.dispatcher.ports
    door = AccessChecker.of(services.runner.agent, ports, here.clock, is_open=False)
    here.tick_services = replace(here.tick_services, agents={"lull": replace(services, admission=door)})
    await ports[FirestoreOwners].claim("lull", owner, here.clock())
    ports[FirestoreAccessLists].drop("lull")
    return ports[FirestoreAccessLists]
