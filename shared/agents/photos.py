"""The photos of a persona: `agents/<name>/photos/index.json`, and the files beside it."""

import json
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from shared.errors import AgentUnreadable
from shared.models.agent import OwnPhoto

INDEX: Final = "index.json"
SUFFIXES: Final = (".jpg", ".jpeg", ".png", ".webp")
#: what sendPhoto takes as bytes (core.telegram.org/bots/api#sending-files)
LARGEST: Final = 10_000_000
#: each is listed in every prompt
MOST: Final = 50
_FIELDS: Final = ("id", "file", "description")


def load_photos(folder: Path) -> tuple[OwnPhoto, ...]:
    """The photos in a persona's `photos` folder; none without an index. Raises AgentUnreadable with file and line."""
    index = folder / INDEX
    if not index.is_file():
        return ()
    try:
        found = json.loads(index.read_text(encoding="utf-8-sig"))
    except json.JSONDecodeError as cause:
        raise AgentUnreadable(index, cause.lineno, f"not JSON: {cause.msg}") from cause
    except (ValueError, RecursionError) as cause:  # also a number of thousands of digits
        raise AgentUnreadable(index, 1, "the file is not JSON in UTF-8") from cause
    if not isinstance(found, list) or len(found) > MOST:
        raise AgentUnreadable(index, 1, f"write a list of at most {MOST} photos: {{id, file, description}} each")
    photos = tuple(_photo(index, number, one) for number, one in enumerate(found, start=1))
    for number, photo in enumerate(photos, start=1):
        if photo.id in (other.id for other in photos[: number - 1]):
            raise AgentUnreadable(index, _line(index, number), f"photo {number}, id: {photo.id!r} is another's already")
    return photos


def _photo(index: Path, number: int, given: Any) -> OwnPhoto:
    line = _line(index, number)
    if not isinstance(given, dict) or set(given) != set(_FIELDS):
        raise AgentUnreadable(index, line, f"photo {number} must have exactly {', '.join(_FIELDS)}")
    name = given["file"]
    if not isinstance(name, str) or Path(name).name != name or Path(name).suffix.lower() not in SUFFIXES:
        raise AgentUnreadable(index, line, f"photo {number}, file: name a file beside this one ({', '.join(SUFFIXES)})")
    file = index.parent / name
    if not file.is_file() or not 0 < file.stat().st_size <= LARGEST:
        raise AgentUnreadable(index, line, f"photo {number}, file: {name} is missing, empty or larger than 10 MB")
    try:
        return OwnPhoto.model_validate({**given, "file": file})
    except ValidationError as wrong:
        first = wrong.errors()[0]
        why = f"photo {number}, {first['loc'][0]}: {first['msg']}"
        raise AgentUnreadable(index, line, why) from wrong


def _line(index: Path, number: int) -> int:
    """The line on which a photo begins, if each stands on lines of its own; else 1."""
    begins = [n for n, line in enumerate(index.read_text(encoding="utf-8-sig").splitlines(), 1) if "{" in line]
    return begins[number - 1] if number <= len(begins) else 1
