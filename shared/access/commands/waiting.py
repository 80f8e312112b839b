"""Makes ticks answer the messages that a person wrote before they were let in.

A person is let in by the owner's decision on a request, by an invitation link, or with /people.
"""

from datetime import datetime

from shared.access.store.requests import FirestoreAccessRequests
from shared.chat.queue import TickQueue
from shared.chat.store.chats import FirestoreChats
from shared.llm.ports.world import PortRegistry
from shared.values.access_request import AccessRequest, RequestState, awakening, request_id
from shared.values.chat_key import ChatKey
from shared.values.wake import Wake, WakeReason


async def answer_waiting_chat(key: ChatKey, ports: PortRegistry, now: datetime, *, is_greeted: bool = False) -> None:
    """Make a tick answer what a person wrote before an invitation link or /people let that person in.

    If the caller greets the person (`is_greeted`), a person who wrote only a command gets no further answer. The call
    may be repeated. If the person is not waiting, it costs one read. Raises StoreUnavailable, StoreRefused or
    QueueError.
    """
    found = await ports[FirestoreAccessRequests].find(request_id(key))
    # a tick may have died between the decision and the answer
    if found is None or found.state not in {RequestState.WAITING, RequestState.LET_IN}:
        return
    decided = await ports[FirestoreAccessRequests].decide(found.id, RequestState.LET_IN, now)
    if decided is not None and (decided.words or not is_greeted):
        await have_answered(decided, ports, now)


async def allow_new_request(key: ChatKey, ports: PortRegistry, now: datetime) -> None:
    """Allow a new access request of a person who is no longer blocked: the owner is asked when the person writes again.

    The call may be repeated. If the owner was never asked, it costs one read. Raises StoreUnavailable or QueueError.
    """
    if (await ports[FirestoreChats].see(key)).chat.access.asked_access_at is None:
        return
    await ports[FirestoreChats].tell(awakening(key, now))
    await ports[TickQueue].enqueue(Wake(key=key, reason=WakeReason.NOW, at=now, of=f"unblocked-{now.isoformat()}"))


async def have_answered(decided: AccessRequest, ports: PortRegistry, now: datetime) -> None:
    """Make a tick answer the waiting messages of a chat. The call may be repeated."""
    await ports[FirestoreAccessRequests].have_answered(decided)
    of = f"admitted-{decided.id}-{decided.decided_at}"
    await ports[TickQueue].enqueue(Wake(key=decided.key, reason=WakeReason.NOW, at=now, of=of))
