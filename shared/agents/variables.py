"""The variables of prompt files: `{chatname}` and the like, replaced in one pass."""

import re
from collections.abc import Mapping

#: the same in every plan of a chat, and chosen by nobody who writes there: these are filled in where they stand
STABLE = frozenset({"chatid", "chattype", "botname", "botusername", "tools"})

#: these stay as they are written, and the end of the prompt says what they mean: a value that changes would cost the
#: cached beginning of the prompt with every change, and one that people choose has no place among instructions
CHANGING = frozenset({
    "chatname", "membercount",
    "username", "userfullname", "userid", "user_pronouns", "user_memories",
    "timestamp", "date", "time",
})  # fmt: skip

VARIABLES = STABLE | CHANGING

#: a variable is a lone lower-case word in braces; JSON and code in a prompt look different
_VARIABLE = re.compile(r"(?<!\{)\{([a-z_]+)\}(?!\})")


def unknown_variable(text: str) -> str:
    """The first variable of a text that lull does not know; empty if it knows all."""
    return next((name for name in _VARIABLE.findall(text) if name not in VARIABLES), "")


def variables_in(text: str) -> tuple[str, ...]:
    """The names of the variables that stand in a text, each once, in its order."""
    return tuple(dict.fromkeys(_VARIABLE.findall(text)))


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with the variables replaced that have a value; what stands in a value is never replaced again."""
    return _VARIABLE.sub(lambda found: values.get(found[1], found[0]), text)
