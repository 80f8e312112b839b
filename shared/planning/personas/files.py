"""Read the markdown files of agents: YAML front matter between two lines of `---`, then text with `{variables}`."""

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from shared.base.errors import InvalidPersona
from shared.values.agent import FrontMatter, parse_zone

FENCE = "---"
_AGENT = "agent.md"
#: likely misspellings of the file's name
_MISNAMED = frozenset({_AGENT, "agent.md.txt", "agent.txt", "agent.markdown"})
#: the allowed name of an agent's folder. The name becomes a part of addresses, document names and shell variables
_FOLDER = re.compile(r"[A-Za-z0-9_-]+")
#: the maximum characters of a file, some 50,000 tokens
LONGEST = 200_000
#: plain words that replace those of pydantic's messages that mention Python's types
_PLAINLY = {
    "tuple_type": "write a list, such as [one, two]",
    "string_type": "write a string; put numbers, yes and no in quotes",
}


def load_fronts(folders: Sequence[Path]) -> dict[str, FrontMatter]:
    """Return the front matter of every agent in the configuration folders, by the agent's id.

    If two folders contain the same agent, the earlier folder's is used. Role prompts are not read. Raises
    InvalidPersona with file and line.
    """
    files = agent_files(folders)
    fronts = {name: read_agent_file(file)[0] for name, file in files.items()}
    check_usernames(fronts, files)
    return fronts


def agent_files(folders: Sequence[Path]) -> dict[str, Path]:
    """Return the path of every agent's `agent.md`, by the agent's id. Raises InvalidPersona if there are no agents."""
    files: dict[str, Path] = {}
    for folder in folders:
        for place in sorted(place for place in folder.glob("*") if not place.name.startswith(".")):
            file = place / _AGENT
            if file.exists() or file.is_symlink():
                _check_folder(file)
                files.setdefault(place.name, file)
            else:
                _check_misnamed(place)
    if not files:
        raise InvalidPersona(
            Path(folders[0] if folders else "agents"), 1, "this folder has no agent: add <name>/agent.md"
        )
    return files


def _check_folder(file: Path) -> None:
    if _FOLDER.fullmatch(file.parent.name) is None:
        why = f"the folder's name {file.parent.name!r} is part of the webhook's address: use only the letters a to z"
        raise InvalidPersona(file, 1, f"{why}, digits, - and _, such as my-agent")


def _check_misnamed(place: Path) -> None:
    """Raise InvalidPersona for a misspelled `agent.md`, since a file with another name would silently be ignored."""
    for file in sorted(place.glob("*")):
        if file.name.lower() in _MISNAMED:
            raise InvalidPersona(file, 1, f"an agent's file must be called {_AGENT}: rename it")


def read_agent_file(file: Path) -> tuple[FrontMatter, str]:
    """Return the front matter and the instructions of an `agent.md`. Raises InvalidPersona with file and line."""
    fields, text = read_file(file)
    if not fields:
        check_top(file, FrontMatter.model_fields)
    check_keys(file, fields, FrontMatter.model_fields)
    _check_zone(file, fields)
    try:
        front = FrontMatter.model_validate(fields)
    except ValidationError as wrong:
        raise _complaint(file, wrong) from wrong
    _check_names(file, front)
    if not text:
        raise InvalidPersona(file, 1, "there are no instructions below the front matter")
    return front, text


def check_usernames(fronts: Mapping[str, FrontMatter], files: Mapping[str, Path]) -> None:
    """Raise InvalidPersona if two agents use the same bot."""
    owners: dict[str, str] = {}
    for name, front in fronts.items():
        owner = owners.setdefault(front.username.casefold(), name)
        if owner != name:
            why = f"username: @{front.username} is also the bot of {files[owner]}; give each agent a bot of its own"
            raise InvalidPersona(files[name], line_of(files[name], "username"), why)


def read_file(file: Path) -> tuple[dict[str, Any], str]:
    """Return a file's front matter (empty if none) and the text below. Raises InvalidPersona with file and line."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as cause:
        raise InvalidPersona(file, 1, "the file is not UTF-8 text; save it as UTF-8") from cause
    except OSError as cause:
        raise InvalidPersona(file, 1, f"the file cannot be read ({cause.strerror})") from cause
    if len(text) > LONGEST:
        raise InvalidPersona(file, 1, f"the file has {len(text):,} characters; at most {LONGEST:,} fit into a prompt")
    lines = text.splitlines()
    begin = next((n for n, line in enumerate(lines) if line.strip()), 0)
    if not lines or lines[begin].strip() != FENCE:
        return {}, text.strip()
    end = next((n for n, line in enumerate(lines[begin + 1 :], begin + 1) if line.strip() == FENCE), None)
    if end is None:
        why = f"the front matter that starts here has no closing line {FENCE}"
        raise InvalidPersona(file, begin + 1, why)
    # blank lines stand for the lines before the front matter, so that an error reports the line number in the file
    return _yaml(file, "\n" * begin + "\n".join(lines[begin + 1 : end])), "\n".join(lines[end + 1 :]).strip()


def check_top(file: Path, keys: Collection[str]) -> None:
    """Raise InvalidPersona if front matter comes after other text, since it would have no effect there."""
    lines = file.read_text(encoding="utf-8-sig").splitlines()
    for number, (line, after) in enumerate(pairwise(lines), 1):
        if line.strip() == FENCE and after.partition(":")[0] in keys:
            why = "front matter must be at the top of the file: move the text above this line to below the front matter"
            raise InvalidPersona(file, number, why)


def _yaml(file: Path, text: str) -> dict[str, Any]:
    try:
        found = yaml.safe_load(text)
        root = yaml.compose(text, yaml.SafeLoader)
    except yaml.MarkedYAMLError as cause:
        mark = cause.problem_mark
        raise InvalidPersona(file, (mark.line if mark else 0) + 2, f"not YAML: {cause.problem}") from cause
    except (yaml.YAMLError, ValueError, RecursionError) as cause:  # an impossible date raises ValueError
        raise InvalidPersona(file, 2, "not YAML") from cause
    if not isinstance(found, dict | None):
        raise InvalidPersona(file, 2, "the front matter must be `name: value` lines")
    if isinstance(root, yaml.MappingNode):
        _check_once(file, root)
    return {str(name): value for name, value in (found or {}).items()}


def _check_once(file: Path, root: yaml.MappingNode) -> None:
    """Raise InvalidPersona for a repeated key, of which YAML would silently use the last value."""
    seen: set[str] = set()
    for key, _ in root.value:
        if key.value in seen:
            why = f"{key.value!r} is repeated here; remove one of the two"
            raise InvalidPersona(file, key.start_mark.line + 2, why)
        seen.add(key.value)


def check_keys(file: Path, fields: Mapping[str, Any], known: Collection[str]) -> None:
    """Raise InvalidPersona for an unknown field. The error names the field."""
    for name in fields:
        if name not in known:
            why = f"unknown key {name!r}{nearest(name, known)}"
            raise InvalidPersona(file, line_of(file, name), f"{why} (known: {', '.join(known) or 'none'})")


def nearest(written: str, known: Collection[str]) -> str:
    """Return `; did you mean 'unlocks'?` if a name in `known` is similar to `written`; else an empty string."""
    near = get_close_matches(written.lower(), known, n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def line_of(file: Path, name: str) -> int:
    """Return the line of a field in the front matter; 1 if the field is missing."""
    lines = file.read_text(encoding="utf-8-sig").splitlines()
    fences = [number for number, line in enumerate(lines) if line.strip() == FENCE]
    head = lines[: fences[1]] if len(fences) > 1 else lines
    return next((n for n, line in enumerate(head, 1) if line.startswith(f"{name}:")), 1)


def _check_names(file: Path, front: FrontMatter) -> None:
    """Raise InvalidPersona for a name without any letter, digit or symbol.

    Nobody could say such a name, and every question would contain the name `?`.
    """
    for key, names in (("name", (front.name,)), ("aliases", front.aliases)):
        for name in names:
            if all(unicodedata.category(character)[0] in "CPZ" for character in name):
                why = f"{key}: {name!r} is not usable as a name; write one with a letter, a digit or an emoji"
                raise InvalidPersona(file, line_of(file, key), why)


def _check_zone(file: Path, fields: Mapping[str, Any]) -> None:
    if "timezone" in fields:
        try:
            parse_zone(str(fields["timezone"]))
        except ValueError as cause:
            raise InvalidPersona(file, line_of(file, "timezone"), f"timezone: {cause}") from cause


def _complaint(file: Path, wrong: ValidationError) -> InvalidPersona:
    first: Any = wrong.errors()[0]
    name = str(first["loc"][0])
    hint = FrontMatter.model_fields[name].description
    place = ".".join(str(part + 1) if isinstance(part, int) else str(part) for part in first["loc"])
    return InvalidPersona(file, line_of(file, name), f"{place}: {_PLAINLY.get(first['type'], first['msg'])} ({hint})")
