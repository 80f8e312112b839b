"""Load hand-written descriptions of files, from `media/*.json` of each configuration folder and of each agent.

An agent's own descriptions precede those for all agents, and an earlier folder's precede a later folder's.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from shared.base.errors import InvalidPersona
from shared.values.curated import ByName, CuratedMedia

FOLDER: Final = "media"
_HINT: Final = "unique_id, kind, sticker_set_name, sticker_name, description"


def load_curated(folders: Sequence[Path], agents: Iterable[str]) -> dict[str, ByName]:
    """Return the hand-written descriptions for each agent. Raises InvalidPersona with the file and the field."""
    shared = [_of_folder(folder / FOLDER) for folder in folders]
    own = {agent: [_of_folder(folder / agent / FOLDER) for folder in folders] for agent in agents}
    return {agent: _first_wins([*places, *shared]) for agent, places in own.items()}


def _first_wins(places: Sequence[ByName]) -> ByName:
    return {name: found for place in reversed(places) for name, found in place.items()}


def curated_files(folders: Sequence[Path], agent: str) -> Sequence[tuple[Path, CuratedMedia]]:
    """Return all hand-written descriptions for an agent, each with its file.

    If two describe the same picture, the first one is used. Raises InvalidPersona with the file and the field.
    """
    places = (*(folder / agent / FOLDER for folder in folders), *(folder / FOLDER for folder in folders))
    return [(file, _read(file)) for place in places for file in sorted(place.glob("*.json"))]


def _of_folder(folder: Path) -> ByName:
    """Return the descriptions in a folder. Each must describe a different file."""
    found, said_in = dict[tuple[str, str], CuratedMedia](), dict[tuple[str, str], Path]()
    for file in sorted(folder.glob("*.json")):
        one = _read(file)
        for name in one.names:
            if name in found:
                field = "sticker_name" if name[0] else "unique_id"
                raise InvalidPersona(
                    file, _line(file, field), f"{field}: {said_in[name].name} already describes this file"
                )
            found[name], said_in[name] = one, file
    return found


def _read(file: Path) -> CuratedMedia:
    try:
        given: Any = json.loads(file.read_text(encoding="utf-8-sig"))
    except json.JSONDecodeError as cause:
        raise InvalidPersona(file, cause.lineno, f"not JSON: {cause.msg}") from cause
    except (ValueError, RecursionError) as cause:  # a number with thousands of digits raises ValueError too
        raise InvalidPersona(file, 1, "the file is not JSON in UTF-8") from cause
    if not isinstance(given, dict):
        raise InvalidPersona(file, 1, f"write one object with {_HINT}")
    try:
        return CuratedMedia.model_validate(given)
    except ValidationError as wrong:
        first = wrong.errors()[0]
        field = str(first["loc"][0]) if first["loc"] else "unique_id"
        why = first["msg"].removeprefix("Value error, ")
        raise InvalidPersona(file, _line(file, field), f"{field}: {why} (known: {_HINT})") from wrong


def _line(file: Path, field: str) -> int:
    """Return the line of a field; 1 if the file does not contain the field."""
    lines = file.read_text(encoding="utf-8-sig").splitlines()
    return next((number for number, line in enumerate(lines, 1) if f'"{field}"' in line), 1)
