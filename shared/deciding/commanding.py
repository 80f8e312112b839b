"""Commands: which one a message starts with, and whether it is the agent's. Deciding and running use the same rule."""

from shared.deciding.circumstances import Circumstances
from shared.deciding.talk import spoken_before
from shared.models.chat import ChatKind
from shared.models.message import Message
from shared.models.text import WrittenCommand, command_in


def written_command(message: Message) -> WrittenCommand | None:
    """The command that the message starts with. None if Telegram sees none, if it is a path, or if it is forwarded."""
    return None if message.is_of_others_words else command_in(message.text, message.entities)


def is_agents(command: WrittenCommand, message: Message, given: Circumstances) -> bool:
    """Whether a command is for the agent: by its username, or because the chat is private.

    In a group a command without a username is for the agent if the agent has such a command, and either the message
    replies to the agent or no other bot has spoken since the agent did. Telegram, too, gives such a command to the bot
    that spoke last (core.telegram.org/bots/features#privacy-mode).
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
