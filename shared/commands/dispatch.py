"""What lull does about a command or a press: its effect, if it has one, and then its response."""

from dataclasses import dataclass, replace

from shared.commands.command import CommandRequest, CommandResponse, Permission, verbatim
from shared.commands.parse import Invocation
from shared.commands.registry import commands
from shared.ports.outside import Ports

NO_BUTTON = "This button does not do anything any more."
OTHER_CONVERSATION = "This button belongs to another conversation. Send the command again for this one."


@dataclass(frozen=True, kw_only=True)
class Dispatcher:
    """The ports to give to the effects of commands that need some. Raises PortMissing if one needs another."""

    ports: Ports

    def __post_init__(self) -> None:
        """Find out now, and not when somebody writes it, that an effect could not happen."""
        for command in commands():
            command.ports_of(self.ports)

    async def effect_of(self, invocation: Invocation, request: CommandRequest) -> object:
        """What the effect of the command, or of its press, returned; none if it has none, and if it is not permitted.

        Raises what its ports raise. It may be repeated.
        """
        command = invocation.command
        if command is None or invocation.permission is not Permission.GRANTED:
            return None
        effect = command.effect if invocation.button is None else command.press_effect
        return await effect(_asked(request, invocation), command.ports_of(self.ports)) if effect is not None else None

    def response_to(self, invocation: Invocation, request: CommandRequest) -> CommandResponse:
        """What is done about a command or a press; who may not use it is told so, and nothing changes."""
        command = invocation.command
        if invocation.button is not None:
            return _pressed(invocation, invocation.button.conversation, request)
        if invocation.permission is not Permission.GRANTED:
            return CommandResponse(text=refusal(invocation))
        return command.respond(_asked(request, invocation)) if command else unknown(invocation.name)


def _asked(request: CommandRequest, invocation: Invocation) -> CommandRequest:
    named = invocation.button.conversation if invocation.button is not None else ""
    return replace(request, argument=invocation.argument, language=invocation.language, named=named)


def _pressed(invocation: Invocation, conversation: str, request: CommandRequest) -> CommandResponse:
    command = invocation.command
    if command is None or command.press is None:
        return CommandResponse(notice=NO_BUTTON)
    if invocation.permission is not Permission.GRANTED:
        return CommandResponse(notice=refusal(invocation))
    if conversation != request.chat.conversation and not command.is_for_any_conversation:
        return CommandResponse(notice=OTHER_CONVERSATION)
    return command.press(_asked(request, invocation))


def refusal(invocation: Invocation) -> str:
    """What somebody is told who may not use a command, or of whom it is not known."""
    if invocation.permission is Permission.DENIED:
        return f"Only administrators of this group may use /{invocation.name}."
    return f"I could not find out whether you administer this group. Please try /{invocation.name} again in a while."


def unknown(name: str) -> CommandResponse:
    """The response to a command that does not exist."""
    return CommandResponse(text=f"I have no command /{verbatim(name)}. /help shows those that I have.")
