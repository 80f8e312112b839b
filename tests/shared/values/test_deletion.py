"""Deletions: their ids, their jobs, and when they continue."""

import json
import random
import string
from datetime import timedelta

from shared.values.deletion import GRACE, MOST_FILES, SETTLING, Deletion, DeletionScope, deletion_id, deletion_job
from shared.values.evolve import evolve
from shared.values.wake import Queue
from tests.shared.examples import KEY, NOW


def test_the_same_wish_has_the_same_id_and_its_rounds_are_tasks_of_their_own() -> None:
    assert (
        deletion_id("lull", "person", "7") == deletion_id("lull", "person", "7") != deletion_id("lull", "person", "8")
    )
    first, again, later = deletion_job("e", "", NOW), deletion_job("e", "", NOW), deletion_job("e", "round 2", NOW)
    assert first.name == again.name != later.name
    assert (first.function, first.queue) == ("erase", Queue.BACKGROUND)
    assert json.loads(first.body) == {"job": "erase", "erasure": "e"}


def test_it_is_read_as_it_was_written() -> None:
    deletion = Deletion(
        id="e", scope=DeletionScope.PERSON, person=7, chat=KEY.id, asked_at=NOW, due_at=NOW, counts={"a": 1}
    )
    assert Deletion.model_validate(deletion.model_dump()) == deletion
    assert deletion.key == KEY


def test_the_most_files_that_it_keeps_fit_into_a_document() -> None:
    letters = random.Random(7)
    names = tuple("".join(letters.choices(string.ascii_letters + string.digits, k=25)) for _ in range(MOST_FILES))
    parts = tuple(f"{name}/0" for name in names)
    deletion = Deletion(
        id="e", scope=DeletionScope.PERSON, chat=KEY.id, asked_at=NOW, due_at=NOW, files=names, parts=parts
    )
    written = deletion.model_dump()
    assert isinstance(written["files"], bytes)
    assert len(written["files"]) + len(written["parts"]) < 1_000_000
    assert Deletion.model_validate(written) == deletion
    assert Deletion.model_validate_json(deletion.model_dump_json()) == deletion


def test_one_of_before_is_read() -> None:
    deletion = Deletion(id="e", scope=DeletionScope.PERSON, chat=KEY.id, asked_at=NOW, due_at=NOW)
    before = deletion.model_dump() | {"files": ["one", "two"], "parts": []}
    assert Deletion.model_validate(before) == evolve(deletion, files=("one", "two"))


def test_no_function_runs_as_long_as_the_second_round_waits() -> None:
    assert timedelta(seconds=600) < SETTLING
    assert GRACE < SETTLING


def test_what_waits_for_its_moment_is_the_second_round_and_an_archive_that_refused() -> None:
    deletion = Deletion(id="e", scope=DeletionScope.PERSON, person=7, chat=KEY.id, asked_at=NOW, due_at=NOW)
    second = evolve(deletion, round=2)
    begun = evolve(second, done=("files",))
    refused = evolve(begun, refused=("s3://a",))
    assert [one.is_waiting for one in (deletion, second, begun, refused)] == [False, True, False, True]
