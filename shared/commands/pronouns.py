"""/pronouns: how somebody wants to be spoken of, wherever an agent of this deployment answers them."""

from shared.commands.command import Command, CommandRequest, CommandResponse, verbatim, visible
from shared.ports.outside import Ports
from shared.ports.people import People

#: in characters; in any language several of them fit
LONGEST_PRONOUNS = 40
#: behind the command: forget them
NONE = "-"

UNKNOWN = "You have not told me your pronouns. Write them behind the command, for example: /pronouns they/them"
FORGOTTEN = "I have forgotten your pronouns."


async def known(request: CommandRequest, ports: Ports) -> str:
    """The pronouns that are known of the person from now on. Raises StoreUnavailable or StoreRefused."""
    people, wanted = ports[People], visible(request.argument)
    if not wanted or len(wanted) > LONGEST_PRONOUNS:
        return await people.pronouns(request.person.id)
    kept = "" if wanted == NONE else wanted
    await people.keep_pronouns(request.person.id, kept, request.now)
    return kept


def respond(request: CommandRequest) -> CommandResponse:
    """The pronouns that are known now."""
    wanted = visible(request.argument)
    if len(wanted) > LONGEST_PRONOUNS:
        return CommandResponse(text=f"That has {len(wanted)} characters; there is room for {LONGEST_PRONOUNS}.")
    if isinstance(request.result, str) and request.result:
        return CommandResponse(
            text=f"Your pronouns are {verbatim(request.result)}. To have me forget them: /pronouns -"
        )
    return CommandResponse(text=FORGOTTEN if wanted else UNKNOWN)


COMMAND = Command(
    name="pronouns",
    order=85,
    descriptions={
        "en": "Tell me your pronouns",
        "de": "Mir deine Pronomen sagen",
        "uk": "Сказати мені свої займенники",
    },
    usage="/pronouns [they/them]",
    respond=respond,
    effect=known,
    needs=(People,),
)
