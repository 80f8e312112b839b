"""Confirmations: lull's own messages about tasks that changed stored data. Each is sent by another task of the plan."""

from collections.abc import Sequence
from typing import Final

from shared.base.wording.words import Phrase
from shared.chat.session import Session
from shared.tasks.graph import origin_of, with_task
from shared.tasks.names import answers_command
from shared.tasks.plan import Plan, PlannedTask, TaskState
from shared.tasks.send import own_words
from shared.values.button_data import button_data
from shared.values.channel import Button
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Edit, Message
from shared.values.origin import ids_in
from shared.values.reminder import Reminder
from shared.values.tool_use import summarize_tool_uses

#: prefix of a confirmation's id, followed by the plan's id and the task's id
_SET: Final = "set-"


def confirmed_task(plan: Plan, task_id: str) -> str:
    """Return, as JSON without ids, the task that the message with the id `task_id` confirms; "" if it confirms none.

    A message that refuses a task does not confirm it: otherwise the model would read that the task was done.
    """
    confirmed = next((t for t in plan.tasks if task_id == _name(plan, t)), None)
    if confirmed is None or confirmed.is_own or confirmed.why:
        return ""
    return confirmed.task.model_dump_json(exclude={"id", "depends_on", "resolved"}, exclude_none=True)


def _name(plan: Plan, planned: PlannedTask) -> str:
    """Return the id of a task's confirmation. It contains the id of the task's plan, since a confirmation that is sent
    late may be part of a later plan.
    """
    origin = origin_of(plan, planned)
    return f"{_SET}{origin.plan}-{origin.task}"


def as_lulls_own(plan: Plan, planned: PlannedTask, entries: Sequence[AnyEntry]) -> Sequence[AnyEntry]:
    """Return the entries of a delivery. Lull's own messages and the answers to commands are marked as such.

    If the plan's model was shown words from other conversations, each message lists the ids of the words' authors and
    chats. By these ids a deletion finds the plan and its results.
    """
    if plan.elsewhere:
        entries = [evolve(e, shown_of=ids_in(plan.elsewhere)) if isinstance(e, Message) else e for e in entries]
    if plan.uses:
        uses = summarize_tool_uses(plan.uses)
        entries = [evolve(e, looked_up=uses) if isinstance(e, Message) and _is_first(e, plan) else e for e in entries]
    if planned.elsewhere:
        entries = [evolve(e, elsewhere=planned.elsewhere) if isinstance(e, Message | Edit) else e for e in entries]
    if planned.unseen:
        entries = [evolve(e, unseen=planned.unseen) if isinstance(e, Message) else e for e in entries]
    if not planned.is_own or planned.kept_from is not None:  # a message that is sent again stays the agent's
        return entries
    if answers_command(planned.task.id):
        mark: dict[str, object] = {"is_command": True}
    else:
        mark = {"is_by_lull": True, "confirms": confirmed_task(plan, planned.task.id)}
    return [e.model_copy(update=mark) if isinstance(e, Message) else e for e in entries]


def _is_first(message: Message, plan: Plan) -> bool:
    """Return whether this message is the one that reports what its plan changed."""
    return bool(message.calls) and message.calls == plan.calls


def with_confirmation(
    session: Session, plan: Plan, planned: PlannedTask, told: Phrase, buttons: Sequence[Button] = ()
) -> Plan:
    """Return the plan with the task done and lull's confirmation right after it."""
    plan = with_task(plan, evolve(planned, state=TaskState.DONE))
    return with_message_after(session, plan, planned, told, buttons)


def with_message_after(
    session: Session, plan: Plan, planned: PlannedTask, told: Phrase, buttons: Sequence[Button] = ()
) -> Plan:
    """Return the plan with a message by lull right after a task. If the plan already has a message with this text and
    no buttons are given, the plan is returned unchanged.
    """
    of_plan = f"{_SET}{origin_of(plan, planned).plan}-"
    if not buttons and any(t.task.id.startswith(of_plan) and t.task.words == told for t in plan.tasks):
        return plan
    send = own_words(_name(plan, planned), told, asking_message(session, plan, planned))
    own = PlannedTask(
        task=send,
        buttons=tuple(buttons),
        is_own=True,
        people=planned.people,
        # the confirmation may repeat text of the plan, so it gets the same marks
        saw_outside=planned.saw_outside,
        is_derived=planned.is_derived,
        unseen=planned.unseen,
        known_links=planned.known_links,
        elsewhere=planned.elsewhere,
    )
    at = next(place for place, t in enumerate(plan.tasks) if t.task.id == planned.task.id) + 1
    return evolve(plan, tasks=(*plan.tasks[:at], own, *plan.tasks[at:]))


def asking_message(session: Session, plan: Plan, planned: PlannedTask) -> int | None:
    """Return the id of the message that asked for the task, to which lull replies in groups. Return None in other
    chats, or if there is no such message.
    """
    answers = origin_of(plan, planned).answers
    is_group = not session.chat.kind.is_of_one
    return answers[-1] if is_group and answers and answers[-1] > 0 else None


def cancel_data(conversation: str, reminder: Reminder) -> str:
    """Return the data of the button that cancels a reminder, in the form that the command /reminders reads."""
    return button_data("reminders", conversation, f"c{reminder.id}")
