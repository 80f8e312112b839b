"""Which messages and which presses of buttons are commands of lull's."""

import re
from dataclasses import dataclass
from enum import StrEnum

from shared.commands.declared import BY_NAME
from shared.commands.muting import length_of
from shared.commands.verbatim import visible
from shared.deciding.circumstances import Circumstances
from shared.deciding.commanding import is_agents, written_command
from shared.models.message import Message, Press
from shared.models.registration import LINK_MARK, Claim

#: what a button of lull's carries: the command, the conversation that it is for, and the choice
_CARRIED = re.compile(r"(\w{1,32}):(conv-\w{1,32}):(\w{1,16})", re.ASCII)

#: what ends a sentence, or leads on, right behind a command: /help! or /title: Tea
_ENDING = re.compile(r"\A[.,:;!?…]+(?=\s|\Z)")


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
    #: of a command about the agent's owner, once that was found out
    claim: Claim | None = None

    @property
    def ends_plan(self) -> bool:
        """Whether what was planned ends with it; a /mute that says no time changes nothing, so it ends nothing."""
        is_misused = self.name == "mute" and self.argument != "" and length_of(self.argument) is None
        is_obeyed = self.permission is Permission.GRANTED and not is_misused
        return is_obeyed and self.name in BY_NAME and BY_NAME[self.name].ends_plan

    @property
    def begins_conversation(self) -> bool:
        """Whether another conversation begins with it."""
        return self.ends_plan and self.name == "new"


def command_of(message: Message, given: Circumstances) -> Command | None:
    """The command that a person's message is; none when it is something else, or not the agent's (`is_agents`).

    One that is not declared is a command all the same where nobody else would answer it, in a private chat or with the
    agent's username, if nothing but a blank follows.
    """
    written = written_command(message) if not message.author.is_bot else None
    if written is None or not is_agents(written, message, given):
        return None
    if written.name not in BY_NAME and not (written.rest == "" or written.rest[0].isspace()):
        return None
    argument = visible(_ENDING.sub("", written.rest))
    if written.name == "start" and argument.startswith(LINK_MARK):  # what opening the link sends
        return Command("claim", argument.removeprefix(LINK_MARK))
    return Command(written.name, argument)


def command_pressed(press: Press) -> Command:
    """The command that the press of a button is."""
    found = _CARRIED.fullmatch(press.data)
    name, conversation, argument = found.groups() if found is not None else ("", "", "")
    button = PressedButton(query_id=press.query_id, message_id=press.message_id, conversation=conversation)
    return Command(name, argument, button=button)
