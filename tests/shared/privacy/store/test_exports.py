"""The result of sending a part is merged into the export's document."""

from shared.chat.store.writes import CommitContext, WriteMode
from shared.privacy.store.exports import KEPT_EXPORTS, ExportPartResult
from shared.values.chat import Chat
from shared.values.evolve import evolve
from shared.values.export import ExportPartRef, PartOutcome, export_id
from tests.shared.examples import KEY, NOW


def test_behind_the_last_part_the_export_is_looked_after_at_once() -> None:
    part = ExportPartRef(person=7, run="r", number=1, of=2, path="r/1")
    commit = CommitContext(chat=Chat(key=KEY), at=NOW)
    (first,) = ExportPartResult(part, PartOutcome.SENT).writes(commit)
    (last,) = ExportPartResult(evolve(part, number=2), PartOutcome.FAILED).writes(commit)
    assert (first.path, first.mode) == (f"takeouts/{export_id(7)}", WriteMode.MERGE)
    assert first.document == {"outcomes": {"1": "sent"}, "expires_at": NOW + KEPT_EXPORTS}
    assert last.document == {"outcomes": {"2": "failed"}, "expires_at": NOW + KEPT_EXPORTS, "due_at": NOW}
