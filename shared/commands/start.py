"""/start: who the agent is and what it does. A link to the bot may stand for another command (`Command.link_mark`)."""

from shared.commands.command import Command, CommandRequest, CommandResponse, Scope, verbatim
from shared.models.chat import ChatKind

ALONE = "Write to me as you would to a person: I wait until you have finished, and then I answer."
AMONG_OTHERS = "I answer here when I am meant: when you mention me, reply to me, or go on with what I said."


def respond(request: CommandRequest) -> CommandResponse:
    """Who it is and what it can do, whatever a link put behind the command."""
    who = f"Hello {verbatim(request.person.name)}, I am {verbatim(request.agent)}."
    what = ALONE if request.chat.kind is ChatKind.PRIVATE else AMONG_OTHERS
    return CommandResponse(text=f"{who} {what}\n\n/help shows what else works here.")


COMMAND = Command(
    name="start",
    order=10,
    descriptions={"en": "Who I am", "de": "Wer ich bin", "uk": "Хто я"},
    scope=Scope.PRIVATE,
    respond=respond,
)
