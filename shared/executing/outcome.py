"""What the answer to an outgoing call means for its task and its plan. Pure: a decision is a value."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.errors import ChannelError, NotDelivered, OutcomeUnknown, ReplyTargetGone, Unreachable
from shared.executing.graph import dropped, with_failure, with_task
from shared.models.delivery import Delivery, DeliveryState
from shared.models.plan import Plan, PlannedTask, React, Send, TaskState


@dataclass(frozen=True, kw_only=True)
class Retrying:
    """The moment, and how a task is tried again: after how long, and how often."""

    now: datetime
    after: timedelta
    tries: int


def with_deliveries(planned: PlannedTask, parts: int) -> PlannedTask:
    """The task with one delivery for each part; with none to make, it is done. What was begun stays as it is."""
    if planned.deliveries:
        return planned
    method = "setMessageReaction" if isinstance(planned.task, React) else "sendMessage"
    deliveries = tuple(Delivery(part=part, method=method) for part in range(parts))
    return _done_if_all_are(planned.model_copy(update={"deliveries": deliveries}))


def next_part(planned: PlannedTask, now: datetime) -> int | None:
    """The part to be sent next; none when there is none, or not yet."""
    if not planned.is_open or (planned.not_before is not None and planned.not_before > now):
        return None
    return next((d.part for d in planned.deliveries if d.state is DeliveryState.PLANNED), None)


def attempted(planned: PlannedTask, part: int, now: datetime) -> PlannedTask:
    """The task with one delivery about to leave; written before the call."""
    return _with_delivery(planned, part, state=DeliveryState.ATTEMPTED, attempted_at=now)


def confirmed(plan: Plan, task_id: str, part: int, message_ids: tuple[int, ...]) -> Plan:
    """The plan after a delivery that Telegram took."""
    planned = _with_delivery(task_of(plan, task_id), part, state=DeliveryState.CONFIRMED, message_ids=message_ids)
    return with_task(plan, _done_if_all_are(planned))


def failed(plan: Plan, task_id: str, part: int, error: ChannelError, retrying: Retrying) -> Plan:
    """The plan after a delivery that Telegram did not simply take.

    Certainly not sent: planned again, later. Perhaps sent: unknown, never again. Refused: the task fails.
    """
    planned = task_of(plan, task_id)
    match error:
        case OutcomeUnknown():
            lost = _with_delivery(planned, part, state=DeliveryState.UNKNOWN, why=str(error))
            return with_task(plan, _done_if_all_are(lost))
        case ReplyTargetGone() if isinstance(planned.task, Send) and planned.task.reply_to is not None:
            unquoted = planned.task.model_copy(update={"reply_to": None})
            again = _with_delivery(planned, part, state=DeliveryState.PLANNED)
            return with_task(plan, again.model_copy(update={"task": unquoted}))
        case NotDelivered():
            return _tried_again(plan, planned, part, error, retrying)
    refused = _with_delivery(planned, part, state=DeliveryState.REFUSED, why=str(error))
    plan = with_failure(with_task(plan, refused), task_id, str(error))
    return dropped(plan, str(error)) if isinstance(error, Unreachable) else plan


def _tried_again(plan: Plan, planned: PlannedTask, part: int, error: NotDelivered, retrying: Retrying) -> Plan:
    again = _with_delivery(planned, part, state=DeliveryState.PLANNED, why=str(error))
    if error.retry_after is not None:  # a flood wait is no failure of the task's: it costs no try
        return with_task(plan, again.model_copy(update={"not_before": retrying.now + error.retry_after}))
    tries = planned.tries + 1
    again = again.model_copy(update={"tries": tries, "not_before": retrying.now + retrying.after})
    if tries < retrying.tries:
        return with_task(plan, again)
    why = f"given up after {tries} tries: {error}"
    return dropped(with_failure(with_task(plan, again), planned.task.id, why), why)


def with_lost_answers(plan: Plan) -> Plan:
    """The plan that a tick left behind which died between a call and its answer: that delivery is unknown for ever."""
    for planned in plan.tasks:
        for delivery in planned.deliveries:
            if delivery.state is DeliveryState.ATTEMPTED:
                why = "the tick ended between the call and its answer"
                lost = _with_delivery(
                    task_of(plan, planned.task.id), delivery.part, state=DeliveryState.UNKNOWN, why=why
                )
                plan = with_task(plan, _done_if_all_are(lost))
    return plan


def task_of(plan: Plan, task_id: str) -> PlannedTask:
    """A task of the plan by its id."""
    return next(t for t in plan.tasks if t.task.id == task_id)


def _done_if_all_are(planned: PlannedTask) -> PlannedTask:
    over = {DeliveryState.CONFIRMED, DeliveryState.UNKNOWN}
    is_done = all(d.state in over for d in planned.deliveries)
    return planned.model_copy(update={"state": TaskState.DONE}) if is_done else planned


def _with_delivery(planned: PlannedTask, part: int, **fields: object) -> PlannedTask:
    deliveries = tuple(_changed(d, fields) if d.part == part else d for d in planned.deliveries)
    return planned.model_copy(update={"deliveries": deliveries})


def _changed(delivery: Delivery, fields: dict[str, object]) -> Delivery:
    return delivery.model_copy(update=fields)
