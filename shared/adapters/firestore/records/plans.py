"""Records of plans: the one that stands, and those that were replaced."""

from collections.abc import Iterator

from shared.adapters.firestore import layout
from shared.adapters.firestore.writes import Commit, Mode, Write, writes_of
from shared.records import CurrentPlan, ReplacedPlan


@writes_of.register
def _current_plan(record: CurrentPlan, commit: Commit) -> Iterator[Write]:
    path = layout.plan_path(commit.chat.key)
    yield Write(path=path, document=layout.encode_plan(record.plan), mode=Mode.SET)


@writes_of.register
def _replaced_plan(record: ReplacedPlan, commit: Commit) -> Iterator[Write]:
    path = layout.past_plan_path(commit.chat.key, record.plan.id)
    yield Write(path=path, document=layout.encode_past_plan(record.plan), mode=Mode.SET)
