"""/export: everything that is kept of whoever asks, gathered in the background and sent to them as files."""

from shared.commands.command import Audience, Command, CommandRequest, CommandResponse
from shared.models.chat_key import ChatKind
from shared.models.takeout import Takeout
from shared.ports.world import Ports
from shared.takeout.desk import TakeoutDesk
from shared.takeout.progress import buttons_of, told


async def asked(request: CommandRequest, ports: Ports) -> Takeout | None:
    """The takeout as it stands from now on; none: nobody can ask here. It may be repeated."""
    chat = request.chat
    if chat.kind is not ChatKind.PRIVATE or request.person.id != chat.key.chat_id:
        return None
    return await ports[TakeoutDesk].ask(chat.key, request.language or chat.last_language, request.now)


def respond(request: CommandRequest) -> CommandResponse:
    """How far it is, with a button that tells it anew while it is being gathered."""
    takeout, words = request.result, request.words
    if request.chat.kind is not ChatKind.PRIVATE:
        return CommandResponse(text=words.say("takeout.in_private"))
    if not isinstance(takeout, Takeout):
        return CommandResponse(text=words.say("takeout.off"))
    return CommandResponse(
        text=told(takeout, words, request.zone),
        buttons=buttons_of(takeout, words, request.chat.conversation),
        shows="" if takeout.is_over else takeout.run,
    )


COMMAND = Command(
    name="export",
    order=87,
    audience=Audience.EVERYONE,
    respond=respond,
    press=respond,
    is_for_any_conversation=True,
    effect=asked,
    press_effect=asked,
    needs=(TakeoutDesk,),
)
