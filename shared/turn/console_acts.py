"""Actions of the owner in the console besides commands: sending a lost message again, and answering an offer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final

from shared.base.errors import PlanUnreadable
from shared.base.logs import log
from shared.deciding.access_policy import AccessPolicy
from shared.tasks.graph import origin_of, with_own_tasks
from shared.tasks.plan import Delivery, DeliveryState, Plan, PlannedTask, TaskState
from shared.telegram.inbound.entries import ParsedUpdate
from shared.turn.orders import is_owners
from shared.values.chat_key import ChatKey
from shared.values.console_order import ACCEPT_OFFER, DECLINE_OFFER, RESEND, ConsoleOrder
from shared.values.evolve import evolve
from shared.values.keyboard import Keyboard
from shared.values.message import AnyEntry, Author, ButtonPress, Message

if TYPE_CHECKING:
    from shared.chat.store.chats import FirestoreChats


@dataclass(frozen=True, kw_only=True)
class ConsoleActs:
    """The owner's orders that are not commands. `resends` maps the id of an order's update to the lost message, as
    `PLAN_ID PART_NUMBER TASK_ID`. `declined` maps a keyboard's id to the id of the message with the declined offer.
    """

    resends: Mapping[int, str] = field(default_factory=dict)
    declined: Mapping[str, int] = field(default_factory=dict)


NO_ACTS: Final = ConsoleActs()


def acts_in(
    read: Sequence[ParsedUpdate], access: AccessPolicy, keyboards: Sequence[Keyboard], window: Sequence[AnyEntry]
) -> ConsoleActs:
    """Return which lost messages the owner ordered to be sent again, and which offers the owner declined."""
    orders = [(one.update_id, one.order) for one in read if one.order is not None and is_owners(one.order, access)]
    resends = {update_id: order.argument for update_id, order in orders if order.command == RESEND}
    gone = {order.argument for _, order in orders if order.command == DECLINE_OFFER}
    declined = {one.id: message_of(one, window) for one in keyboards if one.id in gone}
    return ConsoleActs(resends=resends, declined=declined) if resends or declined else NO_ACTS


def press_ordered(
    order: ConsoleOrder, update_id: int, at: datetime, keyboards: Sequence[Keyboard], window: Sequence[AnyEntry]
) -> ButtonPress | None:
    """Return the button press for an order that accepts an offer; None for other orders, or if the offer is gone."""
    keyboard_id, _, place = order.argument.partition(":")
    keyboard = next((one for one in keyboards if one.id == keyboard_id), None)
    if order.command != ACCEPT_OFFER or keyboard is None:
        return None
    said = (one.author for one in reversed(window) if isinstance(one, Message) and one.author.id == order.owner)
    return ButtonPress(
        at=at,
        updates=(update_id,),
        message_id=message_of(keyboard, window),
        author=next(said, Author(id=order.owner, name="")),
        query_id="",
        data=f"choice:{keyboard_id}:{place}",
    )


def message_of(keyboard: Keyboard, window: Sequence[AnyEntry]) -> int:
    """Return the id of the message with a keyboard; 0 if the message is unknown."""
    shown = (one for one in reversed(window) if isinstance(one, Message) and one.author.is_agent)
    found = (one.message_id for one in shown if one.choices == keyboard.choices and one.seq == keyboard.seq)
    return keyboard.message_id or next(found, 0)


async def with_resends(
    chats: "FirestoreChats", key: ChatKey, now: datetime, resends: Mapping[int, str], plan: Plan | None
) -> Plan | None:
    """Return the plan with tasks that send lost messages again, as the owner asked. Raises StoreUnavailable.

    A message is left out if it is no longer stored, or if it is known by now whether it arrived.
    """
    own = list[PlannedTask]()
    for update_id, named in resends.items():
        plan_id, _, rest = named.partition(" ")
        part, _, task_id = rest.partition(" ")
        lost = await _plan_of(chats, key, plan_id, plan)
        planned = next((t for t in lost.tasks if t.task.id == task_id), None) if lost is not None else None
        again = list(_again(lost, planned, part, f"again-{update_id}")) if lost is not None and planned else []
        if not again:
            log("a lost message is not sent again, since it is no longer stored")
        own += again
    return with_own_tasks(plan, own, now) if own else plan


async def _plan_of(chats: "FirestoreChats", key: ChatKey, plan_id: str, standing: Plan | None) -> Plan | None:
    if standing is not None and standing.id == plan_id:
        return standing
    try:
        stored = await chats.plan(key)
        return stored if stored is not None and stored.id == plan_id else await chats.past_plan(key, plan_id)
    except PlanUnreadable:
        return None


def _again(plan: Plan, planned: PlannedTask, part: str, name: str) -> Iterator[PlannedTask]:
    """Yield the task that sends one lost part of a message again; nothing if that part is not lost. The repeated
    message counts as written by the agent, like the original.
    """
    number = int(part) if part.isdecimal() else -1
    is_lost = any(one.part == number and one.state is DeliveryState.UNKNOWN for one in planned.deliveries)
    if not is_lost or planned.task.in_doubt(number).text is None:
        return
    yield evolve(
        planned,
        task=evolve(planned.task, id=name, depends_on=()),
        deliveries=tuple(_delivery(one, number) for one in planned.deliveries),
        state=TaskState.PLANNED,
        tries=0,
        why="",
        not_before=None,
        is_own=True,
        kept_from=origin_of(plan, planned),
    )


def _delivery(one: Delivery, lost: int) -> Delivery:
    """Return the delivery as planned if it is part number `lost`; else as confirmed, so that it is not sent again."""
    if one.part == lost:
        return evolve(one, state=DeliveryState.PLANNED, why="", attempted_at=None)
    return evolve(one, state=DeliveryState.CONFIRMED)
