"""An agent's parts."""

from shared.commands.registry import command_names
from shared.deciding.circumstances import OwnIdentity
from tests.shared.turn.harness import ChatHarness


async def test_it_knows_who_the_agent_is_without_asking(harness: ChatHarness) -> None:
    found = harness.tick_services.agents["lull"].me
    assert found == OwnIdentity(harness.backend.bot_id, harness.backend.username, ("lull",), command_names())
    calls = (await harness.backend.telegram.get("/world/calls", params={"after": 0})).raise_for_status().json()["calls"]
    assert [c for c in calls if c["method"].lower() == "getme" and c["bot_id"] == harness.backend.bot_id] == []
