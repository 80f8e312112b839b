"""/help: the commands that work in this chat, in the person's language."""

from shared.base.wording.words import Phrase, bullet_list, join_phrases
from shared.commands.command import Audience, Command, CommandRequest, CommandResponse, verbatim
from shared.commands.registry import commands


def respond(request: CommandRequest) -> CommandResponse:
    """Return the list of the commands that work in this chat."""
    lines = [_line(command, request) for command in commands() if command.is_named_to(request.trust, request.chat.kind)]
    return CommandResponse(text=join_phrases(request.words.say("help.heading"), bullet_list(*lines), by="\n\n"))


def _line(command: Command, request: CommandRequest) -> Phrase:
    words = request.words
    usage, description = verbatim(command.usage(words)), command.description(words)
    if command.audience is Audience.ADMINISTRATORS and not request.chat.kind.is_of_one:
        return words.say("help.line_for_administrators", usage=usage, description=description)
    return words.say("help.line", usage=usage, description=description)


COMMAND = Command(name="help", order=20, respond=respond)
