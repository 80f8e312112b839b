"""/unmute: an end to the silence that /mute began."""

from shared.commands.command import Command, CommandRequest, CommandResponse


def respond(request: CommandRequest) -> CommandResponse:
    """That the agent answers again, if it was muted."""
    if not request.chat.is_muted(request.now):
        return CommandResponse(text=request.words.say("unmute.not_muted"))
    return CommandResponse(text=request.words.say("unmute.done"), changes={"muted_until": None})


COMMAND = Command(
    name="unmute",
    order=70,
    for_administrators=True,
    respond=respond,
)
