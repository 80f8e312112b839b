"""Names of messages: what is unique in a text that a measure has people write, and what an answer repeats."""

import itertools
import re

NAME = re.compile(r"\bL\d+\b")
_numbers = itertools.count(1)


def new_name() -> str:
    """A name that no other message of this process has."""
    return f"L{next(_numbers)}"


def names_in(text: str) -> list[str]:
    """The names in a text, each once, in their order."""
    return list(dict.fromkeys(NAME.findall(text)))
