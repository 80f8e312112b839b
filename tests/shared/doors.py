"""The door of a room's agent, closed: it answers its owner, and whom they let in."""

from dataclasses import replace

from shared.access.admitting import Admission
from shared.chat.store.bots import FirestoreOwners
from shared.chat.store.rosters import FirestoreRosters
from tests.shared.turn.room import Room


async def closed(here: Room, owner: int) -> FirestoreRosters:
    """Who may, once somebody has claimed the agent; from now on its ticks ask."""
    services = here.ticker.agents["lull"]
    ports = services.dispatcher.ports
    door = Admission.of(services.runner.agent, ports, here.clock, is_open=False)
    here.ticker = replace(here.ticker, agents={"lull": replace(services, admission=door)})
    await ports[FirestoreOwners].claim("lull", owner, here.clock())
    ports[FirestoreRosters].drop("lull")
    return ports[FirestoreRosters]
