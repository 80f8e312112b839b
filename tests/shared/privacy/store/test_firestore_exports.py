"""The progress of exports in the real Firestore."""

from datetime import timedelta

import pytest

from shared.base.errors import WriteConflict
from shared.chat.store import paths
from shared.values.evolve import evolve
from shared.values.export import Export, ExportPart, ExportPosition, PartOutcome, export_id
from tests.shared.examples import NOW
from tests.shared.exports import ExportHarness, somebody


async def test_one_is_kept_and_who_has_seen_an_older_state_writes_nothing(export_harness: ExportHarness) -> None:
    ann = somebody("Ann")
    none = await export_harness.exports.find(ann.id)
    assert none.export is None
    part = ExportPart(number=1, size=3, path="r/1")
    export = Export(
        person=ann.id, agent="lull", run="r", asked_at=NOW, parts=(part,), place=ExportPosition(source=1, cursor="c 2"),
        counts={"messages": 3}, outcomes={"1": PartOutcome.SENT}, due_at=NOW,
    )  # fmt: skip
    held = await export_harness.exports.replace(none, export)
    assert (await export_harness.exports.find(ann.id)).export == export
    with pytest.raises(WriteConflict):
        await export_harness.exports.replace(none, export)
    await export_harness.exports.replace(held, evolve(export, due_at=None))
    with pytest.raises(WriteConflict):
        await export_harness.exports.replace(held, export)


async def test_those_that_are_due_are_found_and_those_that_are_over_are_not(export_harness: ExportHarness) -> None:
    ann, bob = somebody("Ann"), somebody("Bob")
    for person, due_at in ((ann, NOW), (bob, None)):
        export = Export(person=person.id, agent="lull", run="r", asked_at=NOW, due_at=due_at)
        await export_harness.exports.replace(await export_harness.exports.find(person.id), export)
    due = await export_harness.exports.due(NOW + timedelta(seconds=1), 500)
    assert ann.id in due
    assert bob.id not in due


async def test_what_is_left_of_one_that_was_erased_is_as_good_as_none(export_harness: ExportHarness) -> None:
    ann = somebody("Ann")
    await export_harness.keep(paths.export_path(export_id(ann.id)), {"outcomes": {"1": "sent"}, "due_at": NOW})
    assert (await export_harness.exports.find(ann.id)).export is None
    assert ann.id not in await export_harness.exports.due(NOW + timedelta(seconds=1), 500)
    assert (await export_harness.ask(ann)).run
