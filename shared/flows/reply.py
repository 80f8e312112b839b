"""Replying: from what was said to a plan, or to an honest sentence when there is none to be had."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ulid import ULID

from shared.executing.graph import planned
from shared.flows.batch import Batch
from shared.logs import current_trace, log
from shared.models.agent import Agent
from shared.models.chat import ChatKind
from shared.models.plan import Plan, PlannedTask, Send
from shared.models.prompt import PromptFormat
from shared.planning.planner import Drafted, draft_plan
from shared.ports import Model
from shared.prompting.assemble import Scene, assemble
from shared.ticking.holding import Holding

NO_PLAN = "Sorry, I could not put an answer together just now. Please ask me again."
NO_MODEL = "Sorry, I cannot reach the model that I think with right now. Please ask me again in a while."


@dataclass(frozen=True, kw_only=True)
class Replier:
    """What replying needs: the model with its notes, and the agent."""

    model: Model
    model_notes: str
    agent: Agent
    format: PromptFormat
    clock: Callable[[], datetime]

    async def draft(self, hold: Holding, batch: Batch, pending: Sequence[PlannedTask]) -> Drafted:
        """What the model wants done about a batch. Raises ModelUnavailable."""
        scene = Scene(
            agent=self.agent,
            model_notes=self.model_notes,
            chat=hold.chat.model_copy(update={"kind": batch.kind, "title": batch.title or hold.chat.title}),
            entries=(*await hold.window(), *batch.entries),
            targets=[message.message_id for message in batch.targets],
            pending=pending,
            now=self.clock(),
            format=self.format,
        )
        return await draft_plan(self.model, assemble(scene), self.agent.kinds)

    def plan(self, drafted: Drafted, batch: Batch) -> Plan:
        """The plan for a batch: what was drafted, or one honest sentence."""
        if drafted.failure:
            log(f"no plan: {drafted.failure}")
        tasks = drafted.tasks if not drafted.failure else apology(batch, NO_PLAN)
        return Plan(
            id=str(ULID()),
            created_at=self.clock(),
            tasks=planned(tasks),
            answers=tuple(message.message_id for message in batch.targets),
            notes=(*drafted.notes, drafted.failure) if drafted.failure else drafted.notes,
            calls=drafted.calls,
            trace=current_trace(),
        )


def apology(batch: Batch, text: str) -> tuple[Send, ...]:
    """One sentence to whoever is waiting for an answer; in a group as a reply, so that nobody else wonders."""
    target = batch.targets[-1].message_id if batch.targets and batch.kind is not ChatKind.PRIVATE else None
    return (Send(id="1", text=text, reply_to=target),)
