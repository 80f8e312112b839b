"""Answer a batch: ask the model for a plan, and also read the messages that people write while the model thinks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from shared.base.errors import ModelTrouble, ModelUnavailable
from shared.base.logs import log
from shared.base.model_call import ModelCall
from shared.memory.loaded import LoadedMemories
from shared.planning.planner import PlanResult
from shared.tasks.graph import open_own_tasks, with_own_tasks
from shared.tasks.names import apology_task_id
from shared.tasks.plan import Plan
from shared.turn.activity import typing
from shared.turn.batch import InboxBatch, people_of, read_batch
from shared.turn.consulting import PlannedReply, PlanQuestion
from shared.turn.intake import MOST_REPLANS, RoundInput, judgements_in, with_files, with_judgements
from shared.turn.keyboards import acknowledge
from shared.turn.language import words_for
from shared.turn.media import TickMedia
from shared.turn.offers import with_offers, with_reminders
from shared.turn.promises import kept_promises, with_promises
from shared.turn.quarantine import read_unread
from shared.turn.services import TickContext
from shared.turn.spending import BudgetedReply, begin_reply, limit_phrase, with_soft_limit_notice
from shared.turn.talk import apology
from shared.turn.trouble import trouble_phrase
from shared.values.decision import RecallNote
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Message
from shared.values.model_name import GEMINI
from shared.values.origin import ConversationSpan, ids_in
from shared.values.retry import FailedAttempt, GiveUp, decide_retry

#: the longest pause that a model may ask for; after a longer one, it is given up
LONGEST_MODEL_WAIT = timedelta(minutes=10)
#: the phrase for untrusted text that an apology repeats from a reminder
SAYS_AGAIN = "the words of a reminder"


@dataclass(frozen=True, kw_only=True)
class AnswerResult:
    """The result of answering a batch, and the batch, which may have grown while the model was thinking.

    There is no plan if somebody asked to stop meanwhile, or if the agent was removed from the chat. In these cases
    `batch` contains the stop request or the removal.
    """

    batch: InboxBatch
    plan: Plan | None = None
    #: the ids of the people whom the model answers; empty for an apology
    people: tuple[int, ...] = ()
    #: whether updates are left for the next round
    leaves_some: bool = False
    #: the number of the last entry that the conversation's newest summary covers, if another summary is due; else None
    compress_after: int | None = None
    #: the reason why the model gave no plan, if there is none
    trouble: ModelTrouble = ModelTrouble.UNKNOWN
    #: the provider of the model
    provider: str = GEMINI
    #: the memories after this answer; None if the answer changes none
    loaded_memories: LoadedMemories | None = None


async def answer(context: TickContext, intake: RoundInput) -> AnswerResult:
    """Answer the messages of one round. Messages that arrive meanwhile are added, up to two times a round.

    Raises ModelUnavailable if a later tick has to ask the model again, and StopRequested if somebody asked to stop.
    """
    calls: tuple[ModelCall, ...] = ()
    batch, known, leaves_some, compress_after = intake.batch, None, False, None
    budgeted: BudgetedReply | None = None
    for replans in range(intake.replans, MOST_REPLANS + 1):
        budgeted = await _ask_model(context, intake, known, begin_reply(context, batch, budgeted))
        assert budgeted.reply is not None
        reply, batch = budgeted.reply, budgeted.batch
        calls += budgeted.calls
        if reply.is_given_up:
            break
        compress_after = reply.compress_after if compress_after is None else compress_after
        grown = await _read_more(context, intake, batch) if replans < MOST_REPLANS else None
        if grown is None:
            break
        if grown.is_stopped or grown.members.was_removed:
            return AnswerResult(batch=grown, compress_after=compress_after)
        if grown.commands:  # the next round begins with the commands
            leaves_some = True
            break
        asked, batch = batch, grown
        if not grown.calls_for_another_plan(asked):
            break
        # the memories that this reply stores are kept although its plan is replaced, and the next prompt shows them
        known = (await _plan_and_memories(context, reply, asked))[1]
        log("something was written meanwhile; planning again")
    assert budgeted is not None, "a plan is asked for at least once"
    budgeted = replace(budgeted, batch=batch, calls=calls)
    plan, known = await _whole_plan(context, intake, budgeted, known, replans)
    noted = with_recall(batch, reply.recall, reply.result.elsewhere)
    people = () if reply.result.failure else people_of(batch)
    trouble, provider = reply.result.trouble, reply.result.provider
    told = AnswerResult(batch=noted, plan=plan, people=people, trouble=trouble, provider=provider)
    return replace(told, compress_after=compress_after, loaded_memories=known, leaves_some=leaves_some)


async def _whole_plan(
    context: TickContext, intake: RoundInput, budgeted: BudgetedReply, known: LoadedMemories | None, replans: int
) -> tuple[Plan, LoadedMemories | None]:
    """Return the plan made from the last reply, and the memories as the plan changes them. The plan includes what lull
    adds: offers, apologies, notices of limits, and tasks carried over from the standing plan (the one in progress).
    """
    assert budgeted.reply is not None
    session, services, batch, reply = context.session, context.services, budgeted.batch, budgeted.reply
    words = words_for(batch.targets, batch.languages, session.chat)
    result = await _with_excuse(context, batch, reply.result)
    plan, known = await _plan_and_memories(context, replace(reply, result=result), batch, known)
    plan = evolve(plan, replans=replans, calls=budgeted.calls, language=words.language)
    plan = await with_reminders(session, services.runner, plan)
    plan = with_offers(session, plan, batch.targets, words, known)
    plan = (_prepend_apology if reply.result.failure else _in_place_of)(intake.standing, plan, batch)
    plan = with_soft_limit_notice(session, context.now, services.replier, batch, plan)
    return budgeted.with_notices(context, plan), known


async def _with_excuse(context: TickContext, batch: InboxBatch, result: PlanResult) -> PlanResult:
    """If the model gave no plan, add an apology to the result, unless the person already got a notice of a limit."""
    if not result.failure or result.tasks:
        return result
    if result.trouble is ModelTrouble.LIMIT:
        text = limit_phrase(context.session, context.now, context.services.replier, batch)
        result = _with_their_words(result, batch)
    else:
        words = words_for(batch.targets, batch.languages, context.session.chat)
        text = await trouble_phrase(
            context.session, context.services.owners, batch, result, words.say("apology.no_plan")
        )
    return replace(result, tasks=apology(batch, text) if text is not None else ())


def _with_their_words(result: PlanResult, batch: InboxBatch) -> PlanResult:
    """Return the result, marked as untrusted if its apology repeats untrusted texts of due reminders."""
    holds_outside = any(m.holds_outside for m in batch.targets if m.reminder is not None)
    return replace(result, outside=(*result.outside, SAYS_AGAIN), unseen=()) if holds_outside else result


async def _plan_and_memories(
    context: TickContext, reply: PlannedReply, batch: InboxBatch, known: LoadedMemories | None = None
) -> tuple[Plan, LoadedMemories | None]:
    """Return the plan of a reply, and the memories after the plan's memory tasks.

    `known`: the memories after an earlier reply, which are returned if this reply changes none.
    """
    services = context.services
    plan = services.replier.plan(reply.result, batch)
    plan, after = await reply.apply_memory_wishes(plan, batch.targets, services.owners, context.now)
    return plan, after or known


async def _ask_model(
    context: TickContext, intake: RoundInput, known: LoadedMemories | None, asked: BudgetedReply
) -> BudgetedReply:
    """Ask the model for a reply, or return a reply for which no model is needed.

    While the model is asked, people see the agent typing, and the lease is extended. Raises ModelUnavailable if a later
    tick has to try again.
    """
    services, session, is_put_off = context.services, context.session, intake.is_put_off(context.now)
    channel, flood_chat = services.runner.channel, session.recipient.flood_chat
    while asked.reply is None:
        pending = intake.pending_for(asked.batch)
        question = PlanQuestion(batch=asked.batch, pending=pending, known=known, is_put_off=is_put_off)
        is_shown = not is_put_off and services.runner.gate.known_until(flood_chat) is None
        with asked.paying_for(context):
            try:
                async with session.keep_lease():
                    async with typing(channel, session.recipient, is_shown=is_shown):
                        reply = await services.replier.ask(session, question)
                    reply = await _await_unseen_files(context.media, reply)
            except ModelUnavailable as error:
                reply = replace(await _without_model(context, asked.batch, error), is_given_up=True)
        asked = await asked.after(context, reply)
    return asked


async def _await_unseen_files(media: TickMedia, reply: PlannedReply) -> PlannedReply:
    """If the plan depends on files without a description, wait for their descriptions, then return the reply."""
    if not reply.waits_for_unseen:
        return reply
    return reply.having_seen(await media.wait_until_seen(reply.unseen))


async def _read_more(context: TickContext, intake: RoundInput, batch: InboxBatch) -> InboxBatch | None:
    """Return the batch enlarged by the updates that have arrived since the batch was read; None if there are none. The
    judge's decisions on the old messages are kept.
    """
    chats, chat = context.services.chats, context.session.chat
    if await chats.unread_count(chat.key) <= len(batch.update_ids):
        return None
    unread = (await read_unread(chats, chat)).updates
    situation = await with_files(context, intake.situation, unread)
    grown = with_judgements(read_batch(unread, situation), judgements_in(batch), situation)
    await acknowledge(
        context.session, context.services.runner, [choice for choice in grown.choices if choice not in batch.choices]
    )
    return grown


async def _without_model(context: TickContext, batch: InboxBatch, error: ModelUnavailable) -> PlannedReply:
    """Raise the error, so that a later tick tries again; after enough tries, return an apology instead."""
    failure = FailedAttempt(why=str(error), tries=context.wake.model_tries + 1)
    decision = decide_retry(failure, context.services.budgets.model, context.now)
    if error.wait is not None and error.wait > LONGEST_MODEL_WAIT:
        decision = GiveUp(f"{error}: it is not there before long")
    if not isinstance(decision, GiveUp):
        raise error
    if error.trouble is ModelTrouble.LIMIT and context.budget_service is not None:
        context.budget_service.give_up()
        return PlannedReply(result=PlanResult(failure=decision.why, trouble=error.trouble))
    words = words_for(batch.targets, batch.languages, context.session.chat)
    due = "\n".join(m.text for m in batch.targets if m.reminder is not None)
    otherwise = words.say("reminder.not_done", text=due) if due else words.say("apology.no_model")
    calls = tuple(filter(None, [error.call]))
    failed = PlanResult(calls=calls, failure=decision.why, trouble=error.trouble)
    # an apology about the model alone would leave out the text of the due reminder
    text = (
        otherwise if due else await trouble_phrase(context.session, context.services.owners, batch, failed, otherwise)
    )
    return PlannedReply(result=_with_their_words(replace(failed, tasks=apology(batch, text)), batch))


def _in_place_of(standing: Plan | None, plan: Plan, batch: InboxBatch) -> Plan:
    """Return the new plan, which replaces the standing one. It begins with lull's own unsent messages from the standing
    plan, and ends with messages that the standing plan promised for later.
    """
    plan = with_promises(plan, kept_promises(standing, people_of(batch)))
    return evolve(plan, tasks=(*open_own_tasks(standing), *plan.tasks))


def _prepend_apology(standing: Plan | None, failed: Plan, batch: InboxBatch) -> Plan:
    """Put the apology before the tasks of the standing plan, which stay, since no new plan replaces them."""
    if standing is None or not standing.is_open:
        return failed
    name = apology_task_id(batch.update_ids[-1] if batch.update_ids else batch.targets[-1].message_id)
    own = [evolve(t, is_own=True, task=evolve(t.task, id=name)) for t in failed.tasks]
    return evolve(
        with_own_tasks(standing, own, failed.created_at),
        calls=(*standing.calls, *failed.calls),
        notes=(*standing.notes, *failed.notes),
    )


def with_recall(batch: InboxBatch, note: RecallNote | None, elsewhere: Sequence[ConversationSpan] = ()) -> InboxBatch:
    """Return the batch with `note`, the record of a search in older messages, in the decision on the newest question.

    If the model was shown messages from other conversations (`elsewhere`), the ids of the authors of these messages are
    stored with the last message to be answered.
    """
    question, shown_of = batch.question, ids_in(elsewhere)
    last = batch.targets[-1].message_id if batch.targets and shown_of else 0
    if not last and (note is None or question is None):
        return batch

    def annotate(entry: AnyEntry) -> AnyEntry:
        if not isinstance(entry, Message):
            return entry
        changes: dict[str, object] = {"shown_of": shown_of} if last and entry.message_id == last else {}
        if note is not None and question is not None and entry.message_id == question.message_id and entry.decision:
            changes["decision"] = evolve(entry.decision, recall=note)
        return entry.model_copy(update=changes) if changes else entry

    return replace(batch, entries=tuple(map(annotate, batch.entries)))
