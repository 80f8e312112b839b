"""/console: sends the owner the console's address. `/console off` ends all of the owner's console sessions."""

from dataclasses import dataclass
from typing import Final

from shared.chat.store.bots import FirestoreOwners
from shared.commands.command import Audience, Command, CommandRequest, CommandResponse, Scope, verbatim
from shared.llm.ports.world import PortRegistry
from shared.values.channel import Button

OFF: Final = "off"


@dataclass(frozen=True, kw_only=True)
class ConsoleAccess:
    """The result of /console: the console's address ("" if there is none), or the fact that all sessions were ended."""

    url: str = ""
    is_ended: bool = False


async def find_console(request: CommandRequest, ports: PortRegistry) -> ConsoleAccess:
    """Return the console's address. For `/console off`, end all of the owner's sign-ins instead. Raises StoreError."""
    owners, agent = ports[FirestoreOwners], request.chat.key.agent
    if request.argument.strip().lower() == OFF:
        await owners.end_console(agent, request.now)
        return ConsoleAccess(is_ended=True)
    return ConsoleAccess(url=await owners.console(agent))


def respond(request: CommandRequest) -> CommandResponse:
    """Return the console's address with a button that opens it inside Telegram. The transcript omits the address.

    An address that is not https, as with `make dev`, is sent as text: Telegram refuses buttons with local addresses.
    """
    words = request.words
    found = request.result if isinstance(request.result, ConsoleAccess) else ConsoleAccess()
    if found.is_ended:
        return CommandResponse(text=words.say("console.off"), is_apart=True)
    if not found.url:
        return CommandResponse(text=words.say("console.none"), is_apart=True)
    if not found.url.startswith("https://"):
        return CommandResponse(text=words.say("console.here", address=verbatim(found.url)), is_apart=True)
    link = f"[{verbatim(found.url.removeprefix('https://'))}]({found.url})"
    button = Button(str(words.say("console.button")), "", opens=found.url)
    return CommandResponse(text=words.say("console.open", link=link), buttons=(button,), is_apart=True)


COMMAND = Command(
    name="console",
    order=103,
    takes_argument=True,
    scope=Scope.PRIVATE,
    audience=Audience.OWNER,
    respond=respond,
    effect=find_console,
    needs=(FirestoreOwners,),
)
