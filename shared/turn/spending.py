"""Spending in a tick: its wallet, what a limit costs an answer, and what the owner is told of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime

from shared.base.wording.words import Phrase
from shared.chat.ports.chats import ChatSnapshot
from shared.chat.session import Session
from shared.chat.wakes import give_back_wake
from shared.commands.command import verbatim
from shared.llm.paying import paying
from shared.spending.refusals import is_of_month, zone_of
from shared.spending.wallet import TickWallet
from shared.tasks.names import soft_task_id
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.send import own_words
from shared.turn.batch import Batch, people_of
from shared.turn.command_runner import with_own_tasks
from shared.turn.language import words_for
from shared.turn.replier import Replier
from shared.turn.services import TickContext
from shared.values.account import day_label, month_of
from shared.values.agent import zone_named
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.purse import Purse
from shared.values.purses import claimed
from shared.values.usage import payer_of
from shared.values.wake import WakeReason


def reserving(seen: ChatSnapshot, now: datetime) -> ChatSnapshot:
    """The chat as its claim writes it: what a dead tick reserved is charged, and what an answer needs is reserved."""
    chat = seen.chat
    purse = claimed(chat.purse, now, is_private=chat.key.is_private)
    return replace(seen, chat=evolve(chat, purse=purse))


@asynccontextmanager
async def spending(context: TickContext) -> AsyncIterator[TickContext]:
    """The tick's work, with a wallet that pays for it; what is short is given back once the chat is released.

    Chats that have what is left of a limit are woken: they give it back.
    """
    treasury = context.services.treasury
    if treasury is None:
        yield context
        return
    wallet = TickWallet(treasury=treasury, holder=context.session, person=_person(context.session))
    if context.wake.reason in {WakeReason.SWEEP, WakeReason.GIVE_BACK}:
        await wallet.clear()
    with paying(wallet):
        yield replace(context, wallet=wallet)
    await wallet.give_back()
    for one in wallet.holders:
        wake = give_back_wake(ChatKey.from_id(one.chat), one.allowance, context.now)
        await context.services.queue.enqueue(wake)


def limit_told(session: Session, now: datetime, replier: Replier, batch: Batch) -> Phrase | None:
    """What is said when a limit is reached: once to each person in a day, or a month; none: it was said.

    What was to be done now by a reminder is told each time, since it is not told again.
    """
    words = words_for(batch.targets, batch.languages, session.chat)
    due = "\n".join(m.text for m in batch.targets if m.reminder is not None)
    if due:
        return words.say("reminder.at_limit", text=due)
    purse, zone = session.chat.purse, replier.agent.front.timezone
    refused = purse.refused
    label = refused.label if refused is not None else day_label(now, zone_named(zone))
    person, zone = str(people_of(batch)[-1]), verbatim(zone_of(refused, zone))
    if purse.told.get(person) == label:
        return None
    _note_told(session, person, label)
    if refused is not None and refused.is_lent:
        return words.say("limit.lent_month") if is_of_month(refused) else words.say("limit.lent_day", zone=zone)
    return words.say("limit.month") if label == month_of(label) else words.say("limit.day", zone=zone)


def with_soft_told(session: Session, now: datetime, replier: Replier, batch: Batch, plan: Plan) -> Plan:
    """The plan of a smaller model, which begins with the sentence that says so: once to each person in a day."""
    chat, who = session.chat, payer_of(people_of(batch))
    is_answered = chat.purse.refused is None and bool(batch.targets) and bool(plan.calls)
    if not is_answered or not chat.purse.is_soft(who, now):
        return plan
    usual = evolve(chat, purse=Purse())
    smaller = replier.model_of(chat, who)
    if plan.calls[-1].model != smaller or smaller == replier.model_of(usual):
        return plan
    today = day_label(now, zone_named(replier.agent.front.timezone))
    person = f"~{who}"
    if chat.purse.told.get(person) == today:
        return plan
    _note_told(session, person, today)
    phrase = words_for(batch.targets, batch.languages, chat).say("limit.soft")
    target = batch.targets[-1].quotable if not batch.kind.is_of_one else None
    name = soft_task_id(batch.update_ids[-1] if batch.update_ids else batch.targets[-1].message_id)
    own = PlannedTask(task=own_words(name, phrase, target), is_own=True)
    return with_own_tasks(plan, [own], now)


def _note_told(session: Session, person: str, label: str) -> None:
    session.note_chat(evolve(session.chat, purse=told_to(session.chat.purse, person, label)))


def told_to(purse: Purse, person: str, label: str) -> Purse:
    """The purse that knows what somebody was told: of the limit of a day or a month. An earlier month is over."""
    recent = {name: known for name, known in purse.told.items() if month_of(known) == month_of(label)}
    return evolve(purse, told={**recent, person: label})


def _person(session: Session) -> int:
    """Who is answered where nobody says: in a private chat the person."""
    key = session.chat.key
    return key.chat_id if key.is_private else 0
