"""A takeout: when there may be another, and what brings it further."""

import json

from shared.values.evolve import evolve
from shared.values.takeout import (
    EVERY,
    PartOutcome,
    Takeout,
    TakeoutPart,
    TakeoutState,
    is_told_after,
    takeout_id,
    takeout_job,
    takeout_wake,
)
from shared.values.wake import Queue, WakeReason
from tests.shared.examples import NOW

TAKEOUT = Takeout(person=7, agent="lull", run="01R", asked_at=NOW)
PART = TakeoutPart(number=1, size=3, path="01R/0001-a.zip")


def changed(**fields: object) -> Takeout:
    return TAKEOUT.model_copy(update=fields)


def test_it_goes_to_the_private_chat_of_whose_it_is() -> None:
    assert (TAKEOUT.key.chat_id, TAKEOUT.key.is_private, TAKEOUT.id) == (7, True, takeout_id(7))
    assert takeout_id(7) != takeout_id(8)


def test_it_is_handed_over_once_something_became_of_every_part() -> None:
    two = changed(parts=(PART, evolve(PART, number=2)), outcomes={"1": PartOutcome.SENT})
    assert not two.is_handed_over
    assert evolve(two, outcomes={"1": PartOutcome.SENT, "2": PartOutcome.UNKNOWN}).is_handed_over


def test_another_may_be_asked_for_after_a_day_or_if_it_did_not_arrive() -> None:
    cleared = changed(state=TakeoutState.CLEARED)
    assert not TAKEOUT.may_be_replaced(NOW + EVERY), "it goes on"
    assert not cleared.may_be_replaced(NOW)
    assert cleared.may_be_replaced(NOW + EVERY)
    assert changed(state=TakeoutState.FAILED).may_be_replaced(NOW)
    assert evolve(cleared, outcomes={"1": PartOutcome.FAILED}).may_be_replaced(NOW)


def test_each_part_has_a_job_of_its_own_and_a_repeat_is_one_with_it() -> None:
    first, again, next_one = (
        takeout_job(TAKEOUT, NOW),
        takeout_job(TAKEOUT, NOW),
        takeout_job(changed(parts=(PART,)), NOW),
    )
    assert first.name == again.name != next_one.name
    assert takeout_job(TAKEOUT, NOW, of="a sweep").name != first.name
    assert (first.queue, json.loads(first.body)) == (Queue.BACKGROUND, {"job": "take_out", "person": "7"})


def test_of_a_hundred_parts_it_is_told_seven_times() -> None:
    assert [part for part in range(101) if is_told_after(part)] == [1, 2, 4, 8, 16, 32, 64]


def test_its_wake_names_its_run() -> None:
    wake = takeout_wake(TAKEOUT, NOW)
    assert (wake.reason, wake.key) == (WakeReason.TAKEOUT, TAKEOUT.key)
    assert wake.of.startswith("01R@")
