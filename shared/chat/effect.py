"""Tasks that change stored data instead of sending something."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from shared.tasks.graph import let_time_pass, with_task
from shared.tasks.task import Task

if TYPE_CHECKING:
    from shared.chat.session import Session
    from shared.llm.ports.world import PortRegistry
    from shared.tasks.plan import Plan, PlannedTask
    from shared.values.agent import Agent


@dataclass(frozen=True, kw_only=True)
class EffectContext:
    """A due task with its plan, and the stores and functions that it may use."""

    session: Session
    plan: Plan
    planned: PlannedTask
    agent: Agent
    #: the stores, the channel and the queue, each under its type
    ports: PortRegistry
    #: returns the current time in UTC
    clock: Callable[[], datetime]

    def plan_with_task_done(self) -> Plan:
        """Return the plan with the task done and nothing else changed."""
        return with_task(self.plan, let_time_pass(self.planned, self.clock()))


class EffectTask(Task):
    """A kind of task that changes stored data instead of sending something."""

    @abstractmethod
    async def take_effect(self, context: EffectContext) -> Plan:
        """Return the plan with the task done or failed, and with lull's message about the result right after it. Raises
        StoreUnavailable, StoreRefused or QueueUnavailable.
        """
        raise NotImplementedError(f"the task kind {self.kind} must implement take_effect")

    def pause(self) -> timedelta:
        return timedelta()


async def take_effect(context: EffectContext) -> Plan:
    """Carry out a due task that sends nothing; return the changed plan. Any task but an EffectTask is only marked as
    done. Raises StoreUnavailable, StoreRefused or QueueUnavailable.
    """
    task = context.planned.task
    return await task.take_effect(context) if isinstance(task, EffectTask) else context.plan_with_task_done()
