"""/new: another conversation, which may begin with words. It begins in the commit that answers the command."""

from shared.base.wording.words import SILENCE
from shared.commands.command import Audience, Command, CommandRequest, CommandResponse, PlanCancellation


def respond(request: CommandRequest) -> CommandResponse:
    """That another conversation begins; it keeps the model of the one that is left.

    Words behind the command are its first message: their answer says enough.
    """
    return CommandResponse(
        text=SILENCE if request.argument else request.words.say("new.begun"), begins_conversation=True
    )


COMMAND = Command(
    name="new",
    order=30,
    takes_argument=True,
    audience=Audience.ADMINISTRATORS,
    plan_ending=PlanCancellation(says_rest=True, changes_conversation=True),
    respond=respond,
)
