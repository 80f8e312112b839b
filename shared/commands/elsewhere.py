"""What the owner has done in other chats from their own: a silence there ends."""

from dataclasses import dataclass

from shared.commands.command import CommandRequest
from shared.executing.waking import place_of
from shared.models.measure import awakening
from shared.models.wake import Wake, WakeReason
from shared.ports.chats import ChatStore, TickQueue


@dataclass(frozen=True)
class Woken:
    """A chat in which the agent answers again, by its title or its id."""

    name: str


async def woken(request: CommandRequest, chats: ChatStore, queue: TickQueue) -> Woken | None:
    """Have the agent answer again in the chat that the owner's button carries; none if it carries none.

    The ticks of that chat alone change it, so they are told by an update. Raises StoreUnavailable or QueueError.
    """
    key = place_of(request.chat.key.agent, request.argument[1:])
    if key is None:
        return None
    there = (await chats.see(key)).chat
    if there.is_muted(request.now):
        await chats.tell(awakening(key, request.now))
        wake = Wake(key=key, reason=WakeReason.NOW, at=request.now, of=f"woken-{request.now.isoformat()}")
        await queue.enqueue(wake)
    return Woken(there.title or str(key.chat_id))
