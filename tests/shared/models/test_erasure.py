"""Erasures as values."""

import json
from datetime import timedelta

from shared.models.erasure import GRACE, SETTLING, Erasure, ErasureScope, erase_job, erasure_id
from shared.models.wake import Queue
from tests.shared.values import KEY, NOW


def test_the_same_wish_has_the_same_id_and_its_rounds_are_tasks_of_their_own() -> None:
    assert erasure_id("lull", "person", "7") == erasure_id("lull", "person", "7") != erasure_id("lull", "person", "8")
    first, again, later = erase_job("e", "", NOW), erase_job("e", "", NOW), erase_job("e", "round 2", NOW)
    assert first.name == again.name != later.name
    assert (first.function, first.queue) == ("erase", Queue.BACKGROUND)
    assert json.loads(first.body) == {"job": "erase", "erasure": "e"}


def test_it_is_read_as_it_was_written() -> None:
    erasure = Erasure(
        id="e", scope=ErasureScope.PERSON, person=7, chat=KEY.id, asked_at=NOW, due_at=NOW, counts={"a": 1}
    )
    assert Erasure.model_validate(erasure.model_dump()) == erasure
    assert erasure.key == KEY


def test_no_function_runs_as_long_as_the_second_round_waits() -> None:
    assert timedelta(seconds=600) < SETTLING
    assert GRACE < SETTLING


def test_what_waits_for_its_moment_is_the_second_round_and_an_archive_that_refused() -> None:
    erasure = Erasure(id="e", scope=ErasureScope.PERSON, person=7, chat=KEY.id, asked_at=NOW, due_at=NOW)
    second = erasure.model_copy(update={"round": 2})
    begun = second.model_copy(update={"done": ("files",)})
    refused = begun.model_copy(update={"refused": ("s3://a",)})
    assert [one.is_waiting for one in (erasure, second, begun, refused)] == [False, True, False, True]
