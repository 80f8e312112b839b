"""Runs a command or a button press: first the effect, if there is one, then the response."""

from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Final

from shared.base.wording.words import Phrase, Words
from shared.commands.command import Audience, Command, CommandRequest, CommandResponse, Permission, Scope, verbatim
from shared.commands.parse import CommandInvocation
from shared.commands.registry import commands
from shared.llm.ports.world import PortRegistry

#: the least similarity (difflib's ratio, 0 to 1) to suggest a command: one letter is wrong or misplaced
LEAST_LIKENESS: Final = 0.75


@dataclass(frozen=True, kw_only=True)
class Dispatcher:
    """Runs commands, whose effects get `ports` (stores and services). Raises PortMissing if one is missing."""

    ports: PortRegistry

    def __post_init__(self) -> None:
        """Check the ports when the dispatcher is created, not only when somebody uses a command."""
        for command in commands():
            command.ports_of(self.ports)

    async def effect_of(self, invocation: CommandInvocation, request: CommandRequest) -> object:
        """Run the effect of a command or a button press, and return its result.

        None if there is no effect, or if the author may not use the command. Also None for a button that is not from
        the chat's current conversation, unless the command accepts buttons of any conversation. The call may be
        repeated. Raises the errors of the command's ports.
        """
        command = invocation.command
        if command is None or invocation.permission is not Permission.GRANTED or _is_for_groups_alone(command, request):
            return None
        if invocation.button is not None and _is_elsewhere(command, invocation.button.conversation, request):
            return None
        does = command if invocation.button is None else command.press
        effect = does.effect if does is not None else None
        return (
            await effect(_to_request(request, invocation), command.ports_of(self.ports)) if effect is not None else None
        )

    def response_to(self, invocation: CommandInvocation, request: CommandRequest) -> CommandResponse:
        """Return the response to a command or a button press, or a refusal for people who may not use the command."""
        command, asked = invocation.command, _to_request(request, invocation)
        if invocation.button is not None:
            return _press_response(invocation, invocation.button.conversation, asked)
        if invocation.permission is not Permission.GRANTED:
            return CommandResponse(text=refusal(invocation, asked.words))
        if command is None or _is_for_groups_alone(command, request):
            return unknown_command_response(invocation.name, asked)
        return command.respond(asked)


def _is_for_groups_alone(command: Command, request: CommandRequest) -> bool:
    """Return whether the command works only in groups and this chat is private."""
    return command.scope is Scope.GROUP and request.chat.kind.is_of_one


def _to_request(request: CommandRequest, invocation: CommandInvocation) -> CommandRequest:
    named = invocation.button.conversation if invocation.button is not None else ""
    return replace(request, argument=invocation.argument, language=invocation.language, named=named)


def _press_response(invocation: CommandInvocation, conversation: str, request: CommandRequest) -> CommandResponse:
    command, words = invocation.command, request.words
    if command is None or command.press is None:
        is_others = invocation.permission is not Permission.GRANTED
        return CommandResponse(notice=words.say("button.others") if is_others else words.say("button.gone"))
    if invocation.permission is not Permission.GRANTED:
        return CommandResponse(notice=refusal(invocation, words))
    if _is_elsewhere(command, conversation, request):
        return CommandResponse(notice=words.say("button.other_conversation"))
    return command.press.respond(request)


def _is_elsewhere(command: Command, conversation: str, request: CommandRequest) -> bool:
    """Return whether a button is not from the chat's current conversation, although the command requires this."""
    is_for_any = command.press is not None and command.press.is_for_any_conversation
    return conversation != request.chat.conversation and not is_for_any


def refusal(invocation: CommandInvocation, words: Words) -> Phrase:
    """Return the text for a person who may not use a command, or whose permission could not be checked."""
    if invocation.command is not None and invocation.command.audience is Audience.OWNER:
        return words.say("permission.owner", command=f"/{invocation.name}")
    if invocation.permission is Permission.DENIED:
        return words.say("permission.denied", command=f"/{invocation.name}")
    return words.say("permission.unknown", command=f"/{invocation.name}")


def unknown_command_response(name: str, request: CommandRequest) -> CommandResponse:
    """Return the response to an unknown command. If another command has a similar name, the response suggests it."""
    words, written = request.words, f"/{verbatim(name)}"
    named = [command.name for command in commands() if command.is_named_to(request.trust, request.chat.kind)]
    if meant := get_close_matches(name, named, n=1, cutoff=LEAST_LIKENESS):
        return CommandResponse(text=words.say("command.unknown_meant", command=written, meant=f"/{meant[0]}"))
    return CommandResponse(text=words.say("command.unknown", command=written))
