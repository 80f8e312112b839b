"""/export: everything that is kept of whoever asks, gathered in the background and sent to them as files."""

from functools import partial
from typing import Final

from shared.commands.command import Audience, Command, CommandRequest, CommandResponse
from shared.models.button_data import button_data
from shared.models.channel import Button
from shared.models.chat_key import ChatKind
from shared.models.takeout import Takeout, TakeoutState
from shared.ports.world import Ports
from shared.takeout.desk import TakeoutDesk
from shared.wording.words import Phrase

#: what the button carries by which somebody asks how far it is
PROGRESS: Final = "p"


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
    if takeout.state is not TakeoutState.GATHERING:
        return CommandResponse(text=_told(takeout, request))
    here = partial(button_data, "export", request.chat.conversation)
    return CommandResponse(
        text=_told(takeout, request), buttons=(Button(words.say("takeout.how_far"), here(PROGRESS)),)
    )


def _told(takeout: Takeout, request: CommandRequest) -> Phrase:
    words = request.words
    match takeout.state:
        case TakeoutState.GATHERING if not takeout.parts:
            return words.say("takeout.begun")
        case TakeoutState.GATHERING:
            return words.say("takeout.gathering", total=takeout.total, done=takeout.done)
        case TakeoutState.READY:
            return words.say("takeout.ready")
        case TakeoutState.FAILED:
            return words.say("takeout.failed")
        case TakeoutState.CLEARED:
            when = f"{takeout.again_at.astimezone(request.zone):%Y-%m-%d %H:%M} ({request.zone})"
            return words.say("takeout.wait", time=when)


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
