"""The door of a room's agent, closed: it answers its owner, and whom they let in."""

from dataclasses import replace

from shared.ports.chats import Owners
from shared.ports.trust import Rosters
from shared.turn.admitting import Admission
from tests.shared.flows.room import Room


async def closed(here: Room, owner: int) -> Rosters:
    """Who may, once somebody has claimed the agent; from now on its ticks ask."""
    services = here.ticker.agents["lull"]
    ports = services.dispatcher.ports
    door = Admission.of(services.runner.agent, ports, here.clock, is_open=False)
    here.ticker = replace(here.ticker, agents={"lull": replace(services, admission=door)})
    await ports[Owners].claim("lull", owner, here.clock())
    ports[Rosters].drop("lull")
    return ports[Rosters]
