"""Run the commands of a batch: carry out their effects, change the chat, and plan lull's replies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from shared.base.errors import PlanUnreadable
from shared.base.logs import log
from shared.chat.session import Session
from shared.chat.store.conversations import FirestoreConversations
from shared.commands.command import AgentInfo, CommandRequest, CommandResponse
from shared.commands.parse import CommandInvocation, PressedButton
from shared.memory.prompt_memories import has_memory
from shared.reminders.tasks.tell_apart import SendUnrecorded
from shared.reminders.times.zones import first_zone
from shared.tasks.graph import with_own_tasks, without_cancelled
from shared.tasks.names import command_task_id
from shared.tasks.notice import Notice
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.rewrite import Rewrite
from shared.tasks.send import own_words
from shared.turn.batch import InboxBatch
from shared.turn.orders import note_choice
from shared.turn.services import TickContext
from shared.values.agent import parse_zone
from shared.values.chat import ConversationInfo
from shared.values.chat_key import ChatKind
from shared.values.evolve import evolve
from shared.values.message import ButtonPress, Message
from shared.values.money import NO_OWNER_LIMITS

if TYPE_CHECKING:
    from shared.chat.store.chats import FirestoreChats


@dataclass(frozen=True, kw_only=True)
class CommandsOutcome:
    """The result of a batch's commands: the plan, if any, and whether another conversation begins or is resumed."""

    plan: Plan | None
    begins_conversation: bool = False
    resumes: ConversationInfo | None = None


async def run_commands(context: TickContext, batch: InboxBatch, plan: Plan | None, *, is_busy: bool) -> CommandsOutcome:
    """Run the commands of a batch, and put lull's replies before the rest of the plan.

    All effects are carried out first. Each effect is a separate write. If the tick dies after the write, the next tick
    repeats it. `is_busy`: whether anything was planned, or any message waited for an answer, when the commands arrived.
    Raises StoreUnavailable.
    """
    context.session.note_conversation()  # buttons contain the conversation's id
    dispatcher = context.services.dispatcher
    results = [
        None
        if _is_repeated(batch, entry, invocation)
        else await dispatcher.effect_of(invocation, _request(context, batch, entry, invocation, is_busy))
        for entry, invocation in batch.commands
    ]
    before = await _answers_before(context.session, context.services.chats, batch, plan)
    own, responses = list[PlannedTask](), list[CommandResponse]()
    for (entry, invocation), result in zip(batch.commands, results, strict=True):
        # the name of an unknown command is not logged, since a person may have written anything in its place
        name = f"/{invocation.name}" if invocation.command is not None else "an unknown command"
        log(f"runs {name}", message_id=entry.message_id)
        changed = tuple(one for earlier in responses for one in earlier.reminders)
        request = _request(context, batch, entry, invocation, is_busy)
        request = replace(request, result=result, changed=changed)
        response = dispatcher.response_to(invocation, request)
        if invocation.order is not None and invocation.order.is_elsewhere(context.session.chat.conversation):
            conversations = context.services.runner.ports[FirestoreConversations]
            await note_choice(context.session, conversations, invocation.order, response.changes)
            continue
        context.session.note_chat(context.session.chat.with_changes(response.changes))
        responses.append(response)
        if not _needs_no_answer(batch, entry, invocation, before):
            own += _tasks(entry, invocation, response, batch.kind)
    plan = await _keeping(context, plan, responses)
    return CommandsOutcome(
        plan=with_own_tasks(plan, own, context.now) if own else plan,
        begins_conversation=any(response.begins_conversation for response in responses),
        resumes=next((response.resumes for response in responses if response.resumes is not None), None),
    )


async def _keeping(context: TickContext, plan: Plan | None, responses: Sequence[CommandResponse]) -> Plan | None:
    """Store changed reminders and notices, schedule their ticks, and cancel unsent reminders. Raises QueueError."""
    services, kept = context.services, [one for response in responses for one in response.reminders]
    notices = [one for response in responses for one in response.notices]
    if kept or notices:
        from shared.reminders.scheduler import ReminderScheduler

        await ReminderScheduler.of(services.runner.ports, services.clock).keep(context.session, (*kept, *notices))
        plan = without_cancelled(plan, kept)
    return plan


def _once_of(invocation: CommandInvocation) -> str:
    """Return the command's name if one answer is enough when a person repeats the command; else an empty string."""
    command = invocation.command
    return command.name if command is not None and command.is_said_once else ""


async def _answers_before(
    session: Session, chats: FirestoreChats, batch: InboxBatch, plan: Plan | None
) -> Sequence[PlannedTask]:
    """Return the tasks of the chat's plan that already answer commands for which one answer is enough.

    A finished plan is read only if the batch has such a command. Raises StoreUnavailable.
    """
    if not any(_once_of(invocation) for _, invocation in batch.commands):
        return ()
    if plan is None:
        try:
            plan = await chats.plan(session.chat.key)
        except PlanUnreadable:  # the plan is finished, so it may be ignored if it is unreadable
            return ()
    return tuple(t for t in plan.tasks if t.once) if plan is not None else ()


def _needs_no_answer(
    batch: InboxBatch, entry: Message | ButtonPress, invocation: CommandInvocation, before: Iterable[PlannedTask]
) -> bool:
    """Return whether this command gets no answer of its own, since another answer to the same command is enough, or
    since the owner gave the command in the console and wants no answer in the chat.
    """
    if invocation.order is not None:
        return invocation.order.is_press or not invocation.order.is_told
    name = _once_of(invocation)
    theirs = (t for t in before if t.once == name and entry.author.id in t.people)
    is_told = bool(name) and any(t.is_open or _came_after(t, entry, batch.kind) for t in theirs)
    return is_told or _is_repeated(batch, entry, invocation)


def _is_repeated(batch: InboxBatch, entry: Message | ButtonPress, invocation: CommandInvocation) -> bool:
    """Return whether the person sends this command again later in the batch, and one answer is enough."""
    if not _once_of(invocation):
        return False
    same = [e for e, other in batch.commands if other.name == invocation.name and e.author.id == entry.author.id]
    return same[-1] is not entry


def _came_after(answer: PlannedTask, entry: Message | ButtonPress, kind: ChatKind) -> bool:
    """Return whether an answer was sent after a message, so that the message's author had not seen the answer.

    This is determined by message ids, and only in private chats: if a group becomes a supergroup, its ids start again
    from 1.
    """
    sent = (message_id for delivery in answer.deliveries for message_id in delivery.message_ids)
    is_told = kind.is_of_one and isinstance(entry, Message)
    return is_told and any(message_id > entry.message_id for message_id in sent)


def _request(
    context: TickContext, batch: InboxBatch, entry: Message | ButtonPress, invocation: CommandInvocation, is_busy: bool
) -> CommandRequest:
    """Return the input of a command. Its `chat` already has the changes that the batch's earlier commands made."""
    agent = context.services.replier.agent_for(context.session.chat, entry.author.id)
    front, budget_backend, access_list = agent.front, context.services.budget_backend, batch.access.access_list
    own = NO_OWNER_LIMITS if access_list is None else access_list.limits
    return CommandRequest(
        agent=AgentInfo(
            name=front.name,
            username=front.username,
            zone=parse_zone(front.timezone),
            curated=agent.memories,
            remembers=has_memory(agent),
            models=tuple(context.services.replier.offered_models),
            limits=front.limits.at_most(own) if budget_backend is not None and budget_backend.terms.is_on else None,
        ),
        chat=evolve(context.session.chat, kind=batch.kind),
        person=entry.author,
        now=context.now,
        trust=batch.access.tier_of(entry.author.id),
        is_admitted=not batch.access.refusal(entry.author.id),
        zone=parse_zone(first_zone(context.session.chat.locale.group_zone, front.timezone)),
        is_order=invocation.order is not None,
        is_busy=is_busy,
        has_buttons=any(keyboard.is_for(entry.author.id) for keyboard in context.session.chat.talk.keyboards),
    )


def _tasks(
    entry: Message | ButtonPress, invocation: CommandInvocation, response: CommandResponse, kind: ChatKind
) -> Iterator[PlannedTask]:
    name = command_task_id(entry.updates[0])
    match invocation.button:
        case PressedButton(query_id=query_id, message_id=message_id):
            yield PlannedTask(task=Notice(id=name, query_id=query_id, text=response.notice), is_own=True)
            if response.text:
                rewrite = Rewrite(
                    id=f"{name}-text", message_id=message_id, text=response.text, is_apart=response.is_apart
                )
                yield PlannedTask(
                    task=rewrite, buttons=response.buttons, is_own=True, saw_outside=response.holds_outside
                )
        case None if response.text:
            quoted = entry.message_id if not kind.is_of_one and entry.message_id else None
            send = own_words(name, response.text, quoted)
            if response.is_apart:
                send = SendUnrecorded(id=name, text=response.text, reply_to=quoted)
            once = _once_of(invocation)
            people = (entry.author.id,) if once else ()
            own = PlannedTask(task=send, buttons=response.buttons, is_own=True, once=once, people=people)
            yield evolve(own, saw_outside=response.holds_outside, shows=response.shows)
