"""The media that a tick generates follow from its settings and its personas."""

import shutil
from pathlib import Path

import pytest

from tests.shared.wiring.program import ROOT, TICK, run

CODE = """
import asyncio
from shared.wiring import tick

async def main() -> None:
    one = tick.tick_services().agents["lull"]
    models, maker = one.replier.models.by_name, one.runner.maker
    print([kind for kind in one.replier.agent.kinds if kind in ("voice", "draw")])
    print({name: models[name].model for name in ("speech", "pictures") if name in models})
    print(sorted(made.value for made in maker.by) if maker else None)

asyncio.run(main())
"""


@pytest.fixture
def own(tmp_path: Path) -> dict[str, str]:
    """The settings of a tick whose agent speaks."""
    agents = shutil.copytree(ROOT / "agents", tmp_path / "agents")
    persona = agents / "lull" / "agent.md"
    told = persona.read_text().replace("prompts: [", "voice: always\nprompts: [speaking, drawing, ", 1)
    persona.write_text(told.replace(", drawing]", "]"))
    return TICK | {"LULL_AGENTS_PATH": str(agents)}


@pytest.mark.parametrize(
    ("settings", "kinds", "models"),
    [
        ({}, ["voice"], {"speech": "gemini-3.8-flash-lite-tts"}),
        ({"LULL_SPEECH_MODEL": "no"}, [], {}),
        (
            {"LULL_IMAGE_MODEL": "gemini-nano-banana-2.1"},
            ["voice", "draw"],
            {"speech": "gemini-3.8-flash-lite-tts", "pictures": "gemini-nano-banana-2.1"},
        ),
    ],
)
def test_an_agent_is_offered_what_some_model_makes(
    own: dict[str, str], settings: dict[str, str], kinds: list[str], models: dict[str, str]
) -> None:
    done = run(CODE, own | settings)
    made = sorted(models) if models else None
    assert done.stdout.splitlines() == [str(kinds), str(models), str(made)], done.stderr


def test_for_agents_that_only_write_nothing_is_made() -> None:
    done = run(CODE, TICK)
    assert done.stdout.splitlines() == ["[]", "{}", "None"], done.stderr


def test_a_model_that_does_not_speak_stops_the_start() -> None:
    done = run("import shared.wiring.tick", TICK | {"LULL_SPEECH_MODEL": "gemini-3.8-flash"})
    assert done.returncode == 1
    assert "LULL_SPEECH_MODEL is wrong (write `no`, or a model that makes speech" in done.stderr
