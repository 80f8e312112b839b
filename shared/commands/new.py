"""/new: another conversation, which may begin with words. It begins in the commit that answers the command."""

from shared.commands.command import Command, CommandRequest, CommandResponse, always

BEGUN = "This is a new conversation. The one before is kept, and I don't look back at it."


def respond(request: CommandRequest) -> CommandResponse:
    """That another conversation begins; it keeps the model of the one that is left.

    Words behind the command are its first message: their answer says enough.
    """
    return CommandResponse(text="" if request.argument else BEGUN, begins_conversation=True)


COMMAND = Command(
    name="new",
    order=30,
    descriptions={
        "en": "Begin another conversation",
        "de": "Ein neues Gespräch beginnen",
        "uk": "Почати нову розмову",
    },
    usage="/new [words]",
    for_administrators=True,
    ends_plan=always,
    says_rest=True,
    begins_conversation=True,
    respond=respond,
)
