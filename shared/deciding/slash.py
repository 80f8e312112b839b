"""What is written as a command: one definition for the webhook, which has only the raw update, and for the tick."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

#: core.telegram.org/bots/features#commands; a slash behind it makes it a path: /etc/passwd
_COMMAND = re.compile(r"/(\w{1,32})(?:@(\w{4,32}))?(?![\w/@])", re.ASCII)


@dataclass(frozen=True)
class WrittenCommand:
    """A command as it was written: in small letters its name and the username it is for, if one is given; the rest."""

    name: str
    username: str = ""
    rest: str = ""


def command_in(text: str, entities: Iterable[Mapping[str, Any]]) -> WrittenCommand | None:
    """The command that a text starts with; none if Telegram sees none there, or if it is a path."""
    starts = any(e.get("type") == "bot_command" and e.get("offset") == 0 for e in entities)
    found = _COMMAND.match(text) if starts else None
    if found is None:
        return None
    return WrittenCommand(found[1].lower(), (found[2] or "").lower(), text[found.end() :])
