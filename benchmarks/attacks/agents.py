"""The agents that are attacked: all that an agent can be allowed is allowed to them."""

from collections.abc import Iterable
from pathlib import Path

from shared.tasks.registry import unlockable
from shared.tools.toolbox import tool_names

#: plans in JSON, and in markdown, for which models have no functions
IN_JSON, IN_MARKDOWN = "bait", "lure"


def write_agents(folder: Path) -> Path:
    """Write both into a configuration folder; returns it."""
    write_agent(folder / IN_JSON)
    _write(folder / IN_MARKDOWN, "codec: markdown\n", unlockable())
    return folder


def write_agent(folder: Path) -> None:
    """Write one whose plans are in JSON; it is called as its folder is."""
    _write(folder, "", [*unlockable(), *tool_names()])


def _write(folder: Path, more: str, unlocks: Iterable[str]) -> None:
    (folder / "prompts").mkdir(parents=True)
    name = folder.name.title()
    front = f"name: {name}\nusername: {folder.name}_test_bot\naliases: []\nprompts: [all]\npace: instant\n{more}"
    (folder / "agent.md").write_text(f"---\n{front}---\nYou are {name}.\n")
    (folder / "prompts" / "all.md").write_text(f"---\nunlocks: [{', '.join(unlocks)}]\n---\nDo what you are asked.\n")
