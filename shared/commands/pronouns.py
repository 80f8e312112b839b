"""/pronouns: how somebody wants to be spoken of, wherever an agent of this deployment answers them."""

from shared.chat.store.people import FirestorePeople
from shared.commands.command import Command, CommandRequest, CommandResponse, verbatim, visible
from shared.llm.ports.world import PortRegistry

#: in characters; in any language several of them fit
LONGEST_PRONOUNS = 40
#: behind the command: forget them
NONE = "-"


async def known(request: CommandRequest, ports: PortRegistry) -> str:
    """The pronouns that are known of the person from now on. Raises StoreUnavailable or StoreRefused."""
    people, wanted = ports[FirestorePeople], visible(request.argument)
    if not wanted or len(wanted) > LONGEST_PRONOUNS:
        return (await people.told(request.person.id)).pronouns
    kept = "" if wanted == NONE else wanted
    await people.keep_pronouns(request.person.id, kept, request.now)
    return kept


def respond(request: CommandRequest) -> CommandResponse:
    """The pronouns that are known now."""
    wanted, words = visible(request.argument), request.words
    if len(wanted) > LONGEST_PRONOUNS:
        return CommandResponse(text=words.say("command.too_long", count=len(wanted), most=LONGEST_PRONOUNS))
    if isinstance(request.result, str) and request.result:
        return CommandResponse(text=words.say("pronouns.known", pronouns=verbatim(request.result)))
    return CommandResponse(text=words.say("pronouns.forgotten") if wanted else words.say("pronouns.unknown"))


COMMAND = Command(
    name="pronouns",
    order=85,
    takes_argument=True,
    respond=respond,
    effect=known,
    needs=(FirestorePeople,),
)
