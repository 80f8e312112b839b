"""Deletions in the real Firestore."""

from datetime import timedelta

import pytest

from shared.base.errors import WriteConflict
from shared.chat.store.chats import FirestoreChats
from shared.privacy.store.deletions import FirestoreDeletions
from shared.values.deletion import Deletion, DeletionScope
from shared.values.evolve import evolve
from tests.shared.examples import KEY, NOW
from tests.shared.paused_queue import PausedQueue

DELETION = Deletion(id="e1", scope=DeletionScope.PERSON, person=7, chat=KEY.id, asked_at=NOW, due_at=NOW)


async def test_who_asks_twice_asks_once_and_has_it_begun(chats: FirestoreChats, paused_queue: PausedQueue) -> None:
    asked = FirestoreDeletions(chats.client, paused_queue.erasing_jobs())
    assert (await asked.is_asked("e1"), await asked.asked_last(7)) == (False, None)
    await asked.ask(DELETION)
    await asked.ask(evolve(DELETION, language="de"))
    assert (await asked.is_asked("e1"), await asked.asked_last(7), await asked.asked_last(8)) == (True, NOW, None)
    found = await asked.read("e1")
    assert found is not None
    assert found.deletion == DELETION
    assert len(await paused_queue.tasks()) == 1


async def test_of_two_runs_one_goes_on(chats: FirestoreChats) -> None:
    log = FirestoreDeletions(chats.client)
    await log.keep(DELETION)
    seen = await log.read("e1")
    assert seen is not None
    first = await log.save(seen, evolve(DELETION, round=2))
    with pytest.raises(WriteConflict):
        await log.save(seen, evolve(DELETION, done=("files",)))
    assert (await log.save(seen, first.deletion)).version == first.version, "a commit whose answer was lost"
    assert [one async for one in log.all()] == [first.deletion]
    assert await log.read("e2") is None


async def test_the_newest_wish_counts(chats: FirestoreChats) -> None:
    log = FirestoreDeletions(chats.client)
    for days, name in enumerate(("a", "b")):
        await log.keep(evolve(DELETION, id=name, asked_at=NOW + timedelta(days=days)))
    assert await log.asked_last(7) == NOW + timedelta(days=1)
