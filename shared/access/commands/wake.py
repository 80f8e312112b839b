"""/wake: ends a /shutdown or a /mute in this chat.

If the owner sends it in private, it ends the silence of all chats.
"""

from shared.access.commands.invite import is_owner
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.commands.command import Audience, ButtonHandler, Command, CommandRequest, CommandResponse
from shared.commands.unmute import respond as unmuted
from shared.llm.ports.world import PortRegistry
from shared.values.trust import NOW


async def end_silence(request: CommandRequest, ports: PortRegistry) -> bool:
    """End the silence of all chats, if the owner asks in private.

    Return whether there was such a silence. Raises StoreUnavailable.
    """
    agent = request.chat.key.agent
    if (
        not await is_owner(request, ports)
        or (await ports[FirestoreAccessLists].access_list(agent, NOW)).silenced is None
    ):
        return False
    await ports[FirestoreAccessLists].set_silenced(agent, None)
    return True


def respond(request: CommandRequest) -> CommandResponse:
    """Return a text that says that the agent answers again, or why it still does not answer."""
    if request.result is True:
        return CommandResponse(text=request.words.say("wake.everywhere"), changes={"muted_until": None})
    return unmuted(request)


COMMAND = Command(
    name="wake",
    order=73,
    audience=Audience.ADMINISTRATORS,
    ends_silence=True,
    respond=respond,
    effect=end_silence,
    press=ButtonHandler(respond=respond, effect=end_silence, is_for_any_conversation=True),
    needs=(FirestoreAccessLists,),
)
