"""/new: begins another conversation, in the same commit that stores the response."""

from shared.base.wording.words import SILENCE
from shared.commands.command import Audience, Command, CommandRequest, CommandResponse, PlanCancellation


def respond(request: CommandRequest) -> CommandResponse:
    """Return the response that begins another conversation with the same model.

    If there is an argument, it becomes the first message of that conversation. The response then has no text, since the
    agent's answer shows that the command worked.
    """
    return CommandResponse(
        text=SILENCE if request.argument else request.words.say("new.begun"), begins_conversation=True
    )


COMMAND = Command(
    name="new",
    order=30,
    takes_argument=True,
    audience=Audience.ADMINISTRATORS,
    plan_cancellation=PlanCancellation(says_rest=True, changes_conversation=True),
    respond=respond,
)
