"""The console's view of personas: the files of the project's own agents, and of broken ones."""

from dataclasses import replace
from pathlib import Path

import pytest

from shared.base.root import ROOT
from shared.chat.store.people import FirestoreEntities, StoredStickerSet
from shared.console.knowledge import KnowledgeSettings
from shared.console.route import NotFound
from shared.console.views import personas as view
from shared.planning.personas.load import load_agent
from shared.values.stickers import SetSticker, StickerSet
from tests.shared.console.harness import BOTS, ConsoleHarness
from tests.shared.examples import NOW

PERSONA = """---
name: Frog
username: frog_bot
prompts: [chat, stickering, own]
sticker_sets: [Frogs]
---
You are a frog in {chattype}.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder of agents with one persona, which has a role prompt of its own."""
    prompts = tmp_path / "agents" / "lull" / "prompts"
    prompts.mkdir(parents=True)
    (tmp_path / "agents" / "lull" / "agent.md").write_text(PERSONA)
    (prompts / "own.md").write_text("---\nunlocks: [react]\n---\nHop often.")
    return tmp_path / "agents"


async def test_shows_the_parts_in_order_with_their_files_and_the_whole(console: ConsoleHarness, folder: Path) -> None:
    await console.claim()
    services = replace(
        console.services,
        agent_folders=(folder, ROOT / "agents"),
        knowledge=KnowledgeSettings(models=("gemini-3.8-flash", "gemini-3.5-flash-lite")),
    )
    stickers = StickerSet(name="Frogs", title="Frogs", stickers=(SetSticker("f", "u", "💻"),))
    await FirestoreEntities(console.client).keep_sticker_set(
        BOTS["lull"], "Frogs", StoredStickerSet(found=stickers, fresh_until=NOW)
    )
    found = await view.read_persona(services, console.request(path={"agent": "lull"}))
    roles = [(one["name"], one["file"], one["is_own"], one["tasks"]) for one in found["parts"] if one["kind"] == "role"]
    assert roles[0][:3] == ("chat", "agents/prompts/chat.md", False)
    assert roles[2] == ("own", "agents/lull/prompts/own.md", True, ["react"])
    assert "sticker" in roles[1][3]
    assert found["parts"][-1]["file"] == "agents/lull/agent.md"
    assert "You are a frog in private." in found["instruction"], "variables are filled in"
    assert found["instruction"].index("Hop often.") < found["instruction"].index("You are a frog")
    assert "- Frogs: 💻" in found["instruction"]
    assert found["tokens"] > 100
    assert "lull_bot" in [one.get("username") for one in found["problems"]], (
        "the bot has another username than the persona says"
    )
    other = await view.read_persona(
        services, console.request(path={"agent": "lull"}, query={"model": "gemini-3.5-flash-lite"})
    )
    assert other["model"] == "gemini-3.5-flash-lite"


async def test_tells_the_mistake_in_a_file(console: ConsoleHarness, folder: Path) -> None:
    (folder / "lull" / "prompts" / "own.md").write_text("---\nunlocks: [fly]\n---\nHop.")
    services = replace(console.services, agent_folders=(folder, ROOT / "agents"))
    found = await view.read_persona(services, console.request(path={"agent": "lull"}))
    assert found["problem"].startswith("agents/lull/prompts/own.md, line 2: unknown kind of task or tool: fly")
    (listed,) = (await view.list_personas(services, console.request()))["items"]
    assert listed["problem"] == found["problem"]


async def test_every_persona_of_the_project_is_shown(console: ConsoleHarness) -> None:
    agents = sorted(one.parent.name for one in (ROOT / "agents").glob("*/agent.md"))
    listed = await view.list_personas(console.services, console.request(*agents))
    assert [(one["agent"], one["problem"]) for one in listed["items"]] == [(name, "") for name in agents]
    for name in agents:
        found = await view.read_persona(console.services, console.request(*agents, path={"agent": name}))
        persona = load_agent(ROOT / "agents" / name / "agent.md", (ROOT / "agents",))
        assert [one["name"] for one in found["parts"] if one["kind"] == "role"] == list(persona.front.prompts)
    with pytest.raises(NotFound):
        await view.read_persona(console.services, console.request("lull", path={"agent": "moss"}))
