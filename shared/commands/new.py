"""/new: another conversation. It begins in the commit that answers the command."""

from shared.commands.command import Command, CommandRequest, CommandResponse, always

BEGUN = "This is a new conversation. The one before is kept, and I don't look back at it."
NOT_READ = "I did not read what you wrote behind /new: please write it again."


def respond(request: CommandRequest) -> CommandResponse:
    """That another conversation begins; it keeps the model of the one that is left."""
    return CommandResponse(text=f"{BEGUN} {NOT_READ}" if request.argument else BEGUN)


COMMAND = Command(
    name="new",
    order=30,
    descriptions={
        "en": "Begin another conversation",
        "de": "Ein neues Gespräch beginnen",
        "uk": "Почати нову розмову",
    },
    for_administrators=True,
    ends_plan=always,
    begins_conversation=True,
    respond=respond,
)
