"""Pages when the reader does not answer: the model is told so, and answers."""

from dataclasses import replace

from shared.llm.ports.world import PortRegistry
from shared.tools.reader import DOWN, HttpReader
from shared.tools.toolbox import TOOLS
from shared.values.evolve import evolve
from tests.shared.turn.harness import ChatHarness

READS = {"function_calls": [{"name": "retrieve", "args": {"urls": ["https://tea.example/"]}}]}


async def test_a_reader_that_is_down_is_told_to_the_model(harness: ChatHarness) -> None:
    services = harness.tick_services.agents["lull"]
    retrieve = TOOLS["retrieve"]
    toolbox = replace(
        services.replier.toolbox,
        tools={"retrieve": retrieve},
        ports=PortRegistry({HttpReader: HttpReader("http://127.0.0.1:9")}),
    )
    roles = [evolve(role, tools=("retrieve",)) for role in services.replier.agent.roles]
    agent = evolve(services.replier.agent, roles=tuple(roles))
    replier = replace(services.replier, toolbox=toolbox, agent=agent)
    harness.tick_services = replace(harness.tick_services, agents={"lull": replace(services, replier=replier)})
    await harness.model.will({**READS, "match": f"chat_id={harness.key.chat_id} "})
    await harness.will_plan({"kind": "send", "text": "I cannot read pages just now."})
    await harness.writes("what does https://tea.example/ say?")
    await harness.rests()
    assert await harness.said() == ["I cannot read pages just now."]
    first, second = await harness.asked()
    assert DOWN not in first
    assert f"https://tea.example/: {DOWN}" in second
