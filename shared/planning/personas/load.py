"""Load agents: front matter, instructions, and role prompts. A role prompt can unlock kinds of task."""

import json
import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from shared.base.errors import InvalidPersona
from shared.planning.personas.files import (
    agent_files,
    check_keys,
    check_top,
    check_usernames,
    line_of,
    nearest,
    read_agent_file,
    read_file,
)
from shared.planning.personas.media import load_curated
from shared.planning.personas.template import unknown_variable, wrong_conditions
from shared.tasks.registry import unlockable
from shared.tasks.traits import TaskTraits
from shared.tools.toolbox import tool_names
from shared.values.agent import Agent, Codec, CuratedMemory, FrontMatter, ModelNotes, OwnPhoto, RolePrompt, VoicePolicy
from shared.values.capabilities import OutputKind, capabilities_of, is_small
from shared.values.evolve import evolve

#: where a configuration folder contains the notes on models
_NOTES: Final = "prompts/models/*.md"
#: the file name of a persona's memories for everyone; other memory files are named by the id of the person they are for
#: the name of the notes on small models that have no notes of their own
SMALL: Final = "small"
EVERYONE: Final = "everyone"
#: Telegram's ids of people have at most 52 bits (core.telegram.org/bots/api#user)
_PERSON: Final = re.compile(r"[1-9][0-9]{0,15}", re.ASCII)
#: files that editors and file managers leave behind, which are ignored
_LEFT: Final = re.compile(r"[.#].*|.*~|Thumbs\.db|desktop\.ini")
#: the maximum characters of a memory file, which becomes part of every prompt for its person
LONGEST_MEMORY: Final = 4_000


def load_agents(folders: Sequence[Path]) -> dict[str, Agent]:
    """Return every agent in the configuration folders, by the agent's id.

    If two folders contain the same agent, the earlier folder's is used. Raises InvalidPersona with file and line.
    """
    files = agent_files(folders)
    agents = {name: load_agent(file, folders) for name, file in files.items()}
    check_usernames({name: agent.front for name, agent in agents.items()}, files)
    return agents


def load_everything(folders: Sequence[Path]) -> dict[str, Agent]:
    """Return every agent, after checking all files that Cloud Functions read from the configuration folders.

    These include the notes on models and the descriptions of files. Raises InvalidPersona with file and line.
    """
    agents = load_agents(folders)
    load_curated(folders, agents)
    for file in (file for folder in folders for file in sorted(folder.glob(_NOTES))):
        _model_notes(file)
    return agents


def load_agent(file: Path, folders: Sequence[Path]) -> Agent:
    """Return one agent with its role prompts.

    The agent's own role prompts precede the shared ones, and those of earlier folders precede those of later folders. A
    folder may replace a single prompt of an agent that is defined in another folder, by a file
    `<folder>/<agent>/prompts/<name>.md`.
    """
    front, text = read_agent_file(file)
    _check_text(file)
    places = prompt_folders(file, folders)
    roles = tuple(_role_prompt(file, name, places) for name in front.prompts)
    photos = load_photos(file.parent / "photos")
    memories = load_memories(file.parent / "memory")
    agent = without_missing_abilities(
        Agent(id=file.parent.name, front=front, instructions=text, roles=roles, photos=photos, memories=memories)
    )
    _check_is_heard(file, agent.roles)
    return agent


def prompt_folders(agent_file: Path, folders: Sequence[Path]) -> Sequence[Path]:
    """Return the folders in which an agent's role prompts are looked for, in order."""
    own = [folder / agent_file.parent.name / "prompts" for folder in folders]
    return [*own, agent_file.parent / "prompts", *(folder / "prompts" for folder in folders)]


def role_prompt_file(name: str, places: Iterable[Path]) -> Path | None:
    """Return the file of a role prompt: the first one of that name; None if there is none."""
    return next((place / f"{name}.md" for place in places if (place / f"{name}.md").is_file()), None)


def load_model_notes(folders: Sequence[Path], model: str) -> ModelNotes:
    """Return the notes on a model; they are empty if no file describes the model."""
    file = model_notes_file(folders, model)
    return _model_notes(file) if file is not None else ModelNotes()


def model_notes_file(folders: Sequence[Path], model: str) -> Path | None:
    """Return the file of the notes on a model; None if there is none.

    It is the `prompts/models/<name>.md` whose name is the longest prefix of the model's id. Without such a file, it is
    `small.md` for a small model.
    """
    files = [file for folder in folders for file in sorted(folder.glob(_NOTES))]
    found = [file for file in files if file.stem != SMALL and model.startswith(file.stem)]
    found = found or [file for file in files if file.stem == SMALL and is_small(model)]
    return max(found, key=lambda file: len(file.stem), default=None)


def complete_notes(notes: ModelNotes, name: str) -> ModelNotes:
    """Return the notes, with the model's codec if they name none. Function calls are off if the model lacks them.

    But a model that answers in markdown writes its function calls as text, which needs no capability.
    """
    can = capabilities_of(name)
    codec = notes.codec or can.codec
    calls_functions = notes.calls_functions and (can.tools or codec is Codec.MARKDOWN)
    return evolve(notes, codec=codec, calls_functions=calls_functions)


def _model_notes(file: Path) -> ModelNotes:
    fields, text = read_file(file)
    _check_text(file)
    check_keys(file, fields, ("functions", "withholds", "codec"))
    calls_functions = fields.get("functions", True)
    if not isinstance(calls_functions, bool):
        raise InvalidPersona(file, line_of(file, "functions"), "functions must be true or false")
    withholds = fields.get("withholds") or []
    known = unlockable()
    if not isinstance(withholds, list) or not all(isinstance(kind, str) and kind in known for kind in withholds):
        why = f"withholds must be a list of kinds of task ({', '.join(known)})"
        raise InvalidPersona(file, line_of(file, "withholds"), why)
    codec = fields.get("codec")
    if codec is not None and codec not in [*Codec]:
        raise InvalidPersona(file, line_of(file, "codec"), f"codec must be one of: {', '.join(Codec)}")
    return ModelNotes(
        text=text,
        codec=Codec(codec) if codec is not None else None,
        calls_functions=calls_functions,
        withholds=tuple(withholds),
    )


def _role_prompt(agent_file: Path, name: str, places: Sequence[Path]) -> RolePrompt:
    file = role_prompt_file(name, places)
    if file is None:
        near = nearest(name, sorted({one.stem for place in places for one in place.glob("*.md")}))
        raise InvalidPersona(agent_file, line_of(agent_file, "prompts"), f"there is no role prompt {name}.md{near}")
    fields, text = read_file(file)
    if not fields:
        check_top(file, ("unlocks",))
    check_keys(file, fields, ("unlocks",))
    unlocks = fields.get("unlocks") or []
    if not isinstance(unlocks, list):
        raise InvalidPersona(file, line_of(file, "unlocks"), "unlocks must be a list, such as [send, react]")
    known = (*unlockable(), *tool_names())
    unknown = [str(name) for name in unlocks if name not in known]
    if unknown:
        why = f"unknown kind of task or tool: {', '.join(unknown)}{nearest(unknown[0], known)}"
        raise InvalidPersona(file, line_of(file, "unlocks"), f"{why} (known: {', '.join(known)})")
    _check_text(file)
    kinds = tuple(name for name in unlocks if name in unlockable())
    tools = tuple(name for name in unlocks if name in tool_names())
    return RolePrompt(name=name, text=text, unlocks=kinds, tools=tools)


def _check_is_heard(file: Path, roles: Sequence[RolePrompt]) -> None:
    # kinds of task whose file a model makes are excluded, since there may be no such model
    seen = [kind for kind, model in unlockable().items() if model.traits.is_seen and model.traits.uses.made is None]
    if set(seen).isdisjoint(kind for role in roles for kind in role.unlocks):
        prompts = ", ".join(role.name for role in roles) or "none"
        why = f"the agent could never answer: its prompts ({prompts}) unlock neither {' nor '.join(seen)}"
        todo = "add `chat` to `prompts`, or write `unlocks: [send]` at the top of one of them, between two lines ---"
        raise InvalidPersona(file, line_of(file, "prompts"), f"{why}; {todo}")


def _check_text(file: Path) -> None:
    """Raise InvalidPersona for an unknown variable or condition."""
    text = file.read_text(encoding="utf-8-sig")
    for number, why in wrong_conditions(text):
        raise InvalidPersona(file, number, f"{why}; docs/personas.md lists all conditions")
    for number, line in enumerate(text.splitlines(), 1):
        unknown = unknown_variable(line)
        if unknown:
            raise InvalidPersona(file, number, f"there is no variable {{{unknown}}}")


def load_memories(folder: Path) -> tuple[CuratedMemory, ...]:
    """Return the memories in a persona's `memory` folder, those for everyone first; empty if there is no folder.

    Raises InvalidPersona with the file and what to do about it.
    """
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    found = [_memory_of(file) for file in files if not _LEFT.fullmatch(file.name)]
    return tuple(sorted(found, key=lambda one: one.person))


def _memory_of(file: Path) -> CuratedMemory:
    is_person = _PERSON.fullmatch(file.stem) is not None
    if file.suffix != ".md" or not (is_person or file.stem == EVERYONE):
        why = "name the file everyone.md, or after a person's Telegram id, such as 123456789.md (/whoami shows the id)"
        raise InvalidPersona(file, 1, why)
    fields, text = read_file(file)
    if fields:
        raise InvalidPersona(file, 1, "a memory must not have front matter: remove the part between the lines ---")
    if not text:
        raise InvalidPersona(file, 1, "the file is empty: write the memory into it, or delete the file")
    if len(text) > LONGEST_MEMORY:
        raise InvalidPersona(
            file,
            1,
            f"the file has {len(text):,} characters; at most {LONGEST_MEMORY:,}, since every prompt contains it",
        )
    return CuratedMemory(person=int(file.stem) if is_person else 0, text=text)


INDEX: Final = "index.json"
SUFFIXES: Final = (".jpg", ".jpeg", ".png", ".webp")
#: the maximum size of a photo for sendPhoto, in bytes (core.telegram.org/bots/api#sending-files)
LARGEST: Final = 10_000_000
#: the maximum number of photos, since every prompt lists them all
MOST: Final = 50
_FIELDS: Final = ("id", "file", "description")


def load_photos(folder: Path) -> tuple[OwnPhoto, ...]:
    """Return the photos in the index of a persona's folder, if any. Raises InvalidPersona with file and line."""
    index = folder / INDEX
    if not index.is_file():
        return ()
    try:
        found = json.loads(index.read_text(encoding="utf-8-sig"))
    except json.JSONDecodeError as cause:
        raise InvalidPersona(index, cause.lineno, f"not JSON: {cause.msg}") from cause
    except (ValueError, RecursionError) as cause:  # a number with thousands of digits raises ValueError too
        raise InvalidPersona(index, 1, "the file is not JSON in UTF-8") from cause
    if not isinstance(found, list) or len(found) > MOST:
        raise InvalidPersona(index, 1, f"write a list of at most {MOST} photos, each with {{id, file, description}}")
    photos = tuple(_photo(index, number, one) for number, one in enumerate(found, start=1))
    for number, photo in enumerate(photos, start=1):
        if photo.id in (other.id for other in photos[: number - 1]):
            raise InvalidPersona(
                index, _line(index, number), f"photo {number}, id: another photo already has {photo.id!r}"
            )
    return photos


def _photo(index: Path, number: int, given: Any) -> OwnPhoto:
    line = _line(index, number)
    if not isinstance(given, dict) or set(given) != set(_FIELDS):
        raise InvalidPersona(index, line, f"photo {number} must have exactly {', '.join(_FIELDS)}")
    name = given["file"]
    if not isinstance(name, str) or Path(name).name != name or Path(name).suffix.lower() not in SUFFIXES:
        raise InvalidPersona(index, line, f"photo {number}, file: name a file in this folder ({', '.join(SUFFIXES)})")
    file = index.parent / name
    if not file.is_file() or not 0 < file.stat().st_size <= LARGEST:
        raise InvalidPersona(index, line, f"photo {number}, file: {name} is missing, empty or larger than 10 MB")
    try:
        return OwnPhoto.model_validate({**given, "file": file})
    except ValidationError as wrong:
        first = wrong.errors()[0]
        why = f"photo {number}, {first['loc'][0]}: {first['msg']}"
        raise InvalidPersona(index, line, why) from wrong


def _line(index: Path, number: int) -> int:
    """Return the line of the index on which a photo begins; 1 if the photos are not written on separate lines."""
    begins = [n for n, line in enumerate(index.read_text(encoding="utf-8-sig").splitlines(), 1) if "{" in line]
    return begins[number - 1] if number <= len(begins) else 1


def without_missing_abilities(agent: Agent, made: Collection[OutputKind] = frozenset(OutputKind)) -> Agent:
    """Return the agent without the kinds of task for which it lacks stickers, a voice, or a model.

    `made`: the kinds of file that models make for this agent.
    """
    kinds = [kind for kind in agent.kinds if _has_all(agent.front, made, unlockable()[kind].traits)]
    return agent.only(kinds, agent.tools)


def _has_all(front: FrontMatter, made: Collection[OutputKind], traits: TaskTraits) -> bool:
    if traits.uses.stickers and not front.sets:
        return False
    if traits.uses.made is OutputKind.SPEECH and front.voice is VoicePolicy.NEVER:
        return False
    return traits.uses.made is None or traits.uses.made in made
