"""Limited: an answer to several people, some of whom are past their limit. The others are answered without them."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from shared.base.errors import ModelTrouble
from shared.base.logs import log
from shared.base.model_call import ModelCall
from shared.chat.session import Session
from shared.spending.refusals import stands
from shared.spending.treasury import Treasury
from shared.tasks.names import limit_task_id
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.send import own_words
from shared.turn.batch import Batch, people_of
from shared.turn.command_runner import with_own_tasks
from shared.turn.consulting import Reply
from shared.turn.services import TickContext
from shared.turn.spending import limit_told
from shared.values.account import PERSON
from shared.values.decision import Decision, Tier
from shared.values.evolve import evolve
from shared.values.message import Message
from shared.values.usage import payer_of

#: why a message is not answered, as its decision says
PAST_LIMIT: Final = "past a limit"


@dataclass(frozen=True, kw_only=True)
class BudgetedReply:
    """A reply limited to the people who still have budget; nobody can silence the others by what they write.

    It is paid for by who wrote last. If they are past their limit, it is asked for anew for the others.
    """

    #: those who may be answered
    batch: Batch
    #: None: it is still to be asked for
    reply: Reply | None = None
    #: what those are told whom it does not answer
    told: tuple[PlannedTask, ...] = ()
    #: the model calls that this reply took, and none that an earlier one took
    calls: tuple[ModelCall, ...] = ()
    #: the reply to what was read before more was written, and the messages that it answers. It is paid for, and stands
    #: if nobody else is to be answered
    earlier: Reply | None = None
    answered: frozenset[int] = frozenset()

    @contextmanager
    def paid(self, context: TickContext) -> Iterator[None]:
        """Have the calls of the block paid for by who wrote last."""
        with context.wallet.answering(payer_of(people_of(self.batch))) if context.wallet is not None else nullcontext():
            yield

    async def after(self, context: TickContext, reply: Reply) -> "BudgetedReply":
        """Take a reply: it stands, unless who pays for it is past a limit and others are to be answered."""
        payer = payer_of(people_of(self.batch))
        others = {m.message_id for m in self.batch.targets if m.author.id != payer}
        refused = context.session.chat.purse.refused
        if refused is not None and refused.scope != PERSON:  # nobody else is answered either, but perhaps the owner
            others = await _of_owner(context.session, context.services.treasury, self.batch, payer)
        is_kept = bool(self.answered) and (not others or others == self.answered)
        if reply.result.trouble is not ModelTrouble.LIMIT or not (others or is_kept):
            return replace(self, reply=reply, calls=reply.result.calls)
        log("somebody is past a limit; the others are answered")
        left = self.answering(context, self.answered if is_kept else others)
        return replace(left, reply=self.earlier) if is_kept else left

    def answering(self, context: TickContext, left: Collection[int]) -> "BudgetedReply":
        """The same for these messages; who wrote the others is told of the limit."""
        gone = {m.message_id for m in self.batch.targets} - set(left)
        told = (*self.told, *_told(context, _answering(self.batch, gone)))
        return replace(self, told=told, batch=_answering(self.batch, left))

    def with_told(self, context: TickContext, plan: Plan) -> Plan:
        """The plan, which begins with what is said to whom it does not answer."""
        return with_own_tasks(plan, self.told, context.now) if self.told else plan


def begin_reply(context: TickContext, batch: Batch, before: BudgetedReply | None) -> BudgetedReply:
    """Begin a reply to a batch, without who was refused not long ago.

    `before` is the reply to what was read before more was written.
    """
    if before is None:
        if context.wallet is not None:
            context.wallet.begin_answer()
        begun = BudgetedReply(batch=batch)
    else:
        answered = frozenset(m.message_id for m in before.batch.targets)
        begun = BudgetedReply(batch=batch, told=before.told, earlier=before.reply, answered=answered)
    if left := _without_refused(context.session, context.now, context.services.treasury, batch):
        begun = begun.answering(context, left)
        if left == begun.answered:
            return replace(begun, reply=begun.earlier)
    return begun


def _without_refused(session: Session, now: datetime, treasury: Treasury | None, batch: Batch) -> set[int]:
    """The messages of the others, where one of those who wrote was refused not long ago, whoever wrote last."""
    chat = session.chat
    refused = chat.purse.refused
    if treasury is None or refused is None or refused.scope != PERSON:
        return set()
    days = treasury.terms.days(chat.key.agent, now)
    others = {m.message_id for m in batch.targets if m.author.id != refused.person}
    is_so = 0 < len(others) < len(batch.targets) and stands(refused, refused.person, days, now)
    return others if is_so else set()


async def _of_owner(session: Session, treasury: Treasury | None, batch: Batch, payer: int) -> set[int]:
    """The messages of the owner, for whom a part is held back, unless they were refused themselves."""
    owner = await treasury.owner(session.chat.key) if treasury is not None else 0
    return {m.message_id for m in batch.targets if m.author.id == owner} if owner and owner != payer else set()


def _told(context: TickContext, refused: Batch) -> tuple[PlannedTask, ...]:
    """What those are told who are not answered: of the limit, once."""
    phrase = limit_told(context.session, context.now, context.services.replier, refused) if refused.targets else None
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
