"""What became of a part is merged into its takeout."""

from shared.chat.store.writes import Commit, Mode
from shared.privacy.store.takeouts import KEPT_TAKEOUTS, HandedOver
from shared.values.chat import Chat
from shared.values.evolve import evolve
from shared.values.takeout import HandedPart, PartOutcome, takeout_id
from tests.shared.examples import KEY, NOW


def test_behind_the_last_part_the_takeout_is_looked_after_at_once() -> None:
    part = HandedPart(person=7, run="r", number=1, of=2, path="r/1")
    commit = Commit(chat=Chat(key=KEY), at=NOW)
    (first,) = HandedOver(part, PartOutcome.SENT).writes(commit)
    (last,) = HandedOver(evolve(part, number=2), PartOutcome.FAILED).writes(commit)
    assert (first.path, first.mode) == (f"takeouts/{takeout_id(7)}", Mode.MERGE)
    assert first.document == {"outcomes": {"1": "sent"}, "expires_at": NOW + KEPT_TAKEOUTS}
    assert last.document == {"outcomes": {"2": "failed"}, "expires_at": NOW + KEPT_TAKEOUTS, "due_at": NOW}
