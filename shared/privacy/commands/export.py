"""/export: everything that is kept of whoever asks, gathered in the background and sent to them as files."""

from dataclasses import dataclass

from shared.chat.store.people import FirestorePeople
from shared.commands.command import Audience, ButtonPress, Command, CommandRequest, CommandResponse
from shared.llm.ports.world import Ports
from shared.privacy.export.desk import TakeoutDesk, buttons_of, told
from shared.reminders.commands.zone import zone_of
from shared.values.chat_key import ChatKind
from shared.values.takeout import Takeout


@dataclass(frozen=True)
class ExportState:
    """The takeout as it stands, and the zone in which its moments are told."""

    takeout: Takeout
    zone: str = "UTC"


async def asked(request: CommandRequest, ports: Ports) -> ExportState | None:
    """The takeout as it stands from now on; none: nobody can ask here. It may be repeated."""
    chat = request.chat
    if chat.kind is not ChatKind.PRIVATE or request.person.id != chat.key.chat_id:
        return None
    takeout = await ports[TakeoutDesk].ask(chat.key, request.language or chat.locale.last_language, request.now)
    if takeout is None:
        return None
    is_dated = takeout.is_over or takeout.is_received
    return ExportState(takeout, await zone_of(request, ports)) if is_dated else ExportState(takeout)


def respond(request: CommandRequest) -> CommandResponse:
    """How far it is, with a button that tells it anew while it is being gathered."""
    found, words = request.result, request.words
    if request.chat.kind is not ChatKind.PRIVATE:
        return CommandResponse(text=words.say("takeout.in_private"))
    if not isinstance(found, ExportState):
        return CommandResponse(text=words.say("takeout.off"))
    takeout = found.takeout
    return CommandResponse(
        text=told(takeout, words, found.zone),
        buttons=buttons_of(takeout, words, request.chat.conversation),
        shows="" if takeout.is_over or takeout.is_received else takeout.run,
    )


COMMAND = Command(
    name="export",
    order=87,
    audience=Audience.EVERYONE,
    respond=respond,
    effect=asked,
    press=ButtonPress(respond=respond, effect=asked, is_for_any_conversation=True),
    needs=(TakeoutDesk, FirestorePeople),
)
