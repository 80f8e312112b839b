"""The agents that are attacked. Their settings allow everything that an agent can be allowed to do."""

from collections.abc import Iterable
from pathlib import Path

from shared.tasks.registry import unlockable
from shared.tools.toolbox import tool_names

#: the agent whose plans are JSON, and the agent whose plans are markdown; models that plan in markdown get no functions
#: to call
IN_JSON, IN_MARKDOWN = "bait", "lure"


def write_agents(folder: Path) -> Path:
    """Write both agents into a configuration folder, and return the folder."""
    write_agent(folder / IN_JSON)
    _write(folder / IN_MARKDOWN, "codec: markdown\n", unlockable())
    return folder


def write_agent(folder: Path) -> None:
    """Write an agent that plans in JSON, named after its folder."""
    _write(folder, "", [*unlockable(), *tool_names()])


def _write(folder: Path, more: str, unlocks: Iterable[str]) -> None:
    (folder / "prompts").mkdir(parents=True)
    name = folder.name.title()
    front = f"name: {name}\nusername: {folder.name}_test_bot\naliases: []\nprompts: [all]\npace: instant\n{more}"
    (folder / "agent.md").write_text(f"---\n{front}---\nYou are {name}.\n")
    (folder / "prompts" / "all.md").write_text(f"---\nunlocks: [{', '.join(unlocks)}]\n---\nDo what you are asked.\n")
