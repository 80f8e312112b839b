"""Commands: what a message that starts with one says, and whether it is the agent's; one rule, also for obeying."""

from shared.deciding.circumstances import Circumstances
from shared.deciding.talk import spoken_before
from shared.models.chat import ChatKind
from shared.models.message import Message
from shared.models.text import WrittenCommand, command_in


def written_command(message: Message) -> WrittenCommand | None:
    """The command that the message starts with; none if Telegram sees none there, or if it is a path.

    A command of somebody else's that is only forwarded commands nothing.
    """
    return None if message.is_of_others_words else command_in(message.text, message.entities)


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
    if message.replied_to is not None and message.replied_to.is_agent:
        return True
    bots = [m.author for m in spoken_before(message, given.earlier) if m.author.is_bot]
    return not bots or bots[-1].is_agent
