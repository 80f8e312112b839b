"""A markdown file with YAML in front, between two lines of `---`."""

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from itertools import takewhile
from pathlib import Path
from typing import Any

import yaml

from shared.errors import AgentUnreadable

FENCE = "---"


def read_file(file: Path) -> tuple[dict[str, Any], str]:
    """The front matter (empty if there is none) and the text below it. Raises AgentUnreadable with file and line."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as cause:
        raise AgentUnreadable(file, 1, "the file is not UTF-8 text; save it as UTF-8") from cause
    except OSError as cause:
        raise AgentUnreadable(file, 1, f"the file cannot be read ({cause.strerror})") from cause
    lines = text.splitlines()
    if not lines or lines[0].strip() != FENCE:
        return {}, text.strip()
    end = next((n for n, line in enumerate(lines[1:], 1) if line.strip() == FENCE), None)
    if end is None:
        raise AgentUnreadable(file, 1, f"the front matter that starts here is never closed by a line of {FENCE}")
    return _yaml(file, "\n".join(lines[1:end])), "\n".join(lines[end + 1 :]).strip()


def _yaml(file: Path, text: str) -> dict[str, Any]:
    try:
        found = yaml.safe_load(text)
        root = yaml.compose(text, yaml.SafeLoader)
    except yaml.MarkedYAMLError as cause:
        mark = cause.problem_mark
        raise AgentUnreadable(file, (mark.line if mark else 0) + 2, f"not YAML: {cause.problem}") from cause
    except (yaml.YAMLError, ValueError) as cause:  # a date that there is not is a ValueError
        raise AgentUnreadable(file, 2, "not YAML") from cause
    if not isinstance(found, dict | None):
        raise AgentUnreadable(file, 2, "the front matter must be `name: value` lines")
    if isinstance(root, yaml.MappingNode):
        _check_once(file, root)
    return {str(name): value for name, value in (found or {}).items()}


def _check_once(file: Path, root: yaml.MappingNode) -> None:
    """A key that is written twice would silently have its last value."""
    seen: set[str] = set()
    for key, _ in root.value:
        if key.value in seen:
            why = f"{key.value!r} is written a second time here; leave one of the two out"
            raise AgentUnreadable(file, key.start_mark.line + 2, why)
        seen.add(key.value)


def check_keys(file: Path, fields: Mapping[str, Any], known: Collection[str]) -> None:
    """Raises AgentUnreadable for a field that is none of those that are known, which it names."""
    for name in fields:
        if name not in known:
            why = f"there is no key {name!r} here{nearest(name, known)}"
            raise AgentUnreadable(file, line_of(file, name), f"{why} (known: {', '.join(known) or 'none'})")


def nearest(written: str, known: Collection[str]) -> str:
    """`; did you mean 'unlocks'?`, for something nearly written so; else empty."""
    near = get_close_matches(written.lower(), known, n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def line_of(file: Path, name: str) -> int:
    """The line on which a field of the front matter stands; 1 if it does not."""
    lines = file.read_text(encoding="utf-8-sig").splitlines()
    head = takewhile(lambda numbered: numbered[0] == 1 or numbered[1].strip() != FENCE, enumerate(lines, 1))
    return next((n for n, line in head if line.startswith(f"{name}:")), 1)
