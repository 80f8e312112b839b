"""The variables of prompt files: `{chatname}` and the like, replaced in one pass."""

import re
from collections.abc import Mapping

VARIABLES = frozenset({
    "chatname", "chatid", "chattype",
    "username", "userfullname", "userid",
    "timestamp", "date", "time",
    "botname", "botusername",
})  # fmt: skip

#: a variable is a lone lower-case word in braces; JSON and code in a prompt look different
_VARIABLE = re.compile(r"(?<!\{)\{([a-z_]+)\}(?!\})")


def unknown_variable(text: str) -> str:
    """The first variable of a text that lull does not know; empty if it knows all."""
    return next((name for name in _VARIABLE.findall(text) if name not in VARIABLES), "")


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with its variables replaced; what stands in a value is never replaced again."""
    return _VARIABLE.sub(lambda found: values.get(found[1], ""), text)
