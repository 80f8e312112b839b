"""/start: who the agent is and what it does. A link to the bot may stand for another command (`Command.link_mark`)."""

from shared.commands.command import Command, CommandRequest, CommandResponse, Scope, verbatim
from shared.models.chat_key import ChatKind
from shared.wording.words import joined


def respond(request: CommandRequest) -> CommandResponse:
    """Who it is and what it can do, whatever a link put behind the command."""
    words = request.words
    who = words.say("start.hello", name=verbatim(request.person.name), agent=verbatim(request.agent))
    is_alone = request.chat.kind is ChatKind.PRIVATE
    what = words.say("start.alone") if is_alone else words.say("start.among_others")
    return CommandResponse(text=joined(joined(who, what), words.say("start.help"), by="\n\n"))


COMMAND = Command(
    name="start",
    order=10,
    scope=Scope.PRIVATE,
    is_said_once=True,
    respond=respond,
)
