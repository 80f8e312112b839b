"""Closed access to a room's agent: it answers its owner and people with access."""

from dataclasses import replace

from shared.access.checker import AccessChecker
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.bots import FirestoreOwners
from tests.shared.turn.harness import ChatHarness


async def closed(harness: ChatHarness, owner: int) -> FirestoreAccessLists:
    """Claim the agent for an owner and return its access lists, which its ticks check from now on."""
    services = harness.tick_services.agents["lull"]
    ports = services.dispatcher.ports
    door = AccessChecker.of(services.runner.agent, ports, harness.clock, is_open=False)
    harness.tick_services = replace(harness.tick_services, agents={"lull": replace(services, admission=door)})
    await ports[FirestoreOwners].claim("lull", owner, harness.clock())
    ports[FirestoreAccessLists].drop("lull")
    return ports[FirestoreAccessLists]
