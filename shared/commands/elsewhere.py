"""What the owner has done in other chats from their own: a silence there ends."""

from dataclasses import dataclass

from shared.commands.called import known_name
from shared.commands.command import CommandRequest
from shared.executing.waking import place_of
from shared.models.access import awakening
from shared.models.wake import Wake, WakeReason
from shared.ports.chats import ChatStore, TickQueue
from shared.ports.trust import Rosters
from shared.ports.world import Ports


@dataclass(frozen=True)
class Woken:
    """A chat in which the agent answers again, by its title, by whom it is with, or by its id."""

    name: str


async def woken(request: CommandRequest, ports: Ports) -> Woken | None:
    """Have the agent answer again in the chat that the owner's button carries; none if it carries none.

    The ticks of that chat alone change it, so they are told by an update. Raises StoreUnavailable or QueueError.
    """
    key = place_of(request.chat.key.agent, request.argument[1:])
    if key is None:
        return None
    there = (await ports[ChatStore].see(key)).chat
    if there.is_muted(request.now):
        await ports[ChatStore].tell(awakening(key, request.now))
        wake = Wake(key=key, reason=WakeReason.NOW, at=request.now, of=f"woken-{request.now.isoformat()}")
        await ports[TickQueue].enqueue(wake)
    roster = await ports[Rosters].roster(key.agent)
    name = there.title or await known_name(roster, key.chat_id, key.agent, ports[ChatStore])
    return Woken(name or str(key.chat_id))
