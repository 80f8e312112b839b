"""Names of messages: each message of a measure contains a unique word, and the model's answers repeat these words."""

import itertools
import re

NAME = re.compile(r"\bL\d+\b")
_numbers = itertools.count(1)


def new_name() -> str:
    """Return a name that this process has given to no other message."""
    return f"L{next(_numbers)}"


def names_in(text: str) -> list[str]:
    """Return the names in a text in order, each once."""
    return list(dict.fromkeys(NAME.findall(text)))
