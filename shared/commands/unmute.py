"""/unmute: ends the silence that /mute began."""

from shared.commands.command import Audience, Command, CommandRequest, CommandResponse
from shared.values.chat import ChatChanges
from shared.values.trust import TrustTier


def respond(request: CommandRequest) -> CommandResponse:
    """Return the response that unmutes the chat. Its text says what changed, or why the agent stays silent."""
    words, is_muted = request.words, request.chat.is_muted(request.now)
    changes: ChatChanges = {"muted_until": None} if is_muted else {}
    if not request.is_admitted:
        is_owner = request.trust is TrustTier.OWNER  # the owner is answered wherever the agent answers anybody
        why = words.say("wake.silent_everywhere") if is_owner else words.say("wake.not_let_in")
        return CommandResponse(text=why, changes=changes)
    done = words.say("unmute.done") if is_muted else words.say("unmute.not_muted")
    return CommandResponse(text=done, changes=changes)


COMMAND = Command(
    name="unmute",
    order=70,
    audience=Audience.ADMINISTRATORS,
    ends_silence=True,
    respond=respond,
)
