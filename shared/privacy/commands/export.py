"""The command /export: gathers all data that is stored about a person, and sends it to the person as files."""

from dataclasses import dataclass

from shared.chat.store.people import FirestorePeople
from shared.commands.command import Audience, ButtonHandler, Command, CommandRequest, CommandResponse
from shared.llm.ports.world import PortRegistry
from shared.privacy.export.service import ExportService, buttons_of, progress_text
from shared.reminders.commands.zone import zone_of
from shared.values.chat_key import ChatKind
from shared.values.export import Export


@dataclass(frozen=True)
class ExportStatus:
    """The export of a person, and the time zone in which its times are shown."""

    export: Export
    zone: str = "UTC"


async def request_export(request: CommandRequest, ports: PortRegistry) -> ExportStatus | None:
    """Begin a new export if the person is allowed one now. Return the person's current export.

    None if an export cannot be requested in this chat. The call may be repeated.
    """
    chat = request.chat
    if chat.kind is not ChatKind.PRIVATE or request.person.id != chat.key.chat_id:
        return None
    export = await ports[ExportService].ask(chat.key, request.language or chat.locale.last_language, request.now)
    if export is None:
        return None
    is_dated = export.is_over or export.is_received
    return ExportStatus(export, await zone_of(request, ports)) if is_dated else ExportStatus(export)


def respond(request: CommandRequest) -> CommandResponse:
    """Return the progress of the export. While parts are being gathered, a button below refreshes the text."""
    found, words = request.result, request.words
    if request.chat.kind is not ChatKind.PRIVATE:
        return CommandResponse(text=words.say("takeout.in_private"))
    if not isinstance(found, ExportStatus):
        return CommandResponse(text=words.say("takeout.off"))
    export = found.export
    return CommandResponse(
        text=progress_text(export, words, found.zone),
        buttons=buttons_of(export, words, request.chat.conversation),
        shows="" if export.is_over or export.is_received else export.run,
    )


COMMAND = Command(
    name="export",
    order=87,
    audience=Audience.EVERYONE,
    respond=respond,
    effect=request_export,
    press=ButtonHandler(respond=respond, effect=request_export, is_for_any_conversation=True),
    needs=(ExportService, FirestorePeople),
)
