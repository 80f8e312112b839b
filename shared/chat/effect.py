"""Effects: what a task does to its chat where nobody is sent anything. The kinds that have one do it themselves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from shared.tasks.graph import waited, with_task
from shared.tasks.task import Task

if TYPE_CHECKING:
    from shared.chat.session import Session
    from shared.llm.ports.world import PortRegistry
    from shared.tasks.plan import Plan, PlannedTask
    from shared.values.agent import Agent


@dataclass(frozen=True, kw_only=True)
class EffectContext:
    """A task that is due, the plan that it stands in, and what its kind may use."""

    session: Session
    plan: Plan
    planned: PlannedTask
    agent: Agent
    #: stores, channel and queue, each under its type
    ports: PortRegistry
    #: tells the time in UTC
    clock: Callable[[], datetime]

    def done(self) -> Plan:
        """The plan in which the task is done, with nothing else changed."""
        return with_task(self.plan, waited(self.planned, self.clock()))


class EffectTask(Task):
    """A kind of task that changes what is kept, instead of sending something."""

    @abstractmethod
    async def take_effect(self, context: EffectContext) -> Plan:
        """Return the plan once the task is done or failed, with what lull says of it behind the task.

        Raises StoreUnavailable, StoreRefused or QueueUnavailable.
        """
        raise NotImplementedError(f"a task of the kind {self.kind} has no effect")


async def take_effect(context: EffectContext) -> Plan:
    """Return the plan once a task is done that is due and not sent; most kinds change nothing by that.

    Raises StoreUnavailable, StoreRefused or QueueUnavailable.
    """
    task = context.planned.task
    return await task.take_effect(context) if isinstance(task, EffectTask) else context.done()
