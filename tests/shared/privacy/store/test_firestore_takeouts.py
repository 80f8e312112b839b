"""How far takeouts are, in the real Firestore."""

from datetime import timedelta

import pytest

from shared.base.errors import Contended
from shared.chat.store import paths
from shared.values.evolve import evolve
from shared.values.takeout import PartOutcome, Takeout, TakeoutPart, TakeoutPlace, takeout_id
from tests.shared.examples import NOW
from tests.shared.takeouts import Depot, somebody


async def test_one_is_kept_and_who_has_seen_an_older_state_writes_nothing(depot: Depot) -> None:
    ann = somebody("Ann")
    none = await depot.takeouts.find(ann.id)
    assert none.takeout is None
    part = TakeoutPart(number=1, size=3, path="r/1")
    takeout = Takeout(
        person=ann.id, agent="lull", run="r", asked_at=NOW, parts=(part,), place=TakeoutPlace(source=1, cursor="c 2"),
        counts={"messages": 3}, outcomes={"1": PartOutcome.SENT}, due_at=NOW,
    )  # fmt: skip
    held = await depot.takeouts.replace(none, takeout)
    assert (await depot.takeouts.find(ann.id)).takeout == takeout
    with pytest.raises(Contended):
        await depot.takeouts.replace(none, takeout)
    await depot.takeouts.replace(held, evolve(takeout, due_at=None))
    with pytest.raises(Contended):
        await depot.takeouts.replace(held, takeout)


async def test_those_that_are_due_are_found_and_those_that_are_over_are_not(depot: Depot) -> None:
    ann, bob = somebody("Ann"), somebody("Bob")
    for person, due_at in ((ann, NOW), (bob, None)):
        takeout = Takeout(person=person.id, agent="lull", run="r", asked_at=NOW, due_at=due_at)
        await depot.takeouts.replace(await depot.takeouts.find(person.id), takeout)
    due = await depot.takeouts.due(NOW + timedelta(seconds=1), 500)
    assert ann.id in due
    assert bob.id not in due


async def test_what_is_left_of_one_that_was_erased_is_as_good_as_none(depot: Depot) -> None:
    ann = somebody("Ann")
    await depot.keep(paths.takeout_path(takeout_id(ann.id)), {"outcomes": {"1": "sent"}, "due_at": NOW})
    assert (await depot.takeouts.find(ann.id)).takeout is None
    assert ann.id not in await depot.takeouts.due(NOW + timedelta(seconds=1), 500)
    assert (await depot.ask(ann)).run
