"""The history of one message: the messages, ticks and plan that belong to it. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from shared.base.model_call import ModelCall
from shared.chat.tick_record import RecordedPlan, TickRecord, record_plan
from shared.tasks.names import apology_task_id, command_task_id
from shared.tasks.plan import Plan
from shared.upkeep.store.recorded_pages import RecordedPage
from shared.values.decision import Decision, DecisionTier
from shared.values.message import AnyEntry, MediaDescribed, Message
from shared.values.usage import cost_of

#: the most messages of a turn that are shown, the newest of them
MOST_MESSAGES: Final = 50


@dataclass(frozen=True, kw_only=True)
class TurnHistory:
    """All known facts about one message: whether it was answered, why, by which plan, and in which ticks."""

    #: the message that was asked about
    subject: Message
    #: the messages of people that the plan answers; without a plan, only the subject
    asked: tuple[Message, ...] = ()
    #: the messages of the agent that the plan sent
    said: tuple[Message, ...] = ()
    #: the newest known state of the plan; None if there was none, or if nothing recorded it
    plan: RecordedPlan | None = None
    #: the texts of tasks that were not sent, by task, as long as the plan itself is stored
    summaries: Mapping[str, str] = field(default_factory=dict)
    #: the ticks that wrote the pages of these messages, in order
    ticks: tuple[TickRecord, ...] = ()
    #: decisions on messages that waited for a description of their files, by message id
    decided: Mapping[int, Decision] = field(default_factory=dict)

    @property
    def is_answered(self) -> bool:
        """Whether the agent sent a message, or a plan was made."""
        return bool(self.said) or self.plan is not None

    def decision_on(self, message: Message) -> Decision | None:
        """Return the latest decision on a message. A message that waited for a file's description has two decisions."""
        is_waiting = message.decision is not None and message.decision.tier is DecisionTier.WAIT
        return (self.decided.get(message.message_id) if is_waiting else None) or message.decision

    @property
    def judging(self) -> tuple[ModelCall, ...]:
        """The model calls that decided whether to answer the messages."""
        decisions = filter(None, map(self.decision_on, self.asked))
        return tuple(call for one in decisions for call in one.calls)

    @property
    def answering(self) -> tuple[ModelCall, ...]:
        """The model calls that made the plan."""
        if self.plan is not None and self.plan.calls:
            return self.plan.calls
        return tuple(call for message in self.said for call in message.calls)

    @property
    def cost(self) -> float | None:
        """The cost of all model calls in US dollars, or None if a price is not known."""
        return cost_of((*self.judging, *self.answering), self.subject.at)


def history_of(seq: int, pages: Sequence[RecordedPage], stored: Plan | None = None) -> TurnHistory | None:
    """Return the history of a message; None if these pages do not contain the message.

    `seq` is the entry number of the message, or of an entry about it, such as an edit or a reaction. `stored` is the
    message's plan, if the plan is still stored.
    """
    entries = [entry for page in pages for entry in page.entries]
    messages = [entry for entry in entries if isinstance(entry, Message)]
    subject = _subject(seq, entries, messages)
    if subject is None:
        return None
    plan = record_plan(stored) if stored is not None else recorded_plan(subject, pages)
    asked, said = _answered_messages(subject, messages, plan), _messages_of_agent(subject, messages, plan)
    shown = {one.seq for one in (subject, *asked, *said)}
    return TurnHistory(
        subject=subject,
        asked=asked,
        said=said,
        plan=plan,
        summaries={one.task.id: one.task.summary() for one in stored.tasks} if stored is not None else {},
        ticks=tuple(p.tick for p in pages if p.tick is not None and shown & {entry.seq for entry in p.entries}),
        decided=_decisions(entries),
    )


def plan_id_of(seq: int, pages: Sequence[RecordedPage]) -> str:
    """Return the id of the plan that sent a message of the agent, or that answers a message of a person; "" if none."""
    entries = [entry for page in pages for entry in page.entries]
    messages = [entry for entry in entries if isinstance(entry, Message)]
    subject = _subject(seq, entries, messages)
    if subject is None:
        return ""
    found = recorded_plan(subject, pages)
    return subject.plan or (found.id if found is not None else _plan_of_turn(subject, messages))


def recorded_plan(subject: Message, pages: Iterable[RecordedPage]) -> RecordedPlan | None:
    """Return the last record of the plan that sent or answers a message; None if no tick recorded it."""
    plans = [plan for page in pages if page.tick is not None for plan in page.tick.plans]
    if subject.author.is_agent:
        return next((one for one in reversed(plans) if one.id == subject.plan), None)
    return next((one for one in reversed(plans) if _answers(one, subject)), None)


def _answers(plan: RecordedPlan, message: Message) -> bool:
    """Return whether a plan answers a message, by the model's reply or by one of lull's own texts."""
    own = {task.id for task in plan.tasks if task.is_own}
    ids = {name for update in message.updates for name in (command_task_id(update), apology_task_id(update))}
    return message.message_id in plan.answers or not own.isdisjoint(ids)


def _subject(seq: int, entries: Sequence[AnyEntry], messages: Sequence[Message]) -> Message | None:
    found = next((entry for entry in entries if entry.seq == seq), None)
    if found is None or isinstance(found, Message):
        return found
    ids = found.message_ids if isinstance(found, MediaDescribed) else (getattr(found, "message_id", None),)
    return next((one for one in reversed(messages) if one.message_id in ids), None)


def _plan_of_turn(subject: Message, messages: Sequence[Message]) -> str:
    """Return the id of the plan that answered the turn of `subject`; "" if this message was not to be answered."""
    if subject.decision is None or not subject.decision.respond or not subject.turn:
        return ""
    return next((one.plan for one in messages if one.turn == subject.turn and one.plan and one.seq > subject.seq), "")


def _answered_messages(subject: Message, messages: Sequence[Message], plan: RecordedPlan | None) -> tuple[Message, ...]:
    """Return the people's messages that the plan answers. Without a plan, they are the earlier messages of the turn."""
    people = [one for one in messages if not one.author.is_agent]
    found = [one for one in people if plan is not None and _answers(plan, one)]
    if not found and subject.author.is_agent:
        before = [one for one in people if one.seq < subject.seq and one.turn == subject.turn]
        found = [one for one in before if one.decision is None or one.decision.respond] or before[-1:]
    if not subject.author.is_agent and subject not in found:
        found = [*found, subject] if plan is not None else [subject]
    return tuple(found[-MOST_MESSAGES:])


def _messages_of_agent(subject: Message, messages: Sequence[Message], plan: RecordedPlan | None) -> tuple[Message, ...]:
    plan_id = plan.id if plan is not None else subject.plan or _plan_of_turn(subject, messages)
    found = [one for one in messages if one.author.is_agent and plan_id and one.plan == plan_id]
    if subject.author.is_agent and subject not in found:
        found = [*found, subject]
    return tuple(found[-MOST_MESSAGES:])


def _decisions(entries: Iterable[AnyEntry]) -> dict[int, Decision]:
    told = (one for one in entries if isinstance(one, MediaDescribed))
    return {id_: one.decision for one in told if one.decision is not None for id_ in one.message_ids}
