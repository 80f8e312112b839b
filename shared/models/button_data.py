"""What a button of a command carries: the command, the conversation and the choice; written and read here alone."""

import re
from typing import Final

#: the commands whose messages tell what strangers wrote and are called, apart from every conversation
TELLS_APART: Final = frozenset({"people", "requests"})
#: at most 64 bytes (core.telegram.org/bots/api#inlinekeyboardbutton); a conversation's id has 31
_CARRIED: Final = re.compile(r"(\w{1,32}):(conv-\w{1,32}):(\w{1,18})", re.ASCII)


def button_data(command: str, conversation: str, argument: str) -> str:
    """What a button carries. `argument` is what the command's `press` is asked: up to 18 letters, digits and `_`."""
    return f"{command}:{conversation}:{argument}"


def read_button(data: str) -> tuple[str, str, str]:
    """The command, the conversation and the argument that a button carried; three empty texts for anything else."""
    found = _CARRIED.fullmatch(data)
    return (found[1], found[2], found[3]) if found is not None else ("", "", "")
