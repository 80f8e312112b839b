"""Turns as they went: what people wrote, why it was answered or not, the plan, its deliveries, what it cost."""

from collections.abc import Iterable
from dataclasses import dataclass

from shared.models.decision import Decision
from shared.models.message import AnyEntry, Message
from shared.models.usage import ModelCall, cost_of
from shared.tasks.names import apology_task_id, command_task_id
from shared.tasks.plan import Delivery, Plan


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What people wrote and the answer to it; `plan` is none where it is no longer kept, or nothing was planned."""

    number: int
    messages: tuple[Message, ...]
    plan: Plan | None = None

    @property
    def why(self) -> Decision | None:
        """Why it was answered; of a turn that was not, why its last message was not."""
        decisions = [message.decision for message in self.messages if message.decision is not None]
        return next((one for one in decisions if one.respond), decisions[-1] if decisions else None)

    @property
    def plan_id(self) -> str:
        """The plan that sent the agent's messages; empty while none is sent."""
        return next((message.plan for message in self.messages if message.plan), "")

    @property
    def said(self) -> tuple[Message, ...]:
        """The messages of the agent."""
        return tuple(message for message in self.messages if message.author.is_agent)

    def asked_by(self, message: Message) -> Message:
        """The last message of a person before one of the agent's; a person's message itself."""
        before = [one for one in self.messages if not one.author.is_agent and one.seq < message.seq]
        return before[-1] if message.author.is_agent and before else message

    @property
    def deliveries(self) -> tuple[Delivery, ...]:
        """The calls to Telegram that its plan made or will make."""
        return tuple(delivery for task in (self.plan.tasks if self.plan else ()) for delivery in task.deliveries)

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """The calls of models: for judging, and for the answer, whose calls are the plan's until it is sent."""
        judging = [call for message in self.messages if message.decision for call in message.decision.calls]
        answering = [call for message in self.messages for call in message.calls]
        return (*judging, *(answering or (self.plan.calls if self.plan else ())))

    @property
    def cost(self) -> float | None:
        """US dollars for the calls of models; none when the price of one is not known."""
        return cost_of(self.calls, self.messages[0].at)


def turns_of(entries: Iterable[AnyEntry], plan: Plan | None = None) -> tuple[Turn, ...]:
    """The turns of a conversation, in order. `plan` is the chat's: it belongs to the turn that it answers."""
    messages: dict[int, list[Message]] = {}
    for entry in entries:
        if isinstance(entry, Message) and entry.turn:
            messages.setdefault(entry.turn, []).append(entry)
    turns = (Turn(number=number, messages=tuple(said)) for number, said in messages.items())
    return tuple(with_plan(turn, plan) for turn in turns)


def commands_around(asked: Message, entries: Iterable[AnyEntry]) -> tuple[Message, ...]:
    """Return a command with its answer, or an answer with its command.

    Commands in a row are answered together. Their answers belong to them one by one if there is one for each.
    """
    run: list[Message] = []
    for entry in entries:
        if not isinstance(entry, Message) or not entry.is_command:
            continue
        if run and run[-1].author.is_agent and not entry.author.is_agent:
            if asked in run:
                break
            run = []
        run.append(entry)
    written, said = ([one for one in run if one.author.is_agent is own] for own in (False, True))
    pairs = zip(written, said, strict=True) if len(written) == len(said) else [tuple(run)]
    return next((some for some in pairs if asked in some), (asked,))


def with_plan(turn: Turn, plan: Plan | None) -> Turn:
    """The turn with a plan, if that is the plan which answers it."""
    if plan is None or (turn.plan_id != plan.id and not set(answered_by(plan, turn.messages))):
        return turn
    return Turn(number=turn.number, messages=turn.messages, plan=plan)


def answered_by(plan: Plan, messages: Iterable[Message]) -> tuple[int, ...]:
    """The ids of those messages that a plan answers: by a reply of the model's, or by lull's own words."""
    own = {task.task.id for task in plan.tasks if task.is_own}
    return tuple(
        message.message_id
        for message in messages
        if message.message_id in plan.answers
        or any(own & {command_task_id(one), apology_task_id(one)} for one in message.updates)
    )
