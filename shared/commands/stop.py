"""/stop: cancels the current plan. It takes effect at once, since the webhook itself recognises this command."""

from shared.commands.command import Command, CommandRequest, CommandResponse, PlanCancellation


def respond(request: CommandRequest) -> CommandResponse:
    """Return a text about what was stopped: the plan, or only the buttons offered to the author."""
    words = request.words
    if request.is_busy:
        return CommandResponse(text=words.say("stop.stopped"))
    return CommandResponse(text=words.say("stop.buttons") if request.has_buttons else words.say("stop.nothing"))


COMMAND = Command(
    name="stop",
    order=50,
    plan_cancellation=PlanCancellation(withdraws_offers=True),
    respond=respond,
)
