"""/unmute: an end to the silence that /mute began."""

from shared.commands.command import Command, CommandRequest, CommandResponse

NOT_MUTED = "I am not muted here."
UNMUTED = "I answer again."


def respond(request: CommandRequest) -> CommandResponse:
    """That the agent answers again, if it was muted."""
    if not request.chat.is_muted(request.now):
        return CommandResponse(text=NOT_MUTED)
    return CommandResponse(text=UNMUTED, changes={"muted_until": None})


COMMAND = Command(
    name="unmute",
    order=70,
    descriptions={"en": "Let me answer again", "de": "Mich wieder antworten lassen", "uk": "Дозволити відповідати"},
    for_administrators=True,
    respond=respond,
)
