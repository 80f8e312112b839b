"""/stop: an end to what is being done. The webhook knows it by name, so that it is acted on at once."""

from shared.commands.command import Command, CommandRequest, CommandResponse, always


def respond(request: CommandRequest) -> CommandResponse:
    """Whether there was something to stop; it has been stopped already."""
    words = request.words
    return CommandResponse(text=words.say("stop.stopped") if request.is_busy else words.say("stop.nothing"))


COMMAND = Command(
    name="stop",
    order=50,
    ends_plan=always,
    respond=respond,
)
