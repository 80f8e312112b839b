"""Which messages and which presses of buttons are commands of lull's."""

import re
from dataclasses import dataclass
from enum import StrEnum

from shared.commands.declared import BY_NAME
from shared.models.chat import ChatKind
from shared.models.message import Message, Press

#: core.telegram.org/bots/features#commands; a slash behind it makes it a path: /etc/passwd
_COMMAND = re.compile(r"/(\w{1,32})(?:@(\w{4,32}))?(?![\w/@])", re.ASCII)
#: what a button of lull's carries: the command, the conversation that it is for, and the choice
_CARRIED = re.compile(r"(\w{1,32}):(conv-\w{1,32}):(\w{1,16})", re.ASCII)


class Permission(StrEnum):
    """Whether somebody may use a command where they wrote it."""

    GRANTED = "granted"
    #: only administrators may, and who wrote it is none
    DENIED = "denied"
    #: only administrators may, and Telegram does not say whether who wrote it is one
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class PressedButton:
    """What was pressed: the query that waits for an answer, below which message, and for which conversation."""

    query_id: str
    message_id: int
    conversation: str


@dataclass(frozen=True)
class Command:
    """A command and what was written behind it; of a press, what its button carried.

    A name that is not declared is a command that lull does not have, or a button that it does not know any more.
    """

    name: str
    argument: str = ""
    permission: Permission = Permission.GRANTED
    #: the app's language of who wrote it
    language: str = ""
    button: PressedButton | None = None

    @property
    def ends_plan(self) -> bool:
        """Whether what was planned ends with it."""
        return self.permission is Permission.GRANTED and self.name in BY_NAME and BY_NAME[self.name].ends_plan

    @property
    def begins_conversation(self) -> bool:
        """Whether another conversation begins with it."""
        return self.ends_plan and self.name == "new"


def command_of(message: Message, kind: ChatKind, username: str, *, is_addressed: bool) -> Command | None:
    """The command that a message is; none when it is something else, or meant for another bot.

    In a group a command without a bot's name is lull's only if it is declared and `is_addressed` says so, or when it
    replies to lull. One that is not declared is a command all the same in a private chat, or with lull's name, if
    nothing but a blank follows: nobody else would answer it.
    """
    starts = any(e.get("type") == "bot_command" and e.get("offset") == 0 for e in message.entities)
    found = _COMMAND.match(message.text) if starts and not message.author.is_bot else None
    if found is None:
        return None
    name, named = found[1].lower(), found[2]
    is_private = kind is ChatKind.PRIVATE
    if named is not None:
        is_ours = named.lower() == username.lower()
    else:
        is_ours = is_private or (name in BY_NAME and (is_addressed or _replies_to_agent(message)))
    rest = message.text[found.end() :]
    if not is_ours or (name not in BY_NAME and not (rest == "" or rest[0].isspace())):
        return None
    return Command(name, rest.strip())


def command_pressed(press: Press) -> Command:
    """The command that the press of a button is."""
    found = _CARRIED.fullmatch(press.data)
    name, conversation, argument = found.groups() if found is not None else ("", "", "")
    button = PressedButton(query_id=press.query_id, message_id=press.message_id, conversation=conversation)
    return Command(name, argument, button=button)


def _replies_to_agent(message: Message) -> bool:
    return message.reply is not None and message.reply.author is not None and message.reply.author.is_agent
