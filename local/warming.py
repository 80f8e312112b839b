"""The first answer of the small model, made quicker: it reads each agent's instructions before anybody writes.

A small model on a small machine reads some forty tokens a second, and keeps what it read last: so the agent that
people meet first is read last. Gemini needs none of this.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import httpx

from local.parts import SMALL_MODEL
from shared.agents.load import load_model_notes
from shared.models.agent import Agent
from shared.models.chat import Chat, ChatKey, ChatKind
from shared.models.prompt import PromptFormat
from shared.prompting.assemble import Scene, assemble

#: the slowest machine that is worth waiting for reads a thousand tokens in this time
LONGEST_READING_S = 180.0
#: the agent that the README has people write to
FIRST_MET = "lull"


def warm(gemini_url: str, agents: Mapping[str, Agent], folders: Sequence[Path]) -> None:
    """Have the model read the instructions of each agent, lull's last, since whoever comes meets it first.

    Failures are no harm and not told.
    """
    notes = load_model_notes(folders, SMALL_MODEL)
    with httpx.Client(base_url=gemini_url, timeout=LONGEST_READING_S, trust_env=False) as client:
        for agent in sorted(agents.values(), key=lambda agent: agent.id == FIRST_MET):
            try:
                client.post(f"/v1beta/models/{SMALL_MODEL}:generateContent", json=_reading(agent, notes))
            except httpx.TransportError:
                return


def _reading(agent: Agent, notes: str) -> dict[str, object]:
    scene = Scene(
        agent=agent,
        model_notes=notes,
        chat=Chat(key=ChatKey(agent=agent.id, chat_id=1), kind=ChatKind.PRIVATE),
        entries=(),
        targets=(),
        pending=(),
        now=datetime.now(UTC),
        format=PromptFormat.COMPACT,
    )
    prompt = assemble(scene)
    return {
        "systemInstruction": {"parts": [{"text": prompt.system}]},
        "contents": [{"role": turn.role.value, "parts": [{"text": t} for t in turn.parts]} for turn in prompt.turns],
        "generationConfig": {"maxOutputTokens": 1},
    }
