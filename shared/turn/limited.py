"""Limited: an answer to several people, some of whom are past their limit. The others are answered without them."""

from collections.abc import Awaitable, Callable, Collection
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Final

from shared.errors import ModelTrouble
from shared.logs import log
from shared.models.account import PERSON
from shared.models.decision import Decision, Tier
from shared.models.evolve import evolve
from shared.models.message import Message
from shared.models.usage import ModelCall, payer_of
from shared.spending.refusals import stands
from shared.tasks.names import limit_task_id
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.send import own_words
from shared.turn.batch import Batch, people_of
from shared.turn.command_runner import with_own_tasks
from shared.turn.consulting import Reply
from shared.turn.services import TickContext
from shared.turn.spending import limit_told

#: why a message is not answered, as its decision says
PAST_LIMIT: Final = "past a limit"


@dataclass(frozen=True)
class Within:
    """A reply, the batch without whom it does not answer, and what these are told."""

    reply: Reply
    batch: Batch
    told: tuple[PlannedTask, ...] = ()
    #: the model calls that this reply took, and none that an earlier one took
    calls: tuple[ModelCall, ...] = ()

    def with_told(self, context: TickContext, plan: Plan) -> Plan:
        """The plan, which begins with what is said to whom it does not answer."""
        return with_own_tasks(plan, self.told, context.now) if self.told else plan


async def within_limits(
    context: TickContext, batch: Batch, ask: Callable[[Batch], Awaitable[Reply]], earlier: Within | None
) -> Within:
    """What the model replies to those who may be answered; nobody can silence the others by what they write.

    A reply is paid for by who wrote last. If they are past their limit, it is asked for anew for the others. `earlier`
    is the reply to what was read before more was written: it is paid for, and stands if nobody else is to be answered.
    Raises what `ask` raises.
    """
    told = earlier.told if earlier is not None else ()
    if earlier is None and context.wallet is not None:
        context.wallet.begin_answer()
    answered = {m.message_id for m in earlier.batch.targets} if earlier is not None else set[int]()
    if left := _without_refused(context, batch):
        told += _told(context, _answering(batch, {m.message_id for m in batch.targets} - left))
        batch = _answering(batch, left)
        if earlier is not None and left == answered:
            return Within(earlier.reply, batch, told)
    while True:
        payer = payer_of(people_of(batch))
        with context.wallet.answering(payer) if context.wallet is not None else nullcontext():
            reply = await ask(batch)
        others = {m.message_id for m in batch.targets if m.author.id != payer}
        refused = context.session.chat.purse.refused
        if refused is not None and refused.scope != PERSON:  # nobody else is answered either, but perhaps the owner
            others = await _of_owner(context, batch, payer)
        is_kept = bool(answered) and (not others or others == answered)
        if reply.result.trouble is not ModelTrouble.LIMIT or not (others or is_kept):
            return Within(reply, batch, told, reply.result.calls)
        left = answered if is_kept else others
        told += _told(context, _answering(batch, {m.message_id for m in batch.targets} - left))
        batch = _answering(batch, left)
        log("somebody is past a limit; the others are answered")
        if earlier is not None and is_kept:
            return Within(earlier.reply, batch, told)


def _without_refused(context: TickContext, batch: Batch) -> set[int]:
    """The messages of the others, where one of those who wrote was refused not long ago, whoever wrote last."""
    treasury, chat = context.services.treasury, context.session.chat
    refused = chat.purse.refused
    if treasury is None or refused is None or refused.scope != PERSON:
        return set()
    days = treasury.terms.days(chat.key.agent, context.now)
    others = {m.message_id for m in batch.targets if m.author.id != refused.person}
    is_so = 0 < len(others) < len(batch.targets) and stands(refused, refused.person, days, context.now)
    return others if is_so else set()


async def _of_owner(context: TickContext, batch: Batch, payer: int) -> set[int]:
    """The messages of the owner, for whom a part is held back, unless they were refused themselves."""
    treasury = context.services.treasury
    owner = await treasury.owner(context.session.chat.key) if treasury is not None else 0
    return {m.message_id for m in batch.targets if m.author.id == owner} if owner and owner != payer else set()


def _told(context: TickContext, refused: Batch) -> tuple[PlannedTask, ...]:
    """What those are told who are not answered: of the limit, once."""
    phrase = limit_told(context, refused) if refused.targets else None
    if phrase is None:
        return ()
    last = refused.targets[-1]
    target = last.quotable if not refused.kind.is_of_one else None
    # what a reminder was to do now is told, and may be from outside
    holds_outside = any(m.holds_outside for m in refused.targets if m.reminder is not None)
    name = limit_task_id(last.message_id)
    return (PlannedTask(task=own_words(name, phrase, target), is_own=True, saw_outside=holds_outside),)


def _answering(batch: Batch, message_ids: Collection[int]) -> Batch:
    """The batch with these messages to be answered by the model, and no others."""
    others = {m.message_id for m in batch.targets if m.message_id not in message_ids}
    silence = Decision(respond=False, reason=PAST_LIMIT, tier=Tier.NONE)
    entries = tuple(
        evolve(e, decision=silence) if isinstance(e, Message) and e.message_id in others else e for e in batch.entries
    )
    revived = tuple(m for m in batch.revived if m.message_id not in others)
    return replace(batch, entries=entries, revived=revived)
