"""Obeying: what the commands of a batch change, and what lull says to them."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from ulid import ULID

from shared.commands.answers import answer_to
from shared.commands.declared import BY_NAME
from shared.commands.parse import Command, PressedButton
from shared.commands.place import Answer, Place
from shared.executing.graph import kept
from shared.logs import current_trace, log
from shared.models.agent import zone_named
from shared.models.chat import ChatKind
from shared.models.message import Message, Press
from shared.session.session import Session
from shared.tasks.notice import Notice
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.rewrite import Rewrite
from shared.tasks.send import Send
from shared.tasks.task import own_task_id
from shared.turn.attendance import Attendance
from shared.turn.batch import Batch


def obey(attendance: Attendance, hold: Session, batch: Batch, plan: Plan | None, *, is_busy: bool) -> Plan:
    """The plan with what lull says to the commands of a batch before all else; the rest of it goes on.

    `is_busy`: whether something was planned or waited to be answered when they came.
    """
    hold.note_conversation()  # buttons name it
    own: list[PlannedTask] = []
    front = attendance.replier.agent.front
    for entry, command in batch.commands:
        # what is no command of lull's is what somebody wrote
        what = f"/{command.name}" if command.name in BY_NAME else "a command that there is not"
        log(f"obeying {what}", message_id=entry.message_id)
        place = Place(
            agent=front.name,
            chat=hold.chat.model_copy(update={"kind": batch.kind}),
            person=entry.author,
            language=command.language,
            now=attendance.clock(),
            zone=zone_named(front.timezone),
            models=tuple(attendance.replier.choices),
            is_busy=is_busy,
            claim=command.claim,
        )
        answer = answer_to(command, place)
        hold.note_chat(**answer.changes)
        own += _tasks(entry, command, answer, batch.kind)
    return beside(plan, own, attendance.clock())


def beside(plan: Plan | None, own: Sequence[PlannedTask], now: datetime) -> Plan:
    """The plan with what lull itself says before all else; the rest of it goes on.

    What lull has said in it is over and left out: in a plan that stands for weeks it would grow too large to be stored.
    """
    if plan is None:
        return Plan(id=str(ULID()), created_at=now, tasks=tuple(own), trace=current_trace())
    rest = (t for t in plan.tasks if not t.is_own)
    return plan.model_copy(update={"tasks": (*kept(plan), *own, *rest)})


def _tasks(entry: Message | Press, command: Command, answer: Answer, kind: ChatKind) -> Iterator[PlannedTask]:
    name = own_task_id(entry.updates[0])
    match command.button:
        case PressedButton(query_id=query_id, message_id=message_id):
            yield PlannedTask(task=Notice(id=name, query_id=query_id, text=answer.notice), is_own=True)
            if answer.text:
                rewrite = Rewrite(id=f"{name}-text", message_id=message_id, text=answer.text)
                yield PlannedTask(task=rewrite, buttons=answer.buttons, is_own=True)
        case None:
            quoted = entry.message_id if kind is not ChatKind.PRIVATE else None
            send = Send(id=name, text=answer.text, reply_to=quoted)
            yield PlannedTask(task=send, buttons=answer.buttons, is_own=True)
