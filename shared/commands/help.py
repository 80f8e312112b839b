"""/help: what works in this chat, in the person's language."""

from shared.commands.command import FALLBACK, Command, CommandRequest, CommandResponse, verbatim
from shared.commands.registry import commands
from shared.models.chat import ChatKind

FOR_ADMINISTRATORS = {"en": "administrators", "de": "Administratoren", "uk": "адміністратори"}


def respond(request: CommandRequest) -> CommandResponse:
    """A line for each command that is for such a chat."""
    heading = f"{COMMAND.description(request.language)}:"
    lines = [_line(command, request) for command in commands() if command.is_for(request.chat.kind)]
    return CommandResponse(text="\n".join((f"{heading}\n", *lines)))


def _line(command: Command, request: CommandRequest) -> str:
    is_limited = command.for_administrators and request.chat.kind is not ChatKind.PRIVATE
    who = FOR_ADMINISTRATORS.get(request.language.partition("-")[0], FOR_ADMINISTRATORS[FALLBACK])
    usage = verbatim(command.usage or f"/{command.name}")
    return f"- {usage} – {command.description(request.language)}{f' ({who})' if is_limited else ''}"


COMMAND = Command(
    name="help",
    order=20,
    descriptions={"en": "What works here", "de": "Was hier geht", "uk": "Що тут працює"},
    respond=respond,
)
