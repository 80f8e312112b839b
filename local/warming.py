"""Makes the first answer of the small local model faster: the model reads the agents' instructions before anybody
writes.

Most people write to the agent `lull` first, so the model reads that agent's instructions first. Gemini needs no such
preparation.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import httpx

from local.parts import SMALL_MODEL, SMALL_MODEL_SETTINGS
from shared.llm.metering import MeteredModels
from shared.llm.ports.world import PortRegistry
from shared.planning.personas.load import load_model_notes, without_missing_abilities
from shared.planning.prompt.scene import system_of
from shared.tools.toolbox import TOOLS, Toolbox
from shared.turn.replier import Replier
from shared.values.agent import Agent, ModelNotes
from shared.values.capabilities import OutputKind
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.model_name import split_model_name
from shared.values.prompt_format import PromptFormat

#: the agent to which people write first, as the README tells them
FIRST_MET = "lull"
#: the services that tools need; here the tools are only described in prompts and never run
NEEDED = {port for tool in TOOLS.values() for port in tool.needs}
#: seconds within which the model's server has to accept the instructions
LIMIT_S = 10.0


def warm(model_url: str, agents: Mapping[str, Agent], folders: Sequence[Path]) -> None:
    """Send the agents' instructions to the server of the small model. The server lets the model read them in advance,
    whenever no call is running. Connection errors are ignored.
    """
    read = instructions(agents, folders, SMALL_MODEL, PromptFormat(SMALL_MODEL_SETTINGS["LULL_PROMPT_FORMAT"]))
    prompts = [{"name": name, "instruction": text} for name, text in read]
    try:
        with httpx.Client(base_url=model_url, timeout=LIMIT_S, trust_env=False) as client:
            client.post("/reading", json={"prompts": prompts})
    except httpx.TransportError:
        return


def instructions(
    agents: Mapping[str, Agent],
    folders: Sequence[Path],
    model: str,
    prompt_format: PromptFormat,
    made: Collection[OutputKind] = (),
) -> Iterator[tuple[str, str]]:
    """Yield pairs of an agent's name and the beginning of the agent's prompts. An agent has one beginning for private
    chats and one for groups; if the two are equal, only one is yielded. The agent `lull` comes first.

    `made`: the kinds of media that the deployment's models can generate; none with the small model.
    """
    choices = {model: load_model_notes(folders, split_model_name(model).name)}
    said: set[str] = set()
    able_ones = [without_missing_abilities(agent, made) for agent in agents.values()]
    for agent in sorted(able_ones, key=lambda agent: agent.id != FIRST_MET):
        for kind in (ChatKind.PRIVATE, ChatKind.GROUP):
            chat = Chat(key=ChatKey(agent=agent.id, chat_id=1), kind=kind)
            text = system_of(_replier(agent, choices, prompt_format).background(chat, (), None))
            if text not in said:
                said.add(text)
                yield agent.front.name, text


def _replier(agent: Agent, choices: Mapping[str, ModelNotes], prompt_format: PromptFormat) -> Replier:
    return Replier(
        models=MeteredModels({}),
        offered_models=choices,
        agent=agent,
        toolbox=Toolbox(ports=PortRegistry(dict.fromkeys(NEEDED))),
        format=prompt_format,
        clock=partial(datetime.now, UTC),
    )
