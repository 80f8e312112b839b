"""Commands: what a message that starts with one says, and whether it is the agent's; one rule, also for obeying."""

import re
from dataclasses import dataclass

from shared.deciding.circumstances import Circumstances
from shared.deciding.talk import spoken_before
from shared.models.chat import ChatKind
from shared.models.message import Message

#: core.telegram.org/bots/features#commands; a slash behind it makes it a path: /etc/passwd
_COMMAND = re.compile(r"/(\w{1,32})(?:@(\w{4,32}))?(?![\w/@])", re.ASCII)


@dataclass(frozen=True)
class WrittenCommand:
    """A command as it was written: in small letters its name and the username it is for, if one is given; the rest."""

    name: str
    username: str = ""
    rest: str = ""


def written_command(message: Message) -> WrittenCommand | None:
    """The command that the message starts with; none if Telegram sees none there, or if it is a path."""
    starts = any(e.get("type") == "bot_command" and e.get("offset") == 0 for e in message.entities)
    found = _COMMAND.match(message.text) if starts else None
    if found is None:
        return None
    return WrittenCommand(found[1].lower(), (found[2] or "").lower(), message.text[found.end() :])


def is_agents(command: WrittenCommand, message: Message, given: Circumstances) -> bool:
    """Whether a command is the agent's: by its username, or in a private chat.

    In a group one without a username is the agent's if it has such a command, and if the message replies to the agent
    or no other bot was the last to speak. Telegram too gives such a command to the bot that spoke last
    (core.telegram.org/bots/features#privacy-mode).
    """
    if command.username:
        return command.username == given.me.username.casefold()
    if given.kind is ChatKind.PRIVATE:
        return True
    if command.name not in given.me.commands:
        return False
    if message.reply is not None and message.reply.author is not None and message.reply.author.is_agent:
        return True
    bots = [m.author for m in spoken_before(message, given.earlier) if m.author.is_bot]
    return not bots or bots[-1].is_agent
