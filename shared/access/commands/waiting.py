"""Waiting: what somebody wrote before they were let in is answered, whichever way they came in."""

from datetime import datetime

from shared.access.store.requests import FirestoreAccessRequests
from shared.chat.queue import TickQueue
from shared.chat.store.chats import FirestoreChats
from shared.llm.ports.world import PortRegistry
from shared.values.access_request import AccessRequest, RequestState, awakening, request_id
from shared.values.chat_key import ChatKey
from shared.values.wake import Wake, WakeReason


async def waits_no_more(key: ChatKey, ports: PortRegistry, now: datetime, *, is_greeted: bool = False) -> None:
    """Have what waits in a chat answered, since whose it is was let in otherwise than by its request.

    Who is greeted anyway is told nothing if they have only begun. It may be repeated; where nobody waits it costs a
    read. Raises StoreUnavailable, StoreRefused or QueueError.
    """
    found = await ports[FirestoreAccessRequests].find(request_id(key))
    # one that was decided so may be of a tick that died before it came to the answer
    if found is None or found.state not in {RequestState.WAITING, RequestState.LET_IN}:
        return
    decided = await ports[FirestoreAccessRequests].decide(found.id, RequestState.LET_IN, now)
    if decided is not None and (decided.words or not is_greeted):
        await have_answered(decided, ports, now)


async def may_ask_again(key: ChatKey, ports: PortRegistry, now: datetime) -> None:
    """Have the owner asked again about whose chat it is once they write: they were blocked, and are no more.

    It may be repeated, and costs a read where the owner was never asked. Raises StoreUnavailable or QueueError.
    """
    if (await ports[FirestoreChats].see(key)).chat.access.asked_access_at is None:
        return
    await ports[FirestoreChats].tell(awakening(key, now))
    await ports[TickQueue].enqueue(Wake(key=key, reason=WakeReason.NOW, at=now, of=f"unblocked-{now.isoformat()}"))


async def have_answered(decided: AccessRequest, ports: PortRegistry, now: datetime) -> None:
    """Have a tick of the chat answer what waits there. It may be repeated."""
    await ports[FirestoreAccessRequests].have_answered(decided)
    of = f"admitted-{decided.id}-{decided.decided_at}"
    await ports[TickQueue].enqueue(Wake(key=decided.key, reason=WakeReason.NOW, at=now, of=of))
