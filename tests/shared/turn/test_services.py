"""An agent's parts."""

from shared.commands.registry import command_names
from shared.deciding.circumstances import OwnIdentity
from tests.shared.turn.room import Room


async def test_it_knows_who_the_agent_is_without_asking(here: Room) -> None:
    found = here.tick_services.agents["lull"].me
    assert found == OwnIdentity(here.house.bot_id, here.house.username, ("lull",), command_names())
    calls = (await here.house.telegram.get("/world/calls", params={"after": 0})).raise_for_status().json()["calls"]
    assert [c for c in calls if c["method"].lower() == "getme" and c["bot_id"] == here.house.bot_id] == []
