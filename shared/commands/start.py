"""/start: introduces the agent. A link to the bot may run another command instead (`DeepLink.link_mark`)."""

from shared.base.wording.words import SILENCE, Phrase, join_phrases
from shared.commands.command import Command, CommandRequest, CommandResponse, Scope, verbatim
from shared.values.trust import TrustTier


def respond(request: CommandRequest) -> CommandResponse:
    """Return the agent's introduction. Any text that a link put after the command is ignored."""
    words = request.words
    who = words.say("start.hello", name=verbatim(request.person.name), agent=verbatim(request.agent.name))
    console = words.say("start.console") if request.trust is TrustTier.OWNER else SILENCE
    help_line = join_phrases(words.say("start.help"), console)
    return CommandResponse(text=join_phrases(join_phrases(who, _when(request)), help_line, by="\n\n"))


def _when(request: CommandRequest) -> Phrase:
    """Return a sentence: which messages the agent answers here, or why it answers none."""
    words = request.words
    if not request.is_admitted:  # then only its owner is greeted
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
