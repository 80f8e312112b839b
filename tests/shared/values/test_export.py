"""An export: when another one is allowed, and its jobs."""

import json

from shared.values.evolve import evolve
from shared.values.export import (
    EVERY,
    Export,
    ExportPart,
    ExportState,
    PartOutcome,
    export_id,
    export_job,
    export_wake,
    is_progress_shown_after,
)
from shared.values.wake import Queue, WakeReason
from tests.shared.examples import NOW

EXPORT = Export(person=7, agent="lull", run="01R", asked_at=NOW)
PART = ExportPart(number=1, size=3, path="01R/0001-a.zip")


def changed(**fields: object) -> Export:
    return EXPORT.model_copy(update=fields)


def test_it_goes_to_the_private_chat_of_whose_it_is() -> None:
    assert (EXPORT.key.chat_id, EXPORT.key.is_private, EXPORT.id) == (7, True, export_id(7))
    assert export_id(7) != export_id(8)


def test_it_is_handed_over_once_something_became_of_every_part() -> None:
    two = changed(parts=(PART, evolve(PART, number=2)), outcomes={"1": PartOutcome.SENT})
    assert not two.has_all_outcomes
    assert evolve(two, outcomes={"1": PartOutcome.SENT, "2": PartOutcome.UNKNOWN}).has_all_outcomes


def test_another_may_be_asked_for_after_a_day_or_if_it_did_not_arrive() -> None:
    cleared = changed(state=ExportState.CLEARED)
    assert not EXPORT.may_be_replaced(NOW + EVERY), "it goes on"
    assert not cleared.may_be_replaced(NOW)
    assert cleared.may_be_replaced(NOW + EVERY)
    assert changed(state=ExportState.FAILED).may_be_replaced(NOW)
    assert evolve(cleared, outcomes={"1": PartOutcome.FAILED}).may_be_replaced(NOW)


def test_each_part_has_a_job_of_its_own_and_a_repeat_is_one_with_it() -> None:
    first, again, next_one = (
        export_job(EXPORT, NOW),
        export_job(EXPORT, NOW),
        export_job(changed(parts=(PART,)), NOW),
    )
    assert first.name == again.name != next_one.name
    assert export_job(EXPORT, NOW, of="a sweep").name != first.name
    assert (first.queue, json.loads(first.body)) == (Queue.BACKGROUND, {"job": "take_out", "person": "7"})


def test_of_a_hundred_parts_it_is_told_seven_times() -> None:
    assert [part for part in range(101) if is_progress_shown_after(part)] == [1, 2, 4, 8, 16, 32, 64]


def test_its_wake_names_its_run() -> None:
    wake = export_wake(EXPORT, NOW)
    assert (wake.reason, wake.key) == (WakeReason.EXPORT, EXPORT.key)
    assert wake.of.startswith("01R@")
