"""The agents as their files define them: the role prompts in order, their origins, and the system instruction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

from shared.base.errors import InvalidPersona
from shared.chat.store.bots import FirestoreBotNames
from shared.chat.store.people import FirestoreEntities
from shared.console.media_files import curated_by_key, edits_of, file_name
from shared.console.memories import owner_of_agent
from shared.console.route import NotFound
from shared.media.known import KnownMedia
from shared.media.stickers import sticker_list
from shared.media.store.curations import FirestoreCurations
from shared.media.store.descriptions import FirestoreDescriptions
from shared.planning.personas.files import agent_files
from shared.planning.personas.load import (
    complete_notes,
    load_agent,
    load_model_notes,
    model_notes_file,
    prompt_folders,
    role_prompt_file,
    without_missing_abilities,
)
from shared.planning.personas.media import load_curated
from shared.planning.prompt.estimate import tokens_in
from shared.planning.prompt.scene import PromptRoom, Scene, Zones, system_of
from shared.tasks.registry import traits_of
from shared.tools.toolbox import TOOLS
from shared.turn.replier import agent_for_model
from shared.values.agent import Agent, Codec, ModelNotes
from shared.values.capabilities import prompt_tokens_at_most
from shared.values.channel import BotName
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.model_name import split_model_name
from shared.values.prompt_format import PromptFormat
from shared.values.stickers import StickerSet

if TYPE_CHECKING:
    from pathlib import Path

    from shared.console.services import ConsoleServices


async def list_personas(services: ConsoleServices, agents: Sequence[str]) -> Mapping[str, Any]:
    """Return the agents with their names. If an agent's files cannot be loaded, `problem` says why."""
    return {"items": [_summary(services, agent) for agent in sorted(agents)]}


def _summary(services: ConsoleServices, agent: str) -> dict[str, Any]:
    try:
        found = load_agent(_agent_file(services, agent), services.agent_folders)
    except InvalidPersona as mistake:
        return {"agent": agent, "name": agent, "problem": _mistake_text(mistake)}
    return {"agent": agent, "name": found.front.name, "username": found.front.username, "problem": ""}


def _agent_file(services: ConsoleServices, agent: str) -> Path:
    """Return the path of an agent's persona file. Raises NotFound, or InvalidPersona."""
    file = agent_files(services.agent_folders).get(agent)
    if file is None:
        raise NotFound
    return file


def _mistake_text(mistake: InvalidPersona) -> str:
    return f"{file_name(mistake.file)}, line {mistake.line}: {mistake.why}"


async def read_persona(services: ConsoleServices, agent: str, model: str = "") -> Mapping[str, Any]:
    """Return an agent's files and its finished system instruction for a model ("": the default model).

    Raises NotFound. If a file has a mistake, the result describes the mistake.
    """
    try:
        file = _agent_file(services, agent)
        whole = load_agent(file, services.agent_folders)
    except InvalidPersona as mistake:
        return {"agent": agent, "name": agent, "problem": _mistake_text(mistake)}
    notes, model = _notes_of(services, model)
    able = without_missing_abilities(whole, services.knowledge.made)
    offered = agent_for_model(able, notes)
    named = await FirestoreBotNames(services.client, services.clock).names(agent)
    stickers = await _stickers(services, whole, named)
    instruction = system_of(await _scene(services, offered, (model, notes), stickers))
    return {
        **_front(whole),
        "file": file_name(file),
        "model": model,
        "models": list(services.knowledge.models),
        "parts": list(_parts(services, whole, offered, (model, notes), file)),
        "photos": [{"id": one.id, "description": one.description} for one in whole.photos],
        "memories": len(whole.memories),
        "curated": len(set(curated_by_key(services.agent_folders, agent).values())),
        "edits": len((await edits_of(services, [agent]))[agent]),
        "problems": list(_problems(services.agent_folders, whole, able, named.values())),
        "instruction": instruction,
        "tokens": ceil(tokens_in(instruction)),
        "problem": "",
    }


def _front(agent: Agent) -> dict[str, Any]:
    front = agent.front
    return {
        "agent": agent.id,
        "name": front.name,
        "username": front.username,
        "aliases": list(front.aliases),
        "codec": front.codec.value,
        "timezone": front.timezone,
        "voice": front.voice.value,
        "sticker_sets": list(front.sticker_sets),
        "stickers": [{"set": one.set, "sticker": one.sticker} for one in front.stickers],
    }


def _notes_of(services: ConsoleServices, model: str) -> tuple[ModelNotes, str]:
    known = services.knowledge.models
    model = model if model in known else next(iter(known), "")
    notes = load_model_notes(services.agent_folders, split_model_name(model).name)
    return complete_notes(notes, model) if model else notes, model


async def _stickers(services: ConsoleServices, agent: Agent, named: Mapping[int, BotName]) -> str:
    """Return the list of the agent's stickers for the prompt, made from the sticker sets that ticks have stored."""
    entities, sets = FirestoreEntities(services.client), dict[str, StickerSet]()
    for bot_id in named:
        for name in agent.front.sets:
            kept = await entities.sticker_set(bot_id, name)
            if kept is not None and kept.found is not None:
                sets[name] = kept.found
    if not sets:
        return ""
    curated = {key: one for key, (_, one) in curated_by_key(services.agent_folders, agent.id).items()}
    known = KnownMedia(
        agent=agent.id,
        curated=curated,
        kept=FirestoreDescriptions(services.client, services.clock),
        requests=None,
        clock=services.clock,
        edits=FirestoreCurations(services.client, services.clock),
    )
    return await sticker_list(agent.front, sets, known)


async def _scene(services: ConsoleServices, agent: Agent, by: tuple[str, ModelNotes], stickers: str) -> Scene:
    """Return the input for building the instruction: the owner's private chat, without any message to answer."""
    (model, notes), known = by, services.knowledge
    owner = await owner_of_agent(services, agent.id)
    is_text = (notes.codec or agent.front.codec) is Codec.TEXT
    return Scene(
        agent=agent,
        notes=notes,
        chat=Chat(key=ChatKey(agent=agent.id, chat_id=owner or 1), kind=ChatKind.PRIVATE),
        entries=(),
        now=services.clock(),
        format=PromptFormat.PLAIN if is_text else known.prompt_format,
        room=PromptRoom(
            max_tokens=prompt_tokens_at_most(model, known.context_tokens, known.reply_tokens),
            reply_tokens=known.reply_tokens,
        ),
        zones=Zones(timezone=agent.front.timezone),
        stickers=stickers,
        tools=tuple(tool.declaration for name, tool in TOOLS.items() if name in agent.tools),
    )


def _parts(
    services: ConsoleServices, whole: Agent, offered: Agent, by: tuple[str, ModelNotes], file: Path
) -> Iterator[dict[str, Any]]:
    """Yield the parts of the instruction in order: notes on the model, role prompts, and the persona's own text."""
    folders, (model, notes) = services.agent_folders, by
    places, told = prompt_folders(file, folders), {role.name for role in offered.roles}
    if (found := model_notes_file(folders, split_model_name(model).name)) is not None:
        yield _part("model", model, found, notes.text)
    roles = {role.name: role for role in whole.roles}
    for name in whole.front.prompts:
        path = role_prompt_file(name, places)
        role = roles.get(name)
        unlocked = {"tasks": list(role.unlocks), "tools": list(role.tools)} if role else {"tasks": [], "tools": []}
        yield {
            **_part("role", name, path, role.text if role else ""),
            **unlocked,
            "is_own": path is not None and path.parent.parent.name == whole.id,
            "is_used": name in told,
        }
    yield _part("persona", whole.front.name, file, whole.instructions)


def _part(kind: str, name: str, path: Path | None, text: str) -> dict[str, Any]:
    return {
        "kind": kind,
        "name": name,
        "file": file_name(path) if path is not None else "",
        "text": text,
        "tokens": ceil(tokens_in(text)),
        "is_used": True,
    }


def _problems(folders: Sequence[Path], whole: Agent, able: Agent, bots: Iterable[BotName]) -> Iterator[dict[str, Any]]:
    """Yield the mistakes in an agent's files that do not prevent it from working, each as a code with its values."""
    for one in bots:
        if one.username.casefold() != whole.front.username.casefold():
            yield {"code": "persona_other_username", "said": whole.front.username, "username": one.username}
    missing = [kind for kind in whole.kinds if kind not in able.kinds]
    if missing:
        yield {"code": "persona_no_model_for_files", "kinds": missing}
    if not whole.front.sets and any(traits_of(kind).uses.stickers for kind in whole.kinds):
        yield {"code": "persona_no_sticker_set"}
    gone = [name for name in whole.front.prompts if name not in {role.name for role in whole.roles}]
    if gone:
        yield {"code": "persona_prompts_left_out", "names": ", ".join(gone)}
    try:
        load_curated(folders, [whole.id])
    except InvalidPersona as mistake:
        yield {"code": "persona_file_broken", "text": _mistake_text(mistake)}
