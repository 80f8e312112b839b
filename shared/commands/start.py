"""/start: introduces the agent. A link to the bot may run another command (`DeepLink.link_mark`)."""

from shared.base.wording.words import Phrase, join_phrases
from shared.commands.command import Command, CommandRequest, CommandResponse, Scope, verbatim


def respond(request: CommandRequest) -> CommandResponse:
    """Introduce the agent, whatever a link put behind the command."""
    words = request.words
    who = words.say("start.hello", name=verbatim(request.person.name), agent=verbatim(request.agent.name))
    return CommandResponse(text=join_phrases(join_phrases(who, _when(request)), words.say("start.help"), by="\n\n"))


def _when(request: CommandRequest) -> Phrase:
    """Return when the agent answers."""
    words = request.words
    if not request.is_admitted:  # only its owner is greeted then
        return words.say("wake.silent_everywhere")
    if request.chat.is_muted(request.now):
        return words.say("start.silent")
    is_alone = request.chat.kind.is_of_one
    return words.say("start.alone") if is_alone else words.say("start.among_others")


COMMAND = Command(
    name="start",
    order=10,
    scope=Scope.PRIVATE,
    is_said_once=True,
    respond=respond,
)
