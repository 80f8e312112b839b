"""Intake: read a tick's unread updates, and decide which messages to answer. A small model judges unclear messages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from shared.access.checker import AccessChecker
from shared.base.logs import log
from shared.chat.session import Session
from shared.commands.command import Permission
from shared.deciding.access_policy import OPEN, AccessPolicy
from shared.media.store.media import SentFile
from shared.spending.tick_budget import TickBudgetService
from shared.tasks.graph import origin_of
from shared.tasks.plan import Plan, PlannedTask
from shared.telegram.inbound.entries import entry_of
from shared.turn.batch import (
    STOPPED_REASON,
    InboxBatch,
    circumstances_of,
    people_of,
    read_batch,
    stop_batch,
    with_unanswered,
)
from shared.turn.hearing import unheard_entries, waiting_in
from shared.turn.judge import judge
from shared.turn.keyboards import acknowledge
from shared.turn.promises import kept_promises
from shared.turn.replier import Replier
from shared.turn.services import JudgeSettings, TickContext
from shared.turn.situation import ChatSituation
from shared.values.access_request import ADMITTED
from shared.values.decision import Decision, DecisionTier
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Edit, MediaDescribed, Message
from shared.values.update import InboxUpdate
from shared.values.usage import ModelUse, Purpose

#: the number of times that a plan may be replaced before its first message is sent, because people wrote meanwhile
MOST_REPLANS = 2
#: the minimum time after which waiting messages are checked again
LEAST_WAIT = timedelta(seconds=1)


@dataclass(frozen=True, kw_only=True)
class RoundInput:
    """The unread updates that a tick reads at once, their batch, and the standing plan (the one in progress)."""

    standing: Plan | None
    unread: Sequence[InboxUpdate]
    situation: ChatSituation
    batch: InboxBatch

    def pending_for(self, batch: InboxBatch) -> tuple[PlannedTask, ...]:
        """Return the unfinished tasks of the standing plan, as they are listed in the prompt.

        First come the tasks that a new plan would replace, then the promised messages that it would carry over.
        """
        if self.standing is None:
            return ()
        stays = kept_promises(self.standing, people_of(batch))
        origins = {planned.kept_from for planned in stays}
        open_tasks = (t for t in self.standing.tasks if t.is_open and not t.is_own)
        return (*(t for t in open_tasks if origin_of(self.standing, t) not in origins), *stays)

    @property
    def replans(self) -> int:
        """The number of plans in a row that were replaced before any part of them was sent; at most MOST_REPLANS."""
        if (
            self.standing is None
            or self.standing.is_begun
            or not any(t.is_open for t in self.standing.tasks if t.is_fresh)
        ):
            return 0
        return min(self.standing.replans + 1, MOST_REPLANS)

    def is_put_off(self, at: datetime) -> bool:
        """Return whether a task of the standing plan must wait until after `at`, because Telegram has not accepted the
        task yet, for example because of a rate limit.
        """
        tasks = (t for t in self.standing.tasks if t.is_open and not t.task.traits.elapses) if self.standing else ()
        return any(t.not_before is not None and t.not_before > at for t in tasks)


async def read_round_input(context: TickContext, standing: Plan | None, unread: Sequence[InboxUpdate]) -> RoundInput:
    """Read unread updates, and decide which messages to answer. Raises StopRequested if a stop was requested."""
    services, session = context.services, context.session
    is_decided = any(update.envelope.kind == ADMITTED for update in unread)
    situation = ChatSituation(
        me=services.me,
        access=await access_in(context.session, context.budget_service, context.services.admission, unread),
        decision_settings=services.decision_settings,
        window=await session.window(),
        standing=standing,
        # if the owner admits a person now, that person has written again after asking for silence
        is_muted=session.chat.is_muted(context.now) and not (session.chat.key.is_of_one and is_decided),
        permissions=context.administrators.known,
        kind=session.chat.kind,
        conversation=session.chat.conversation,
        talk=session.chat.talk,
        locale=session.chat.locale,
    )
    situation = await with_files(context, situation, unread)
    batch = read_batch(unread, situation)
    if await context.administrators.ask_about(_of_unknown_rights(batch)):
        batch = read_batch(unread, situation)
    if services.judge_settings is not None:
        async with session.keep_lease():
            batch = await _judge_unclear(
                context.session, context.services.replier, context.services.judge_settings, batch, situation
            )
    await acknowledge(context.session, context.services.runner, batch.choices)
    here = evolve(session.chat, kind=batch.kind)
    await context.media.ask(_with_answers(batch), here, context.now, batch.access)
    return RoundInput(standing=standing, unread=unread, situation=situation, batch=batch)


async def access_in(
    session: Session,
    budget_service: TickBudgetService | None,
    admission: AccessChecker | None,
    unread: Sequence[InboxUpdate],
) -> AccessPolicy:
    """Return the rules for who may be answered here. Raises StoreUnavailable or StoreRefused."""
    access = await admission.access(session.chat, unread) if admission is not None else OPEN
    if budget_service is not None:
        budget_service.is_fellow = access.is_fellow
    return access


def _with_answers(batch: InboxBatch) -> Sequence[AnyEntry]:
    """Return the entries whose files are to be described. Entries by people who may not be answered are left out, since
    nobody pays for describing their files.

    If the owner has just admitted the author, messages that waited for the owner's decision are included.
    """
    let_in = batch.revived if batch.is_admitted else ()
    return (*let_in, *(e for e in batch.entries if not (isinstance(e, Message | Edit) and _is_refused(e, batch))))


def _is_refused(entry: Message | Edit, batch: InboxBatch) -> bool:
    return not entry.author.is_agent and bool(batch.access.refusal(entry.author.id))


async def with_files(context: TickContext, situation: ChatSituation, unread: Sequence[InboxUpdate]) -> ChatSituation:
    """Return the situation with what is known about the updates' files. Raises StoreUnavailable or StoreRefused."""
    chat, me = context.session.chat, context.services.me
    # it is not known yet who will be answered; the last author is the most likely
    entries = (entry_of(update, me.bot_id) for update in reversed(unread) if chat.budget.soft_for)
    person = next((one.author.id for one in entries if isinstance(one, Message)), 0)
    model = context.services.replier.model_of(chat, person)
    return await context.media.with_known_files(situation, unread, model, context.now)


def is_to_be_read(session: Session, now: datetime, unread: Sequence[InboxUpdate]) -> bool:
    """Return whether there is something to read: unread updates, or messages that have waited long enough."""
    waits_until = session.chat.planning.waits_until
    return bool(unread) or (waits_until is not None and waits_until <= now)


def log_decisions(batch: InboxBatch) -> None:
    """Log the decisions in a batch's entries: those on messages, edits and descriptions of files."""
    for entry in batch.entries:
        if isinstance(entry, Message | Edit | MediaDescribed) and entry.decision is not None:
            _log_decision(entry, entry.decision)


def _log_decision(entry: Message | Edit | MediaDescribed, made: Decision) -> None:
    log(
        "decided",
        message_id=entry.message_ids[-1] if isinstance(entry, MediaDescribed) else entry.message_id,
        entry=entry.type,
        respond=made.respond,
        reason=made.reason,
        tier=made.tier.value,
        ms=made.ms,
    )


async def note_files(context: TickContext, batch: InboxBatch) -> None:
    """Record a batch's files with their senders, and the time until which messages wait. Raises StoreUnavailable."""
    session = context.session
    for reference in await context.media.ask(_with_answers(batch), session.chat, context.now, batch.access):
        session.note(SentFile(reference))
    if context.services.media is None and session.chat.planning.waits_until is None:
        return
    waiting = waiting_in(await session.window())
    if batch.is_stopped and waiting:
        silence = Decision(respond=False, reason=STOPPED_REASON, tier=DecisionTier.NONE)
        await session.note_entries(told for one in waiting for told in unheard_entries(one, context.now, silence))
        waiting = ()
    # an earlier tick may have reached its limit of requests; requesting a description twice does no harm
    own = {entry.message_id for entry in batch.entries if isinstance(entry, Message)}
    earlier = [one for one in waiting if one.message_id not in own]
    await context.media.ask(earlier, session.chat, context.now, batch.access)
    untils = (one.decision.until or context.now for one in waiting if one.decision is not None)
    soonest = min(untils, default=None)
    # if this time were in the past, each tick would start the next one at once
    session.note_part(evolve(session.chat.planning, waits_until=soonest and max(soonest, context.now + LEAST_WAIT)))


def _of_unknown_rights(batch: InboxBatch) -> set[int]:
    """Return the ids of people who sent a command for administrators, if it is unknown whether they may use it."""
    return {entry.author.id for entry, command in batch.commands if command.permission is Permission.UNKNOWN}


async def _judge_unclear(
    session: Session,
    replier: Replier,
    judge_settings: JudgeSettings | None,
    batch: InboxBatch,
    situation: ChatSituation,
) -> InboxBatch:
    """Return the batch after the judge has decided on its newest unclear message, with at most one call.

    The judge is not called if the batch is answered anyway, or if the batch has a command or removes the agent.
    """
    unclear = judgements_in(batch)
    if judge_settings is None or batch.targets or batch.commands or batch.members.was_removed or not unclear:
        return with_judgements(batch, {}, situation)
    message = [e for e in batch.entries if isinstance(e, Message) and e.message_id in unclear][-1]
    given = circumstances_of(batch.kind, batch.entries, situation)
    use = ModelUse(purpose=Purpose.JUDGE, chat=session.chat.key, person=message.author.id)
    model = replier.models.model(judge_settings.model, use)
    decision = await judge(model, message, given, judge_settings.timeout_s)
    return with_judgements(batch, {message.message_id: decision}, situation)


def with_judgements(batch: InboxBatch, judgements: Mapping[int, Decision], situation: ChatSituation) -> InboxBatch:
    """Return the batch with the judge's decisions on its unclear messages. `judgements` maps message ids to decisions.

    An unclear message without a judgement is not answered, and its decision is not recorded as one of the judge's.
    """

    def settle(entry: AnyEntry) -> AnyEntry:
        if not isinstance(entry, Message) or entry.decision is None or entry.decision.tier is not DecisionTier.JUDGE:
            return entry
        unseen = evolve(entry.decision, tier=DecisionTier.NONE)
        return evolve(entry, decision=judgements.get(entry.message_id, unseen))

    judged = replace(batch, entries=tuple(map(settle, batch.entries)))
    return stop_batch(judged) if judged.is_stopped else with_unanswered(judged, situation)


def judgements_in(batch: InboxBatch) -> dict[int, Decision]:
    """Return the decisions that are left to the judge or that it has made, by message id."""
    decided = ((e.message_id, e.decision) for e in batch.entries if isinstance(e, Message))
    return {i: decision for i, decision in decided if decision is not None and decision.tier is DecisionTier.JUDGE}
