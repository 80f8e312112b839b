"""Names of messages: unique words in the messages of a measure, which the answers repeat."""

import itertools
import re

NAME = re.compile(r"\bL\d+\b")
_numbers = itertools.count(1)


def new_name() -> str:
    """Return a name that no other message of this process has."""
    return f"L{next(_numbers)}"


def names_in(text: str) -> list[str]:
    """Return the names in a text in order, each once."""
    return list(dict.fromkeys(NAME.findall(text)))
