"""Orders: commands for a chat that the owner gives by a button of the console.

Only ticks write a chat's document. So a button stores an order in the chat's inbox and wakes a tick, as the webhook
does with an update. The tick runs the order as a command of the owner (`shared/turn/orders.py`).
"""

from shared.base.logs import about, log
from shared.chat.store.inbox import add_update, read_status
from shared.console.services import ConsoleServices
from shared.values.chat_key import ChatKey
from shared.values.console_order import ConsoleOrder, order_update
from shared.values.wake import Wake, WakeReason

#: the command that interrupts the tick that holds the chat
STOP = "stop"


async def give_order(services: ConsoleServices, key: ChatKey, order: ConsoleOrder) -> bool:
    """Store an order in a chat's inbox, and wake a tick at once. Return False if the same order was stored before.

    A repeated call also wakes a tick, in case the first call failed in between. If no tick is woken, the sweep (a
    regular check for leftover work) finds the order. Raises StoreUnavailable, StoreRefused, QueueUnavailable or
    QueueRefused.
    """
    now = services.clock()
    update = order_update(key, order, now)
    with about(chat=key.id, update=update.envelope.update_id):
        is_new = await add_update(services.client, update)
        status = await read_status(services.client, key)
        is_stop = order.command == STOP
        wake = Wake(
            key=key,
            reason=WakeReason.STOP if is_stop else WakeReason.NOW,
            at=now,
            # a stop request is for whichever tick holds the chat, so its update identifies the wake
            of=str(update.envelope.update_id if is_stop else status.generation),
            since=now,
        )
        await services.ticks.enqueue(wake)
        log("the owner gave an order" if is_new else "an order was repeated", command=order.command)
    return is_new
