"""/stop: an end to what is being done. The webhook knows it by name, so that it is acted on at once."""

from shared.commands.command import Command, CommandRequest, CommandResponse, PlanCancellation


def respond(request: CommandRequest) -> CommandResponse:
    """What was stopped: what it was about to say or do, or only the buttons that it offered; they go in any case."""
    words = request.words
    if request.is_busy:
        return CommandResponse(text=words.say("stop.stopped"))
    return CommandResponse(text=words.say("stop.buttons") if request.has_buttons else words.say("stop.nothing"))


COMMAND = Command(
    name="stop",
    order=50,
    plan_ending=PlanCancellation(withdraws_offers=True),
    respond=respond,
)
