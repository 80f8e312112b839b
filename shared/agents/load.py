"""Reading the agents from their folders."""

import unicodedata
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from shared.agents.front_matter import check_keys, line_of, nearest, read_file
from shared.agents.variables import unknown_variable
from shared.errors import AgentUnreadable
from shared.models.agent import Agent, Codec, FrontMatter, RolePrompt, zone_named

#: what a role prompt may unlock; kept beside the models of the tasks by a test
KNOWN_KINDS = ("think", "send", "wait", "react")
#: and which tools; kept beside the tools by a test
KNOWN_TOOLS = ("calculate",)
#: the kinds that people see something of
SEEN_KINDS = frozenset({"send", "react"})
#: pydantic's words for what is wrong where they are Python's
_PLAINLY = {"tuple_type": "write a list, such as [one, two]"}


def load_agents(folders: Sequence[Path]) -> dict[str, Agent]:
    """Every agent of the configuration folders, by id; the first folder that has one wins.

    Raises AgentUnreadable with file and line.
    """
    files: dict[str, Path] = {}
    for folder in folders:
        for file in sorted(folder.glob("*/agent.md")):
            files.setdefault(file.parent.name, file)
    if not files:
        raise AgentUnreadable(Path(folders[0] if folders else "agents"), 1, "no agent here: add <name>/agent.md")
    agents = {name: load_agent(file, folders) for name, file in files.items()}
    _check_usernames(agents, files)
    return agents


def load_agent(file: Path, folders: Sequence[Path]) -> Agent:
    """One agent with its role prompts: its own go before those that all agents share, and earlier folders before later.

    A folder may change one prompt of an agent that stands in another: `<folder>/<agent>/prompts/<name>.md`.
    """
    fields, text = read_file(file)
    check_keys(file, fields, FrontMatter.model_fields)
    _check_zone(file, fields)
    try:
        front = FrontMatter.model_validate(fields)
    except ValidationError as wrong:
        raise _complaint(file, wrong) from wrong
    _check_names(file, front)
    if not text:
        raise AgentUnreadable(file, 1, "there are no instructions below the front matter")
    _check_variables(file)
    own = [folder / file.parent.name / "prompts" for folder in folders]
    places = [*own, file.parent / "prompts", *(folder / "prompts" for folder in folders)]
    roles = tuple(_role_prompt(file, name, places) for name in front.prompts)
    _check_functions(file, front, roles)
    _check_is_heard(file, roles)
    return Agent(id=file.parent.name, front=front, instructions=text, roles=roles)


def load_model_notes(folders: Sequence[Path], model: str) -> str:
    """The prompt that belongs to a model: the longest `prompts/models/<name>.md` that its id begins with, or none."""
    found = [f for folder in folders for f in sorted(folder.glob("prompts/models/*.md")) if model.startswith(f.stem)]
    best = max(found, key=lambda f: len(f.stem), default=None)
    if best is None:
        return ""
    _check_variables(best)
    fields, text = read_file(best)
    check_keys(best, fields, ())
    return text


def _role_prompt(agent_file: Path, name: str, places: Collection[Path]) -> RolePrompt:
    file = next((p / f"{name}.md" for p in places if (p / f"{name}.md").is_file()), None)
    if file is None:
        raise AgentUnreadable(agent_file, line_of(agent_file, "prompts"), f"there is no role prompt {name}.md")
    fields, text = read_file(file)
    check_keys(file, fields, ("unlocks",))
    unlocks = fields.get("unlocks") or []
    if not isinstance(unlocks, list):
        raise AgentUnreadable(file, line_of(file, "unlocks"), "unlocks must be a list: [send, react]")
    known = (*KNOWN_KINDS, *KNOWN_TOOLS)
    unknown = [str(name) for name in unlocks if name not in known]
    if unknown:
        why = f"unknown kind of task or tool: {', '.join(unknown)}{nearest(unknown[0], known)}"
        raise AgentUnreadable(file, line_of(file, "unlocks"), f"{why} (known: {', '.join(known)})")
    _check_variables(file)
    kinds = tuple(name for name in unlocks if name in KNOWN_KINDS)
    return RolePrompt(name=name, text=text, unlocks=kinds, tools=tuple(name for name in unlocks if name in KNOWN_TOOLS))


def _check_functions(file: Path, front: FrontMatter, roles: Sequence[RolePrompt]) -> None:
    """A prompt must not promise a model what it has not: plans in markdown are for models without functions."""
    promising = [role.name for role in roles if role.tools]
    if promising and front.codec is Codec.MARKDOWN:
        why = f"{', '.join(promising)} unlocks a function, which there is none of with `codec: markdown`; leave it out"
        raise AgentUnreadable(file, line_of(file, "prompts"), why)


def _check_is_heard(file: Path, roles: Sequence[RolePrompt]) -> None:
    if SEEN_KINDS.isdisjoint(kind for role in roles for kind in role.unlocks):
        prompts = ", ".join(role.name for role in roles) or "none"
        why = f"it could never answer: its prompts ({prompts}) unlock neither send nor react"
        todo = "add `chat` to `prompts`, or write `unlocks: [send]` between two lines of --- on top of one of them"
        raise AgentUnreadable(file, line_of(file, "prompts"), f"{why}; {todo}")


def _check_names(file: Path, front: FrontMatter) -> None:
    """Nobody can call what has only blanks and punctuation, or would with every question."""
    for key, names in (("name", (front.name,)), ("aliases", front.aliases)):
        for name in names:
            if all(unicodedata.category(character)[0] in "CPZ" for character in name):
                why = f"{key}: {name!r} is no name to call it by; write one with a letter, a digit or an emoji"
                raise AgentUnreadable(file, line_of(file, key), why)


def _check_usernames(agents: Mapping[str, Agent], files: Mapping[str, Path]) -> None:
    owners: dict[str, str] = {}
    for name, agent in agents.items():
        owner = owners.setdefault(agent.front.username.casefold(), name)
        if owner != name:
            why = f"username: @{agent.front.username} is the bot of {files[owner]} too; each agent needs one of its own"
            raise AgentUnreadable(files[name], line_of(files[name], "username"), why)


def _check_variables(file: Path) -> None:
    for number, line in enumerate(file.read_text(encoding="utf-8-sig").splitlines(), 1):
        unknown = unknown_variable(line)
        if unknown:
            raise AgentUnreadable(file, number, f"there is no variable {{{unknown}}}")


def _check_zone(file: Path, fields: Mapping[str, Any]) -> None:
    if "timezone" in fields:
        try:
            zone_named(str(fields["timezone"]))
        except ValueError as cause:
            raise AgentUnreadable(file, line_of(file, "timezone"), f"timezone: {cause}") from cause


def _complaint(file: Path, wrong: ValidationError) -> AgentUnreadable:
    first: Any = wrong.errors()[0]
    name = str(first["loc"][0])
    hint = FrontMatter.model_fields[name].description
    return AgentUnreadable(file, line_of(file, name), f"{name}: {_PLAINLY.get(first['type'], first['msg'])} ({hint})")
