"""/pronouns: a person's pronouns, which apply to all agents of this deployment."""

from shared.chat.store.people import FirestorePeople
from shared.commands.command import Command, CommandRequest, CommandResponse, verbatim, visible
from shared.llm.ports.world import PortRegistry

#: the maximum characters; enough for several pronouns in any language
LONGEST_PRONOUNS = 40
#: the argument that deletes the pronouns
NONE = "-"


async def set_or_read_pronouns(request: CommandRequest, ports: PortRegistry) -> str:
    """Set the pronouns if there is an argument. Return the current ones. Raises StoreUnavailable or StoreRefused."""
    people, wanted = ports[FirestorePeople], visible(request.argument)
    if not wanted or len(wanted) > LONGEST_PRONOUNS:
        return (await people.profile(request.person.id)).pronouns
    kept = "" if wanted == NONE else wanted
    await people.keep_pronouns(request.person.id, kept, request.now)
    return kept


def respond(request: CommandRequest) -> CommandResponse:
    """Return the response that shows the person's pronouns."""
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
    effect=set_or_read_pronouns,
    needs=(FirestorePeople,),
)
