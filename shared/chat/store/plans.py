"""Plans: the records by which commits write a chat's plan, and how one is read."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import ValidationError

from shared.base.errors import PlanUnreadable
from shared.chat.store import layout, paths
from shared.chat.store.writes import Commit, Mode, Record, Write
from shared.tasks.plan import Plan


@dataclass(frozen=True)
class CurrentPlan(Record):
    """The chat's plan as it stands now."""

    plan: Plan

    def writes(self, commit: Commit) -> Iterator[Write]:
        """Replace the chat's plan."""
        yield Write(path=paths.plan_path(commit.chat.key), document=layout.encode_plan(self.plan), mode=Mode.SET)


@dataclass(frozen=True)
class ReplacedPlan(Record):
    """A plan that another replaced; kept for whoever asks what became of it."""

    plan: Plan

    def writes(self, commit: Commit) -> Iterator[Write]:
        """Keep it beside the chat's plan."""
        path = paths.past_plan_path(commit.chat.key, self.plan.id)
        yield Write(path=path, document=layout.encode_past_plan(self.plan), mode=Mode.SET)


def decode_plan(document: layout.Document | None) -> Plan | None:
    """The plan; none if there is no document. Raises PlanUnreadable."""
    try:
        return Plan.model_validate(document) if document is not None else None
    except ValidationError:
        # its cause would tell what people wrote
        raise PlanUnreadable(json.dumps(document, default=str)) from None
