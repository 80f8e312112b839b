"""Apply Telegram's response to a call: the changes to the task and to its plan. Pure functions."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.base.errors import (
    ButtonsRefused,
    ChannelError,
    ChatMoved,
    ChatUnreachable,
    FileUnknown,
    FormattingRefused,
    NotDelivered,
    OutcomeUnknown,
    ReplyTargetGone,
    TopicGone,
)
from shared.base.model_call import ModelCall
from shared.base.wording.words import bullet_list, plain_phrase, words_in
from shared.tasks.graph import cancel_all, cancel_planned, move_to_thread, origin_of, with_failure, with_task
from shared.tasks.plan import Delivery, DeliveryState, Plan, PlannedTask, TaskState
from shared.tasks.send import own_words
from shared.values.evolve import evolve
from shared.values.retry import FailedAttempt, GiveUp, RetryBudget, decide_retry

#: the id of the task that tells a person that an answer could not be sent
SORRY = "sorry"
#: after this time no answer to a call can come any more. It is counted from the mark `attempted`: the commit with the
#: mark may take 20 s, and after that the client gives up after 25 s
LONGEST_CALL = timedelta(seconds=45)


@dataclass(frozen=True, kw_only=True)
class RetryPolicy:
    """The current time, and the retry budget of kinds that have no budget of their own."""

    now: datetime
    budget: RetryBudget


def with_deliveries(planned: PlannedTask, parts: int) -> PlannedTask:
    """Return the task with one delivery for each part. Existing deliveries are kept. A task without parts is done."""
    if planned.deliveries:
        return _done_if_all_are(planned)
    deliveries = tuple(Delivery(part=part, method=planned.task.traits.method) for part in range(parts))
    return _done_if_all_are(evolve(planned, deliveries=deliveries))


def next_part(planned: PlannedTask, now: datetime) -> int | None:
    """Return the next part to send; None if there is none, or if its time has not come yet."""
    if not planned.is_open or (planned.not_before is not None and planned.not_before > now):
        return None
    return next((d.part for d in planned.deliveries if d.state is DeliveryState.PLANNED), None)


def finish_task(plan: Plan, task_id: str) -> Plan:
    """End a task that has nothing left to send. This is only a safeguard, since lull stores no plan with such a task.
    Without it, such a task would make a tick loop for ever and never release its chat.
    """
    planned = task_of(plan, task_id)
    return with_failure(plan, task_id, "no part of it is left to send") if planned.is_open else with_task(plan, planned)


def mark_attempted(planned: PlannedTask, part: int, now: datetime) -> PlannedTask:
    """Mark a delivery as attempted. The mark is stored before the call."""
    return _with_delivery(planned, part, state=DeliveryState.ATTEMPTED, attempted_at=now)


def unmark_attempted(planned: PlannedTask, part: int) -> PlannedTask:
    """Undo `mark_attempted`, because nothing was sent, or because Telegram certainly did not accept the call."""
    return _with_delivery(planned, part, state=DeliveryState.PLANNED, attempted_at=None)


def confirm_delivery(plan: Plan, task_id: str, part: int, message_ids: tuple[int, ...]) -> Plan:
    """Return the plan after a delivery that Telegram accepted."""
    planned = _with_delivery(task_of(plan, task_id), part, state=DeliveryState.CONFIRMED, message_ids=message_ids)
    return with_task(plan, _done_if_all_are(planned))


def fail_delivery(plan: Plan, task_id: str, part: int, error: ChannelError, retrying: RetryPolicy) -> Plan:
    """Return the plan after a delivery that failed.

    A call that was certainly not sent is tried again later. A call that may have been sent becomes `unknown` and is
    never repeated. After a refusal the task's text version is sent; if there is none, the task fails.
    """
    planned = task_of(plan, task_id)
    match error:
        case OutcomeUnknown():
            lost = _with_delivery(planned, part, state=DeliveryState.UNKNOWN, why=str(error))
            return with_task(plan, _done_if_all_are(lost))
        case ReplyTargetGone() | TopicGone() if (
            moved := _sent_elsewhere(plan, unmark_attempted(planned, part), error)
        ) is not None:
            return moved
        case FormattingRefused() | ButtonsRefused() if (less := _with_less(planned, part, error)) is not None:
            return with_task(plan, less)
        case ChatMoved():  # nothing was sent under the old id; the tick moves the chat and its plan to the new id
            return with_task(plan, unmark_attempted(planned, part))
        case NotDelivered():
            return _tried_again(plan, unmark_attempted(planned, part), error, retrying)
        case FileUnknown() if planned.task.sticker_request is not None and not planned.is_anew:
            return with_task(plan, evolve(planned, is_anew=True, deliveries=()))
    said = None if isinstance(error, ChatUnreachable) else with_fallback_text(plan, planned, str(error))
    if said is not None:
        return said
    refused = _with_delivery(planned, part, state=DeliveryState.REFUSED, why=str(error))
    plan = with_failure(with_task(plan, refused), task_id, str(error))
    return cancel_all(plan, str(error)) if isinstance(error, ChatUnreachable) else with_apology(plan, refused)


def _sent_elsewhere(plan: Plan, planned: PlannedTask, error: ReplyTargetGone | TopicGone) -> Plan | None:
    """Return a plan in which the task can still be sent: outside of a topic that is gone, or without quoting a message
    that is gone; None if neither is possible.

    Outside of its topic the task quotes the answered message, from which Telegram may still find the topic.
    """
    origin = origin_of(plan, planned)
    if isinstance(error, TopicGone) and not plan.is_out_of_topic:
        question = next((one for one in reversed(origin.answers) if one > 0), 0)
        outside = with_task(evolve(plan, is_out_of_topic=True), planned)
        return move_to_thread(outside, planned, origin.thread or question)
    without_quote = planned.task.without_quote()
    if without_quote not in (None, planned.task):
        return with_task(plan, evolve(planned, task=without_quote))
    return move_to_thread(with_task(plan, planned), planned, 0) if origin.thread else None


def _with_less(planned: PlannedTask, part: int, error: FormattingRefused | ButtonsRefused) -> PlannedTask | None:
    """Return the task with a part to be sent again without the formatting or buttons that Telegram refused; None if
    there is nothing to leave out.

    The text then lists the choices that had buttons. A task that is useless without its buttons is not sent again.
    """
    again, task = unmark_attempted(planned, part), planned.task
    if isinstance(error, FormattingRefused):
        is_plain = any(d.is_plain for d in planned.deliveries if d.part == part)
        return None if is_plain else _with_delivery(again, part, is_plain=True)
    if not planned.buttons or task.effects:
        return None
    again = evolve(again, task=task.offering(()), buttons=())
    if not task.offered:
        return again
    # the list comes at the end, so that the parts that were already sent stay as they are
    listing = again.task.with_words(f"{task.words}\n\n{bullet_list(*map(plain_phrase, task.offered))}")
    begun = again.deliveries if is_begun(planned) else ()
    more = (Delivery(part=at, method=task.traits.method) for at in range(len(begun), listing.parts()))
    return evolve(again, task=listing, deliveries=(*begun, *more))


def with_fallback_text(plan: Plan, planned: PlannedTask, why: str) -> Plan | None:
    """Return the plan with a text in place of a task that cannot be delivered; None if the task has no such text.

    Parts that were sent are not repeated. For some kinds the text is used only if the plan shows people nothing else.
    """
    words = None if is_begun(planned) else planned.task.in_words()
    if words is None or (planned.task.traits.on_failure.is_worded_alone and _shows_more(plan, planned)):
        return None
    return with_task(plan, evolve(planned, task=words, deliveries=(), why=why))


def _shows_more(plan: Plan, planned: PlannedTask) -> bool:
    """Return whether people see, or may see, anything of the task's plan besides this task."""
    lost, origin = {TaskState.FAILED, TaskState.CANCELLED}, origin_of(plan, planned).plan
    others = (t for t in plan.tasks if t.task.id != planned.task.id and not t.is_own and t.state not in lost)
    return any(t.task.traits.is_seen and origin_of(plan, t).plan == origin for t in others)


def is_begun(planned: PlannedTask) -> bool:
    """Return whether any part of the task arrived or may have arrived."""
    return any(d.state in {DeliveryState.CONFIRMED, DeliveryState.UNKNOWN} for d in planned.deliveries)


def _tried_again(plan: Plan, planned: PlannedTask, error: NotDelivered, retrying: RetryPolicy) -> Plan:
    traits = planned.task.traits
    budget = (traits.on_failure.budget or retrying.budget) if traits.on_failure.is_tried_again else RetryBudget(tries=1)
    failure = FailedAttempt(why=str(error), tries=planned.tries + 1, wait=error.retry_after)
    decision = decide_retry(failure, budget, retrying.now)
    if not isinstance(decision, GiveUp):
        again = evolve(planned, tries=decision.tries, not_before=decision.at)
        return with_task(plan, again)
    given_up = evolve(planned, tries=failure.tries)
    failing = with_failure(with_task(plan, given_up), planned.task.id, decision.why)
    if planned.is_own:  # the tasks that the model wrote continue without this task
        return failing
    spared = [t.task.id for t in plan.tasks if origin_of(plan, t).plan != origin_of(plan, planned).plan]
    return with_apology(cancel_planned(failing, decision.why, spared), planned)


def with_apology(plan: Plan, lost: PlannedTask) -> Plan:
    """Add an apology for a lost task if somebody waits for that task."""
    if lost.is_own or not lost.task.traits.is_awaited or any(t.task.id == SORRY for t in plan.tasks):
        return plan
    answers = origin_of(plan, lost).answers
    reply_to = answers[-1] if answers else None
    words = words_in(plan.language)
    is_excused = lost.task.traits.on_failure.is_excused
    phrase = words.say(f"excuse.{lost.task.kind}") if is_excused else words.say("apology.not_sent")
    sorry = PlannedTask(task=own_words(SORRY, phrase, reply_to), is_own=True)
    return evolve(plan, tasks=(*plan.tasks, sorry))


def with_lost_answers(plan: Plan, *, is_repeatable: bool = False) -> Plan:
    """Return the plan after its tick was killed. Telegram's response to an attempted delivery is lost, so the delivery
    becomes unknown. If the channel recognises repeats (`is_repeatable`), the delivery is made again instead.
    """
    for planned in plan.tasks:
        for delivery in planned.deliveries:
            if delivery.state is DeliveryState.ATTEMPTED and is_repeatable:
                plan = with_task(plan, unmark_attempted(task_of(plan, planned.task.id), delivery.part))
            elif delivery.state is DeliveryState.ATTEMPTED:
                why = "the tick ended between the call and its answer"
                lost = _with_delivery(
                    task_of(plan, planned.task.id), delivery.part, state=DeliveryState.UNKNOWN, why=why
                )
                plan = with_task(plan, _done_if_all_are(lost))
    return plan


def newly_unknown(before: Plan, after: Plan) -> Iterator[tuple[PlannedTask, Delivery]]:
    """Yield the deliveries that became unknown between two states of a plan, with their tasks.

    Kinds of task whose loss does not count as an incident are left out.
    """
    known = {(t.task.id, d.part) for t in before.tasks for d in t.deliveries if d.state is DeliveryState.UNKNOWN}
    for planned in after.tasks:
        for delivery in planned.deliveries:
            is_new = (planned.task.id, delivery.part) not in known
            if delivery.state is DeliveryState.UNKNOWN and is_new and planned.task.traits.on_failure.is_incident:
                yield planned, delivery


def calls_for_message(plan: Plan, task_id: str) -> tuple[ModelCall, ...]:
    """Return the plan's model calls if the task sends the plan's first message to a person; otherwise ()."""
    awaited = [t for t in plan.tasks if t.task.traits.is_awaited and t.is_fresh]
    is_told = any(d.state is DeliveryState.CONFIRMED for t in awaited for d in t.deliveries)
    return plan.calls if not is_told and any(t.task.id == task_id for t in awaited) else ()


def is_under_way(plan: Plan, now: datetime) -> bool:
    """Return whether a call was attempted so recently that Telegram may still respond to that call."""
    attempts = (d for t in plan.tasks for d in t.deliveries if d.state is DeliveryState.ATTEMPTED)
    return any(d.attempted_at is not None and d.attempted_at > now - LONGEST_CALL for d in attempts)


def without_sent_text(plan: Plan, task_id: str) -> Plan:
    """Remove the text of a finished task, for kinds whose text is not kept in the plan."""
    planned = task_of(plan, task_id)
    kept = planned.task if planned.is_open else planned.task.without_text()
    return plan if kept is planned.task else with_task(plan, evolve(planned, task=kept))


def task_of(plan: Plan, task_id: str) -> PlannedTask:
    return next(t for t in plan.tasks if t.task.id == task_id)


def _done_if_all_are(planned: PlannedTask) -> PlannedTask:
    over = {DeliveryState.CONFIRMED, DeliveryState.UNKNOWN}
    is_done = all(d.state in over for d in planned.deliveries)
    return evolve(planned, state=TaskState.DONE) if is_done else planned


def _with_delivery(planned: PlannedTask, part: int, **fields: object) -> PlannedTask:
    deliveries = tuple(_replace_fields(d, fields) if d.part == part else d for d in planned.deliveries)
    return evolve(planned, deliveries=deliveries)


def _replace_fields(delivery: Delivery, fields: dict[str, object]) -> Delivery:
    return delivery.model_copy(update=fields)
