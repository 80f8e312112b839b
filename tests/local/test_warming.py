from infra.bundle import ROOT
from local.warming import warm
from shared.agents.load import load_agents
from tests.stories.play import Stage


async def test_the_model_reads_every_agent_and_lull_last(stage: Stage) -> None:
    agents = load_agents([ROOT / "agents"])
    await stage.model.will({"text": "", "times": len(agents)})
    warm(stage.cloud.gemini_url, agents, [ROOT / "agents"])
    asked = [e["request"] for e in await stage.model.asked("RESPOND")][-len(agents) :]
    read = [str(request["systemInstruction"]) for request in asked]
    met = [next(a.id for a in agents.values() if a.instructions[:30] in text) for text in read]
    assert sorted(met) == sorted(agents)
    assert met[-1] == "lull"
    assert all(request["generationConfig"]["maxOutputTokens"] == 1 for request in asked)


def test_a_model_that_is_not_there_is_no_harm() -> None:
    warm("http://127.0.0.1:9", load_agents([ROOT / "agents"]), [ROOT / "agents"])
