"""Plans: the records by which commits write a chat's plan, and how one is read."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from pydantic import ValidationError

from shared.base.errors import PlanUnreadable
from shared.chat.store import layout, paths
from shared.chat.store.writes import CommitContext, Record, Write, WriteMode
from shared.tasks.plan import Plan

#: as long as somebody may ask what became of an answer
KEPT_PLANS = timedelta(days=90)


@dataclass(frozen=True)
class CurrentPlan(Record):
    """The chat's plan as it stands now."""

    plan: Plan

    def writes(self, commit: CommitContext) -> Iterator[Write]:
        """Replace the chat's plan."""
        yield Write(path=paths.plan_path(commit.chat.key), document=encode_plan(self.plan), mode=WriteMode.SET)


@dataclass(frozen=True)
class ReplacedPlan(Record):
    """A plan that another replaced; kept for whoever asks what became of it."""

    plan: Plan

    def writes(self, commit: CommitContext) -> Iterator[Write]:
        """Keep it beside the chat's plan."""
        path = paths.past_plan_path(commit.chat.key, self.plan.id)
        yield Write(path=path, document=encode_past_plan(self.plan), mode=WriteMode.SET)


def decode_plan(document: layout.Document | None) -> Plan | None:
    """The plan; none if there is no document. Raises PlanUnreadable."""
    try:
        return Plan.model_validate(document) if document is not None else None
    except ValidationError:
        # its cause would tell what people wrote
        raise PlanUnreadable(json.dumps(document, default=str)) from None


def encode_plan(plan: Plan) -> layout.Document:
    """A chat's plan."""
    return plan.model_dump()


def encode_past_plan(plan: Plan) -> layout.Document:
    """A plan that another replaced, with its TTL."""
    return plan.model_dump() | {layout.EXPIRES: plan.created_at + KEPT_PLANS}
