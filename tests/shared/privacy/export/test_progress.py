"""The text that shows the progress of an export."""

import pytest

from shared.base.wording.words import words_in
from shared.privacy.export.service import buttons_of, progress_text, unsent_parts_texts
from shared.values.evolve import evolve
from shared.values.export import Export, ExportPart, ExportState, PartOutcome
from tests.shared.examples import NOW

PARTS = tuple(ExportPart(number=n, size=30_400_000, path=f"r/{n}") for n in (1, 2, 3))
EXPORT = Export(person=7, agent="lull", run="r", asked_at=NOW, parts=PARTS, done=3, total=9)
ENGLISH = words_in("en")
SENT, FAILED, UNKNOWN = PartOutcome.SENT, PartOutcome.FAILED, PartOutcome.UNKNOWN


def test_while_it_is_gathered_conversations_parts_and_bytes_are_told_and_there_is_a_button() -> None:
    text = progress_text(EXPORT, ENGLISH, "UTC")
    assert "3 of 9 conversations" in text
    assert "3 zip files, 91 MB" in text
    (button,) = buttons_of(EXPORT, ENGLISH, "conv-1")
    assert button.data == "export:conv-1:p"
    assert buttons_of(evolve(EXPORT, state=ExportState.READY), ENGLISH, "conv-1") == ()


@pytest.mark.parametrize(
    ("outcomes", "said"),
    [
        ({"1": SENT, "2": SENT, "3": SENT}, "You can ask for it again from"),
        ({"1": FAILED, "2": SENT, "3": FAILED}, "I couldn't send part 1, 3 of 3 of your export."),
        ({"1": SENT, "2": UNKNOWN, "3": SENT}, "I don't know whether part 2 of 3 of your export has arrived."),
    ],
)
def test_in_the_end_it_is_told_what_did_not_arrive(outcomes: dict[str, PartOutcome], said: str) -> None:
    over = evolve(EXPORT, state=ExportState.CLEARED, outcomes=outcomes)
    assert said in progress_text(over, ENGLISH, "UTC")
    assert over.has_arrived is (list(unsent_parts_texts(over, ENGLISH)) == [])


def test_what_arrived_is_told_so_while_its_copies_still_lie_in_the_bucket() -> None:
    for outcomes, said in (
        ({}, "on its way"),
        ({"1": SENT}, "on its way"),
        (dict.fromkeys("123", SENT), "ask for it again"),
    ):
        ready = evolve(EXPORT, state=ExportState.READY, outcomes=outcomes)
        assert said in progress_text(ready, ENGLISH, "UTC")


def test_what_failed_and_what_is_in_doubt_are_told_apart() -> None:
    both = evolve(EXPORT, outcomes={"1": FAILED, "2": UNKNOWN, "3": SENT})
    assert len(list(unsent_parts_texts(both, ENGLISH))) == 2
