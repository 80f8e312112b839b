"""Spending in a tick: its budget, notices of limits, and replies that are limited to people within their limits.

If some of the authors are past their limit, the others are answered without them.
"""

from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from shared.base.errors import ModelTrouble
from shared.base.logs import log
from shared.base.model_call import ModelCall
from shared.base.wording.words import Phrase
from shared.chat.session import Session
from shared.chat.store.chats import ChatSnapshot
from shared.chat.wakes import give_back_wake
from shared.commands.command import verbatim
from shared.llm.metering import use_budget
from shared.spending.policy import BudgetBackend
from shared.spending.refusals import is_of_month, is_still_refused, zone_of
from shared.spending.tick_budget import TickBudgetService
from shared.tasks.graph import with_own_tasks
from shared.tasks.names import limit_task_id, soft_task_id
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.send import own_words
from shared.turn.batch import InboxBatch, people_of
from shared.turn.consulting import PlannedReply
from shared.turn.language import words_for
from shared.turn.replier import Replier
from shared.turn.services import TickContext
from shared.values.account import PERSON, day_label, month_of
from shared.values.agent import parse_zone
from shared.values.budget import ChatBudget, claim_budget
from shared.values.chat_key import ChatKey
from shared.values.decision import Decision, DecisionTier
from shared.values.evolve import evolve
from shared.values.message import Message
from shared.values.usage import payer_of
from shared.values.wake import WakeReason


def with_reservation(seen: ChatSnapshot, now: datetime) -> ChatSnapshot:
    """Return the chat as it is written when a tick claims it.

    What a dead tick had reserved is charged, and a new reservation for an answer is made.
    """
    chat = seen.chat
    budget = claim_budget(chat.budget, now, is_private=chat.key.is_private)
    return replace(seen, chat=evolve(chat, budget=budget))


@asynccontextmanager
async def open_wallet(context: TickContext) -> AsyncIterator[TickContext]:
    """Yield the context with a budget that pays for the tick's model calls. Afterwards, give back what was not spent.

    If a call was denied because other chats hold the rest of a limit, a tick is enqueued for each of them to return it.
    """
    budget_backend = context.services.budget_backend
    if budget_backend is None:
        yield context
        return
    budget_service = TickBudgetService(
        budget_backend=budget_backend, holder=context.session, person=_person(context.session)
    )
    if context.wake.reason in {WakeReason.SWEEP, WakeReason.GIVE_BACK}:
        await budget_service.clear()
    with use_budget(budget_service):
        yield replace(context, budget_service=budget_service)
    await budget_service.give_back()
    for one in budget_service.holders:
        wake = give_back_wake(ChatKey.from_id(one.chat), one.lease_id, context.now)
        await context.services.queue.enqueue(wake)


def limit_phrase(session: Session, now: datetime, replier: Replier, batch: InboxBatch) -> Phrase | None:
    """Return the notice that a limit is reached; None if the person already got it for this day or month.

    A notice with the text of a due reminder is sent each time, since the reminder does not come again.
    """
    words = words_for(batch.targets, batch.languages, session.chat)
    due = "\n".join(m.text for m in batch.targets if m.reminder is not None)
    if due:
        return words.say("reminder.at_limit", text=due)
    budget, zone = session.chat.budget, replier.agent.front.timezone
    refused = budget.refused
    label = refused.label if refused is not None else day_label(now, parse_zone(zone))
    person, zone = str(people_of(batch)[-1]), verbatim(zone_of(refused, zone))
    if budget.told.get(person) == label:
        return None
    _note_told(session, person, label)
    if refused is not None and refused.is_lent:
        return words.say("limit.lent_month") if is_of_month(refused) else words.say("limit.lent_day", zone=zone)
    return words.say("limit.month") if label == month_of(label) else words.say("limit.day", zone=zone)


def with_soft_limit_notice(session: Session, now: datetime, replier: Replier, batch: InboxBatch, plan: Plan) -> Plan:
    """Return the plan. If a cheaper model made it because of a soft limit, add a notice, once a day for each person."""
    chat, who = session.chat, payer_of(people_of(batch))
    is_answered = chat.budget.refused is None and bool(batch.targets) and bool(plan.calls)
    if not is_answered or not chat.budget.is_soft(who, now):
        return plan
    usual = evolve(chat, budget=ChatBudget())
    smaller = replier.model_of(chat, who)
    if plan.calls[-1].model != smaller or smaller == replier.model_of(usual):
        return plan
    today = day_label(now, parse_zone(replier.agent.front.timezone))
    person = f"~{who}"
    if chat.budget.told.get(person) == today:
        return plan
    _note_told(session, person, today)
    phrase = words_for(batch.targets, batch.languages, chat).say("limit.soft")
    target = batch.targets[-1].quotable if not batch.kind.is_of_one else None
    name = soft_task_id(batch.update_ids[-1] if batch.update_ids else batch.targets[-1].message_id)
    own = PlannedTask(task=own_words(name, phrase, target), is_own=True)
    return with_own_tasks(plan, [own], now)


def _note_told(session: Session, person: str, label: str) -> None:
    session.note_chat(evolve(session.chat, budget=mark_told(session.chat.budget, person, label)))


def mark_told(budget: ChatBudget, person: str, label: str) -> ChatBudget:
    """Return the budget with a note that a person was told of a limit (`label`), without earlier months' notes."""
    recent = {name: known for name, known in budget.told.items() if month_of(known) == month_of(label)}
    return evolve(budget, told={**recent, person: label})


def _person(session: Session) -> int:
    """Return the id of the person of a private chat, who is answered by default; 0 in other chats."""
    key = session.chat.key
    return key.chat_id if key.is_private else 0


#: the reason in the decision on a message whose author is past a limit
PAST_LIMIT: Final = "past a limit"


@dataclass(frozen=True, kw_only=True)
class BudgetedReply:
    """A reply to the people who still have budget. They are answered even if others of the batch have none left.

    The last author pays for the reply. If that author is past a limit, the reply is requested again for the others.
    """

    #: the batch, reduced to messages of people who may be answered
    batch: InboxBatch
    #: the model's reply; None until it is requested
    reply: PlannedReply | None = None
    #: the notices for the people who are not answered
    told: tuple[PlannedTask, ...] = ()
    #: the model calls for this reply; those for earlier replies are not included
    calls: tuple[ModelCall, ...] = ()
    #: the reply to the messages that were read first, and below, the ids of these messages. That reply is already paid
    #: for, and is used if nobody else can be answered
    earlier: PlannedReply | None = None
    answered: frozenset[int] = frozenset()

    @contextmanager
    def paying_for(self, context: TickContext) -> Iterator[None]:
        """Charge the model calls in the block to the last author."""
        with (
            context.budget_service.answering(payer_of(people_of(self.batch)))
            if context.budget_service is not None
            else nullcontext()
        ):
            yield

    async def after(self, context: TickContext, reply: PlannedReply) -> "BudgetedReply":
        """Return a copy with the model's reply. If the payer is past a limit and others can be answered, return a copy
        for their messages only: without a reply, or with the earlier reply if it already answers them.
        """
        payer = payer_of(people_of(self.batch))
        others = {m.message_id for m in self.batch.targets if m.author.id != payer}
        refused = context.session.chat.budget.refused
        # the limit is shared by everybody, perhaps except the owner
        if refused is not None and refused.scope != PERSON:
            others = await _of_owner(context.session, context.services.budget_backend, self.batch, payer)
        is_kept = bool(self.answered) and (not others or others == self.answered)
        if reply.result.trouble is not ModelTrouble.LIMIT or not (others or is_kept):
            return replace(self, reply=reply, calls=reply.result.calls)
        log("somebody is past a limit; the others are answered")
        left = self.answering(context, self.answered if is_kept else others)
        return replace(left, reply=self.earlier) if is_kept else left

    def answering(self, context: TickContext, left: Collection[int]) -> "BudgetedReply":
        """Reduce the reply to the messages `left`. The authors of the other messages get a notice of the limit."""
        gone = {m.message_id for m in self.batch.targets} - set(left)
        told = (*self.told, *_limit_tasks(context, _answering(self.batch, gone)))
        return replace(self, told=told, batch=_answering(self.batch, left))

    def with_notices(self, context: TickContext, plan: Plan) -> Plan:
        """Return the plan. It begins with the notices to the people who are not answered because of a limit."""
        return with_own_tasks(plan, self.told, context.now) if self.told else plan


def begin_reply(context: TickContext, batch: InboxBatch, before: BudgetedReply | None) -> BudgetedReply:
    """Begin a reply, except to people whose budget was refused recently. `before`: the reply that it replaces."""
    if before is None:
        if context.budget_service is not None:
            context.budget_service.begin_answer()
        begun = BudgetedReply(batch=batch)
    else:
        answered = frozenset(m.message_id for m in before.batch.targets)
        begun = BudgetedReply(batch=batch, told=before.told, earlier=before.reply, answered=answered)
    if left := _without_refused(context.session, context.now, context.services.budget_backend, batch):
        begun = begun.answering(context, left)
        if left == begun.answered:
            return replace(begun, reply=begun.earlier)
    return begun


def _without_refused(
    session: Session, now: datetime, budget_backend: BudgetBackend | None, batch: InboxBatch
) -> set[int]:
    """If one author's budget was refused recently, return the ids of the messages by other people. Return an empty set
    if no author was refused, or if there are no other messages.
    """
    chat = session.chat
    refused = chat.budget.refused
    if budget_backend is None or refused is None or refused.scope != PERSON:
        return set()
    days = budget_backend.terms.days(chat.key.agent, now)
    others = {m.message_id for m in batch.targets if m.author.id != refused.person}
    is_so = 0 < len(others) < len(batch.targets) and is_still_refused(refused, refused.person, days, now)
    return others if is_so else set()


async def _of_owner(session: Session, budget_backend: BudgetBackend | None, batch: InboxBatch, payer: int) -> set[int]:
    """Return the ids of the owner's messages, for which shared limits keep a reserve; empty if the owner pays."""
    owner = await budget_backend.owner(session.chat.key) if budget_backend is not None else 0
    return {m.message_id for m in batch.targets if m.author.id == owner} if owner and owner != payer else set()


def _limit_tasks(context: TickContext, refused: InboxBatch) -> tuple[PlannedTask, ...]:
    """Return the notice of the limit to the people who are not answered; empty if they already got it."""
    phrase = limit_phrase(context.session, context.now, context.services.replier, refused) if refused.targets else None
    if phrase is None:
        return ()
    last = refused.targets[-1]
    target = last.quotable if not refused.kind.is_of_one else None
    # the notice repeats the texts of due reminders, which may be untrusted
    holds_outside = any(m.holds_outside for m in refused.targets if m.reminder is not None)
    name = limit_task_id(last.message_id)
    return (PlannedTask(task=own_words(name, phrase, target), is_own=True, saw_outside=holds_outside),)


def _answering(batch: InboxBatch, message_ids: Collection[int]) -> InboxBatch:
    """Return the batch with only these messages to be answered. The others get a decision that a limit is reached."""
    others = {m.message_id for m in batch.targets if m.message_id not in message_ids}
    silence = Decision(respond=False, reason=PAST_LIMIT, tier=DecisionTier.NONE)
    entries = tuple(
        evolve(e, decision=silence) if isinstance(e, Message) and e.message_id in others else e for e in batch.entries
    )
    revived = tuple(m for m in batch.revived if m.message_id not in others)
    return replace(batch, entries=entries, revived=revived)
