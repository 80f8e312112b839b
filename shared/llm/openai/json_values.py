"""Functions that read JSON of any shape: missing values, and values of the wrong type, are read as empty."""

import json
from typing import Any, Final, TypeAlias

from shared.base.text import well_formed

Json: TypeAlias = dict[str, Any]
#: more tokens than any call takes
MOST_TOKENS: Final = 10_000_000


def parse_json(content: bytes) -> object:
    """Parse an answer's body as JSON; None if it is empty. Raises ValueError or RecursionError for other content."""
    return json.loads(content) if content.strip() else None


def well_formed_json(value: Any) -> Any:
    """Return a value whose texts can be written as UTF-8: lone surrogates, which JSON may contain, are replaced."""
    text = json.dumps(value, ensure_ascii=False)
    clean = well_formed(text)
    return value if clean == text else json.loads(clean)


def as_object(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def as_text(value: object) -> str:
    return value if isinstance(value, str) else ""


def is_count(value: object) -> bool:
    """Return whether a value is a plausible token count."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS


def as_count(value: object) -> int:
    return value if isinstance(value, int) and is_count(value) else 0
