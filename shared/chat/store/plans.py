"""The records that write a chat's plan, and the function that reads it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from pydantic import ValidationError

from shared.base.errors import PlanUnreadable
from shared.chat.store import layout, paths
from shared.chat.store.writes import CommitContext, Record, Write, WriteMode
from shared.tasks.plan import DeliveryState, Plan

#: how long an old plan can be looked up
KEPT_PLANS = timedelta(days=90)


@dataclass(frozen=True)
class CurrentPlan(Record):
    """The record of the chat's current plan.

    A plan with a message of unknown delivery is also stored among the past plans. The owner may want the message sent
    again when another plan has replaced this one.
    """

    plan: Plan

    def writes(self, commit: CommitContext) -> Iterator[Write]:
        """Yield the write that replaces the plan's document."""
        yield Write(path=paths.plan_path(commit.chat.key), document=encode_plan(self.plan), mode=WriteMode.SET)
        if any(one.state is DeliveryState.UNKNOWN for task in self.plan.tasks for one in task.deliveries):
            yield from ReplacedPlan(self.plan).writes(commit)


@dataclass(frozen=True)
class ReplacedPlan(Record):
    """The record of a plan that another plan replaced. It is kept so that the model can answer questions about it."""

    plan: Plan

    def writes(self, commit: CommitContext) -> Iterator[Write]:
        """Yield the write that stores the plan among the chat's past plans."""
        path = paths.past_plan_path(commit.chat.key, self.plan.id)
        yield Write(path=path, document=encode_past_plan(self.plan), mode=WriteMode.SET)


def decode_plan(document: layout.Document | None) -> Plan | None:
    """Return the plan; None if there is no document. Raises PlanUnreadable."""
    try:
        return Plan.model_validate(document) if document is not None else None
    except ValidationError:
        # the cause of the error would quote what people wrote
        raise PlanUnreadable(json.dumps(document, default=str)) from None


def encode_plan(plan: Plan) -> layout.Document:
    return plan.model_dump()


def encode_past_plan(plan: Plan) -> layout.Document:
    """Return a replaced plan's document with its TTL."""
    return plan.model_dump() | {layout.EXPIRES: plan.created_at + KEPT_PLANS}
